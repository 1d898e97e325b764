"""Whatever breaks, nothing acknowledged is lost, and every match goes on.

`TYCOON_FAULT_SEED` repeats a run; `TYCOON_FAULT_ROUNDS` makes it longer.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable, Iterator

import pytest
import redis

from shared.redis_client import connect
from shared.redis_store import RedisEvents
from tests.e2e.campaign import OF_PERSONS, ROUNDS, SEED, Campaign
from tests.e2e.checks import check
from tests.e2e.harm import OURS, SLACK_S, Harmed, harmed
from tests.e2e.harness import eventually
from tests.e2e.players import PATIENCE_S
from tests.e2e.tables import Table

pytestmark = pytest.mark.e2e
HOUR_S = 3_600
STILL_S = 3 if ROUNDS == 1 else 10
LATE_S = 3.0
"""Longer than the store is waited for: what was refused is carried out afterwards."""
CUT_COMMAND = b"*4\r\n$4\r\nHSET\r\n$10\r\n{p1}:m:cut\r\n$1\r\nk"


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harmed]:
    """One for all faults."""
    with harmed(tmp_path_factory.mktemp("together")) as tycoon:
        yield tycoon


@pytest.fixture
def system(together: Harmed) -> Harmed:
    """The one for all, which each fault must leave as it should be."""
    together.clocks_jump(0)
    assert together.well()
    return together


# -- processes ------------------------------------------------------------------------------


def test_api_worker_ticker_and_store_are_killed_at_random_moments(system: Harmed) -> None:
    kinds: list[Callable[[], None]] = [
        lambda: system.restart("api"),
        system.worker_is_killed,
        lambda: system.restart("ticker"),
        system.store_is_killed,
    ]
    chance = random.Random(f"{SEED}-kinds")
    harms = [each for _ in range(2 * ROUNDS) for each in chance.sample(kinds, len(kinds))]
    print("killed are", [kinds.index(each) for each in harms])
    Campaign(system).fight(harms, commands=300)


def test_a_worker_is_killed_between_the_projection_and_a_bots_move(system: Harmed) -> None:
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
    system.restart("worker")
    eventually(lambda: system.get(match)["version"] == 5, PATIENCE_S)
    with system.client() as client:
        assert client.delete(f"/v1/matches/{match}").status_code == 200
    check(system, [Table(match)])


def test_the_ticker_is_away_and_then_there_are_two(system: Harmed) -> None:
    system.kill("ticker")
    match = system.match("tictactoe", "random", "greedy")
    assert system.ended(match)["result"]["reason"] == "completed"
    system.start("ticker")
    ticker = system.system.services["ticker"]
    with subprocess.Popen(ticker.command, env=ticker.env, stdout=subprocess.DEVNULL) as second:  # type: ignore[attr-defined]  # a program
        Campaign(system).fight([], commands=40)
        assert second.poll() is None
        second.terminate()
    check(system, [Table(match)])


# -- the events server ----------------------------------------------------------------------


def test_the_store_stands_still(system: Harmed) -> None:
    Campaign(system).fight([lambda: system.store_stands_still(STILL_S)] * ROUNDS, commands=40)


def test_a_store_without_memory_refuses_whole_commands(system: Harmed) -> None:
    campaign = Campaign(system)

    def fill() -> None:
        with system.store_is_full(room=50_000):
            eventually(lambda: system.tries_to_begin().status_code == 503, PATIENCE_S)
        with system.store_is_full(room=-500_000):
            system.refuses("store.full", within_s=SLACK_S)
            for table in campaign.tables[-5:]:
                assert system.get(table.id)["version"] >= 1, "what is there can be read"

    campaign.fight([fill] * ROUNDS, commands=40)


def test_a_full_disk_ends_the_store_and_nothing_else(system: Harmed) -> None:
    def fill() -> None:
        system.disk_is_full(room=5_000)
        for _ in range(2):  # started again while there is no more room, it ends again
            system.ends("events", PATIENCE_S)
            assert "Can't recover from AOF write error" in system.log("events")
            system.refuses("store.unavailable", within_s=SLACK_S)
            system.start("events")
            system.disk_is_full(room=0)
        system.ends("events", PATIENCE_S)
        # A machine that lost its power in the middle of a write leaves half of it.
        with system.file().open("ab") as file:
            file.write(CUT_COMMAND)
        system.start("events")

    Campaign(system).fight([fill] * ROUNDS, commands=40)
    assert system.alive() == set(OURS)


# -- the broker -----------------------------------------------------------------------------


def test_a_broker_that_is_gone_costs_time_only(system: Harmed) -> None:
    campaign = Campaign(system)

    def take_away() -> None:
        system.kill("broker")
        campaign.passes(30)  # persons play on
        system.start("broker")

    campaign.fight([take_away] * ROUNDS, commands=60)


def test_a_broker_that_is_killed_again_and_again_ends_no_process(system: Harmed) -> None:
    Campaign(system).fight([lambda: _lose_the_broker(system)] * 2 * ROUNDS, commands=40)
    assert system.alive() == set(OURS)


def test_a_broker_that_lost_everything_stops_nothing(system: Harmed) -> None:
    def wipe() -> None:
        with redis.Redis.from_url(system.system.settings.broker_url) as broker:
            broker.flushall()

    Campaign(system).fight([wipe] * 3 * ROUNDS, commands=40)


def test_a_broker_that_is_killed_in_the_middle_of_a_task_ends_no_worker(system: Harmed) -> None:
    # One task that goes on and one free slot: no sweeps, and the children stand still.
    system.kill("ticker")
    with redis.Redis.from_url(system.system.settings.broker_url) as broker:
        eventually(lambda: not broker.llen("ops") and not broker.hlen("unacked"), PATIENCE_S)
        children = system.tree("worker")[1:]
        for child in children:
            child.suspend()
        match = system.match("tictactoe", "random", "greedy")
        eventually(lambda: broker.hlen("unacked"), PATIENCE_S)
    _lose_the_broker(system)
    for child in children:
        child.resume()
    system.start("ticker")
    assert system.ended(match, PATIENCE_S)["result"]["reason"] == "completed"
    assert system.alive() == set(OURS)
    check(system, [Table(match)])


def _lose_the_broker(system: Harmed) -> None:
    """Kills the broker, and starts it again when the worker has noticed and cleaned up."""
    said = len(system.log("worker"))
    system.kill("broker")
    eventually(lambda: "Cannot connect" in system.log("worker")[said:], PATIENCE_S)
    system.start("broker")


# -- clocks ---------------------------------------------------------------------------------


def test_clocks_jump_forward_and_back(system: Harmed) -> None:
    campaign = Campaign(system, {"clock": {"per_move_s": HOUR_S}})
    chance, furthest = random.Random(f"{SEED}-clocks"), 0
    with campaign.player() as person:
        slow = person.begin(OF_PERSONS[0])

        def jump() -> None:
            nonlocal furthest
            before, furthest = slow.told, furthest + chance.randrange(2 * HOUR_S, 5 * HOUR_S)
            system.clocks_jump(furthest)
            eventually(
                lambda: (person.look(slow) or {"version": 0})["version"] > before, PATIENCE_S
            )
            campaign.passes(20)
            system.clocks_jump(-chance.randrange(2 * HOUR_S, 5 * HOUR_S))
            campaign.passes(20)
            system.clocks_jump(0)

        def end() -> None:
            person.finish(slow)

        campaign.fight([jump] * ROUNDS + [end], commands=80)
    assert system.alive() == set(OURS)


# -- the line to the events server ----------------------------------------------------------


@pytest.fixture(scope="module")
def apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harmed]:
    """One whose processes are not beside their events server."""
    with harmed(tmp_path_factory.mktemp("apart"), line=random.Random(f"{SEED}-line")) as tycoon:
        yield tycoon


def test_a_slow_store_and_one_that_answers_too_late(apart: Harmed) -> None:
    campaign, line = Campaign(apart), apart.line
    assert line is not None

    def slow() -> None:
        line.delay_s = 0.02
        campaign.passes(20)
        line.delay_s = LATE_S
        apart.refuses("store.unavailable", within_s=LATE_S + SLACK_S)
        line.delay_s = 0.0

    campaign.fight([slow] * ROUNDS, commands=60)


def test_connections_are_cut_in_the_middle_of_requests_and_answers(apart: Harmed) -> None:
    campaign, line = Campaign(apart), apart.line
    assert line is not None

    def cut() -> None:
        line.breaks = 0.03
        campaign.passes(40)
        line.breaks = 0.0

    campaign.fight([cut] * ROUNDS, commands=80)
    assert min(line.broken.values()) > 0, line.broken
    assert apart.alive() == set(OURS)
