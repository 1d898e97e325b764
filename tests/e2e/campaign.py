"""Two hundred commands while something breaks, and what must hold afterwards."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Thread

import httpx

from services.hosted import Hall
from services.matches.state import fold
from services.registry import GAMES
from shared.redis_client import connect
from shared.redis_store import RedisEvents
from tests.e2e.harness import Running, eventually
from tests.toys import tictactoe
from tests.toys.tictactoe import NO_LINE

GOES_ON_S = 15.0
SEED = int(os.environ.get("TYCOON_FAULT_SEED", time.time_ns() % 1_000_000))
HALL = Hall([*GAMES.values(), tictactoe.GAME])


@dataclass
class Table:
    """A match of two people, and what the server has acknowledged: version -> cell."""

    id: str
    tokens: list[str]
    acknowledged: dict[int, int] = field(default_factory=dict)
    slowest_s: float = 0.0
    failure: BaseException | None = None


def seat_people(system: Running, matches: int) -> list[Table]:
    """Matches of two people, all at version 3, seat 0 to move."""
    tables = []
    for _ in range(matches):
        made = system.created(
            "tictactoe", "person", "person", options={"size": 5}, chance={"first": 0}
        )
        tokens = [row["token"] for row in made["tokens"]]
        tables.append(Table(made["match"]["id"], tokens))
    return tables


def play(system: Running, tables: list[Table], hurt: Callable[[], None], *, times: int = 3) -> None:
    """Plays every table to its end, each in a thread of its own, and does harm so often meanwhile.

    A client sends each command until it is answered, always under the same key. The harm is done
    when a random number of commands has been acknowledged.
    """
    players = [Thread(target=_play, args=(system.url, table)) for table in tables]
    commands = len(tables) * len(NO_LINE)
    for player in players:
        player.start()
    for moment in sorted(random.Random(SEED).sample(range(commands // 10, commands - 20), times)):
        eventually(lambda moment=moment: _acknowledged(tables) >= moment, 2 * GOES_ON_S)
        hurt()
    for player in players:
        player.join()
    for table in tables:
        if table.failure is not None:
            raise table.failure
        assert table.slowest_s < GOES_ON_S
    eventually(lambda: _ready(system.url), GOES_ON_S)


def _acknowledged(tables: list[Table]) -> int:
    return sum(len(table.acknowledged) for table in tables)


def _ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/readyz").is_success
    except httpx.TransportError:
        return False


def _play(url: str, table: Table) -> None:
    try:
        with httpx.Client(base_url=url, timeout=5) as client:
            for number, cell in enumerate(NO_LINE):
                _send_until_answered(client, table, number, cell)
    except BaseException as failed:  # told by the thread that waits for this one
        table.failure = failed


def _send_until_answered(client: httpx.Client, table: Table, number: int, cell: int) -> None:
    begun = time.monotonic()
    while True:
        try:
            answer = client.post(
                f"/v1/matches/{table.id}/moves",
                json={"move": {"type": "place", "at": cell}, "expected_version": 3 + number},
                headers={
                    "Authorization": f"Bearer {table.tokens[number % 2]}",
                    "Idempotency-Key": f"move-{number}",
                },
            )
        except httpx.TransportError:
            answer = None
        if answer is not None and answer.status_code != 503:
            break
        assert time.monotonic() - begun < 2 * GOES_ON_S, "the match does not go on"
        time.sleep(0.05)
    assert answer.status_code == 201, answer.text
    version = answer.json()["version"]
    table.acknowledged[version - len(answer.json()["events"]) + 1] = cell
    table.slowest_s = max(table.slowest_s, time.monotonic() - begun)


def check(system: Running, matches: list[str]) -> None:
    """No gaps in any log, and every projection is what its log folds to, up to the head."""
    store = RedisEvents(connect(system.system.settings.events_url, timeout_ms=5_000))
    for match in matches:
        eventually(lambda match=match: _projected(store, match), GOES_ON_S)


def _projected(store: RedisEvents, match: str) -> bool:
    whole = store.load(match, snapshot=False)
    assert whole is not None
    assert len(whole.tail) == whole.head.version
    loaded = store.load(match)
    if loaded is None or loaded.snapshot is None or loaded.snapshot.version < whole.head.version:
        return False
    hosted = HALL[whole.head.game]
    folded = fold(hosted.game, None, hosted.read(whole.tail))
    assert hosted.read_snapshot(loaded.snapshot.data) == folded
    return True


def check_acknowledged(system: Running, tables: list[Table]) -> None:
    """Every acknowledged move stands in the log where it was acknowledged, and only there."""
    for table in tables:
        placed = {
            event["version"]: event["event"]["at"]
            for event in system.events(table.id)
            if event["type"] == "tictactoe.placed"
        }
        assert placed == table.acknowledged
        assert list(placed.values()) == NO_LINE
