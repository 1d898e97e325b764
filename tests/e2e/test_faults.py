"""Kill -9 at random moments: nothing acknowledged is lost, and every match goes on.

`TYCOON_FAULT_SEED` repeats a run.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from shared.redis_client import connect
from shared.redis_store import RedisEvents
from tests.e2e.campaign import (
    GOES_ON_S,
    SEED,
    check,
    check_acknowledged,
    play,
    seat_people,
)
from tests.e2e.harness import Running, eventually, running

pytestmark = pytest.mark.e2e
TABLES = 8
"""Of 25 commands each: 200 in all."""


@pytest.fixture
def system(tmp_path: Path) -> Iterator[Running]:
    print(f"TYCOON_FAULT_SEED={SEED}")
    with running(tmp_path) as tycoon:
        yield tycoon


def test_the_api_is_killed_between_append_and_answer(system: Running) -> None:
    tables = seat_people(system, TABLES)
    play(system, tables, lambda: system.restart("api"))
    check_acknowledged(system, tables)
    check(system, [table.id for table in tables])


def test_the_events_server_is_killed(system: Running) -> None:
    tables = seat_people(system, TABLES)
    play(system, tables, lambda: system.restart("events"))
    check_acknowledged(system, tables)
    check(system, [table.id for table in tables])


def test_a_worker_is_killed_in_the_middle_of_matches(system: Running) -> None:
    levels = ["random"] * 5
    matches = [
        system.match("daifugo", *levels, pace_ms=10, options={"rounds": 1}) for _ in range(4)
    ]

    for _ in range(2):
        _moves_on(system, matches, by=20)
        system.kill("worker")
        system.start("worker")
        _moves_on(system, matches, by=1)
    for match in matches:
        assert system.ended(match, 60)["result"]["reason"] == "completed"
    check(system, matches)


def test_a_worker_is_killed_between_the_projection_and_a_bots_move(system: Running) -> None:
    made = system.created("tictactoe", "person", "greedy", chance={"first": 0}, pace_ms=3_000)
    match, token = made["match"]["id"], made["tokens"][0]["token"]
    with system.client(token) as client:
        body = {"move": {"type": "place", "at": 4}, "expected_version": 3}
        assert client.post(f"/v1/matches/{match}/moves", json=body).status_code == 201
    store = RedisEvents(connect(system.system.settings.events_url, timeout_ms=5_000))

    def projected() -> bool:
        loaded = store.load(match)
        return loaded is not None and loaded.snapshot is not None and loaded.snapshot.version == 4

    eventually(projected, 2.5)
    assert system.get(match)["version"] == 4, "the bot has not moved yet"
    system.kill("worker")
    system.start("worker")
    eventually(lambda: system.get(match)["version"] == 5, GOES_ON_S)
    check(system, [match])


def _moves_on(system: Running, matches: list[str], *, by: int) -> None:
    """Every match grows by so many events, or ends, within the time that is promised."""
    before = {match: system.get(match)["version"] for match in matches}

    def grown() -> bool:
        found = {match: system.get(match) for match in matches}
        return all(
            f["version"] >= before[match] + by or f["status"] == "ended"
            for match, f in found.items()
        )

    eventually(grown, GOES_ON_S)


def test_a_broker_that_is_gone_costs_time_only(system: Running) -> None:
    system.kill("broker")
    match = system.match("tictactoe", "random", "greedy")
    tables = seat_people(system, 1)
    play(system, tables, lambda: None, times=0)
    assert system.get(match)["status"] == "running"
    system.start("broker")
    assert system.ended(match, 30)["result"]["reason"] == "completed"
    check_acknowledged(system, tables)
    check(system, [match, tables[0].id])


def test_a_broker_that_is_killed_in_the_middle_of_a_task_ends_no_worker(system: Running) -> None:
    assert system.ended(system.match("tictactoe", "random", "greedy")), "the worker is up"
    # One task that goes on and one free slot: no sweeps, and the children stand still.
    system.kill("ticker")
    with redis.Redis.from_url(system.system.settings.broker_url) as broker:
        eventually(lambda: not broker.llen("ops") and not broker.hlen("unacked"), GOES_ON_S)
        children = system.tree("worker")[1:]
        for child in children:
            child.suspend()
        match = system.match("tictactoe", "random", "greedy")
        eventually(lambda: broker.hlen("unacked"), GOES_ON_S)
    _lose_the_broker(system)
    for child in children:
        child.resume()
    system.start("ticker")
    assert system.ended(match, 30)["result"]["reason"] == "completed"
    assert _alive(system) == {"api", "worker", "thinker", "series", "ticker"}
    check(system, [match])


def test_a_broker_that_is_killed_again_and_again_ends_no_process(system: Running) -> None:
    matches = [
        system.match("daifugo", *["random"] * 5, pace_ms=10, options={"rounds": 1})
        for _ in range(4)
    ]
    tables = seat_people(system, TABLES)
    play(system, tables, lambda: _lose_the_broker(system))
    _moves_on(system, matches, by=1)
    assert _alive(system) == {"api", "worker", "thinker", "series", "ticker"}
    check_acknowledged(system, tables)
    check(system, [table.id for table in tables])


def _lose_the_broker(system: Running) -> None:
    """Kills the broker, and starts it again when the worker has noticed and cleaned up."""
    said = len(system.log("worker"))
    system.kill("broker")
    eventually(lambda: "Cannot connect" in system.log("worker")[said:], GOES_ON_S)
    system.start("broker")


def _alive(system: Running) -> set[str]:
    """Which of our own processes are still there; nobody starts them again."""
    services = system.system.services
    return {name for name in services.keys() - {"events", "broker"} if services[name].running}


def test_a_broker_that_lost_everything_stops_nothing(system: Running) -> None:
    match = system.match("daifugo", *["random"] * 4, pace_ms=5, options={"rounds": 1})
    with redis.Redis.from_url(system.system.settings.broker_url) as broker:
        broker.flushall()
    assert system.ended(match, 60)["result"]["reason"] == "completed"
    check(system, [match])


def test_the_ticker_is_killed_and_a_second_one_does_no_harm(system: Running) -> None:
    system.kill("ticker")
    match = system.match("tictactoe", "random", "greedy")
    assert system.ended(match)["result"]["reason"] == "completed"
    system.start("ticker")
    ticker = system.system.services["ticker"]
    with subprocess.Popen(ticker.command, env=ticker.env, stdout=subprocess.DEVNULL) as second:
        match = system.match("tictactoe", "random", "greedy")
        assert system.ended(match)["result"]["reason"] == "completed"
        assert second.poll() is None
        second.terminate()
    check(system, [match])
