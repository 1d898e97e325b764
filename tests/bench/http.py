"""POST move through granian beside bare Flask + one Lua append, 16 connections, workers running.

The product reads and checks a person's move, decides, appends and answers with the seat's events
and new view; the control appends its body. Both under the same server, with the same settings and
`appendfsync always`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

from services.bots.playout import at_random, playout
from services.registry import GAMES
from tests.bench.harness import Row, alternate
from tests.bench.load import client
from tests.bench.servers import events_server
from tests.bench.system import System, granian, stop, system

CONNECTIONS = 16
MATCHES = 3
"""So many matches a connection plays one after another in a round."""
SEATS = 5

LATENCIES: dict[str, list[float]] = {"product": [], "control": []}
PEER = Path(__file__).parent / "peers" / "http"


def _lines(seed: int) -> tuple[dict[str, object], list[tuple[int, int, object]]]:
    """A match's script, and (seat, version, move) of all its moves: so a client needs no rules."""
    import msgspec

    game = GAMES["daifugo"]
    options = game.options_type(rounds=1)
    secret = seed.to_bytes(32, "big")
    line = playout(game, options, SEATS, secret, at_random(secret))
    script = {draw[0]: draw[2] for step in line.steps for draw in step.draws}
    moves, version = [], 2 + len(line.steps[0].events)
    for step in line.steps[1:]:
        moves.append((step.seat, version, msgspec.to_builtins(step.move)))
        version += len(step.events)
    return script, moves


def _matches(running: System, seeds: Iterator[int]) -> Iterator[bytes]:
    """The requests of whole matches of five people, played move by move."""
    for seed in seeds:
        script, moves = _lines(seed)
        body = {
            "game": "daifugo",
            "options": {"rounds": 1},
            "seats": [{"kind": "person"}] * SEATS,
            "chance": script,
        }
        made = running.call("POST", "/v1/matches", body)
        tokens = {row["seat"]: row["token"] for row in made["tokens"]}
        path = f"/v1/matches/{made['match']['id']}/moves"
        for seat, version, move in moves:
            given = json.dumps({"move": move, "expected_version": version}).encode()
            yield client.request("POST", path, given, tokens[seat])


def product(running: System, seeds: Iterator[int]) -> float:
    rows = [list(_matches(running, islice(seeds, MATCHES))) for _ in range(CONNECTIONS)]
    done = client.run(running.port, [iter(row) for row in rows], limit_s=60)
    wrong = {status: n for status, n in done.statuses.items() if status != 201}
    assert not wrong, wrong
    LATENCIES["product"].append(done.percentile(0.99))
    return done.rate


def control(port: int) -> float:
    body = json.dumps(
        {
            "match": 1,
            "version": 7,
            "player": "p1",
            "move": {"type": "place", "at": 4},
            "pad": "x" * 120,
        }
    ).encode()
    asked = [
        client.request("POST", "/append", body.replace(b'"match": 1', b'"match": %d' % n))
        for n in range(1_000)
    ]
    rows = [islice(cycle(asked), 250) for _ in range(CONNECTIONS)]
    done = client.run(port, rows, limit_s=60)
    assert set(done.statuses) == {200}, done.statuses
    LATENCIES["control"].append(done.percentile(0.99))
    return done.rate


def run() -> list[Row]:
    from api.cli.servers import free_port

    seeds = iter(range(1, 1_000_000))
    with system() as running, events_server("always") as url:
        port = free_port()
        env = {
            **os.environ,
            "REDIS_PORT": url.rpartition(":")[2].partition("/")[0],
            "PYTHONPATH": str(PEER),
        }
        peer = subprocess.Popen([sys.executable, *granian("app:app", port)], env=env)
        try:
            wait_for_peer(port)
            row = alternate(
                "POST move, requests/s, 16 connections",
                lambda: product(running, seeds),
                lambda: control(port),
                budget=">= 0.6 x bare Flask + Lua append",
            )
        finally:
            stop(peer)
    tail = Row(
        "p99 of the same, ms",
        LATENCIES["product"][1:],
        LATENCIES["control"][1:],
        "<= 2 x",
    )
    return [row, tail]


def wait_for_peer(port: int) -> None:
    import socket
    import time

    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError("the control did not start")
