"""Durable moves and bot matches beside boardgame.io (Node). Needs node and npm on the path.

A durable move counts when both players have the new state: here the mover's answer and one GET of
the other, there the update that both sockets received; both store every move in files.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from services.bots.levels import policy_for
from services.bots.playout import from_views, playout
from tests.bench.harness import CONSOLE, Row, alternate
from tests.bench.load import client
from tests.bench.system import System, system
from tests.toys import tictactoe
from tests.toys.tictactoe import NO_LINE

MATCHES = 16
MOVES = len(NO_LINE)
ROUNDS = 3
SECONDS = 2
PEER = Path(__file__).parent / "peers" / "boardgameio"


def _turns(running: System) -> Iterator[bytes]:
    """A match of two people: each move, and the other player's look at it."""
    body = {
        "game": "tictactoe",
        "options": {"size": 5},
        "seats": [{"kind": "person"}] * 2,
        "chance": {"first": 0},
    }
    made = running.call("POST", "/v1/matches", body)
    tokens = [row["token"] for row in made["tokens"]]
    path = f"/v1/matches/{made['match']['id']}"
    for number, cell in enumerate(NO_LINE):
        move = {"move": {"type": "place", "at": cell}, "expected_version": 3 + number}
        yield client.request("POST", f"{path}/moves", json.dumps(move).encode(), tokens[number % 2])
        yield client.request("GET", path, token=tokens[1 - number % 2])


def durable(running: System) -> float:
    rows = [list(_turns(running)) for _ in range(MATCHES)]
    done = client.run(running.port, [iter(row) for row in rows], limit_s=60)
    assert set(done.statuses) == {200, 201}, done.statuses
    return done.rate / 2


def peer_durable(folder: Path) -> float:
    return node(folder, ["load.js", str(MATCHES), "60", "1"], r"run1 moves/s=(\d+)", STORE="file")


def peer_simulate(folder: Path) -> float:
    return node(folder, ["local.js", "1", "1"], r"Simulate.*run1.*moves/s=(\d+)")


def node(folder: Path, command: list[str], found: str, **env: str) -> float:
    done = subprocess.run(
        ["node", *command], cwd=folder, env={**os.environ, **env}, capture_output=True, text=True
    )
    rate = re.search(found, done.stdout)
    assert rate, done.stdout + done.stderr
    return float(rate[1])


def _simulate(number: int) -> int:
    """Moves of random bots that play from their views, in one process."""
    game, options = tictactoe.GAME, tictactoe.Options()
    policies = [policy_for(game, "random")] * 2
    moves, begun, count = 0, time.perf_counter(), 0
    while time.perf_counter() - begun < SECONDS:
        count += 1
        seed = (number * 1_000_000 + count).to_bytes(32, "big")
        moves += len(playout(game, options, 2, seed, from_views(game, policies, seed)).moves)
    return moves


def simulate(pool: ProcessPoolExecutor) -> float:
    return sum(pool.map(_simulate, range(2))) / SECONDS


def bot_matches(running: System) -> float:
    """Moves a second of durable bot matches, through workers and store."""
    seats = [{"kind": "bot", "level": "random"}] * 2
    begun = time.perf_counter()
    matches = [
        running.call("POST", "/v1/matches", {"game": "tictactoe", "seats": seats})["match"]["id"]
        for _ in range(300)
    ]
    events = 0
    for match in matches:
        while (found := running.call("GET", f"/v1/matches/{match}"))["status"] != "ended":
            time.sleep(0.01)
        events += found["version"] - 5
    return events / (time.perf_counter() - begun)


@contextmanager
def peer() -> Iterator[Path]:
    """A folder with boardgame.io set up in it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "peer"
        shutil.copytree(PEER, folder)
        subprocess.run(["npm", "install", "--silent", "--no-fund"], cwd=folder, check=True)
        yield folder


def run() -> list[Row]:
    if not (shutil.which("node") and shutil.which("npm")):
        CONSOLE.print("boardgame.io needs node and npm: not measured.")
        return []
    with peer() as folder, system() as running, ProcessPoolExecutor(2) as pool:
        return [
            alternate(
                "durable moves/s until both players have them, 16 matches",
                lambda: durable(running),
                lambda: peer_durable(folder),
                budget=">= 2 x boardgame.io with file storage",
                rounds=ROUNDS,
            ),
            alternate(
                "tic-tac-toe of random bots in memory, moves/s, 2 cores",
                lambda: simulate(pool),
                lambda: peer_simulate(folder),
                budget=">= 1 x boardgame.io's Simulate",
                rounds=ROUNDS,
            ),
            alternate(
                "the same durable, through workers, moves/s",
                lambda: bot_matches(running),
                lambda: peer_simulate(folder),
                budget="reported",
                rounds=ROUNDS,
            ),
        ]
