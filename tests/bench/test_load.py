"""The load generator, small: what it counts is what the logs hold."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from services.bootstrap import Tycoon
from shared.store import PARTITIONS
from tests.bench.commands import services
from tests.bench.load.__main__ import main
from tests.bench.load.cases import CASES, ages
from tests.bench.load.sizes import Plan, Target, measure
from tests.bench.load.traffic import KINDS
from tests.bench.system import API_KEY, System, system

OPEN = 5


@pytest.fixture(scope="module")
def running() -> Iterator[System]:
    with system() as running:
        yield running


def logged(tycoon: Tycoon) -> tuple[int, int]:
    """How many moves stand in all logs, and how many of the matches are not over."""
    moves = still_open = 0
    for partition in range(PARTITIONS):
        for match in tycoon.stores.events.matches(partition):
            log = [msgspec.json.decode(raw) for raw in tycoon.stores.events.events(match)]
            moves += sum("move" in envelope for envelope in log)
            still_open += log[-1]["event"]["type"] != "match.ended"
    return moves, still_open


@pytest.mark.e2e
def test_what_the_generator_counts_is_what_the_logs_hold(running: System) -> None:
    plan = Plan(connections=3, idle_s=0.5, warm_s=0.2, seconds=2, set_up_moves=30)

    size = measure(Target.own(running), OPEN, plan)

    assert not size.failures
    assert 0 < size.moves < size.moves_in_all
    assert logged(services(running.events_url)) == (size.moves_in_all, OPEN)
    # Before each move it is asked what is legal; at the borders of what is measured one may miss.
    assert abs(size.latencies["moves"].count - size.moves) <= plan.connections
    assert size.latencies.keys() <= set(KINDS)
    assert all(0 < kind.p50 <= kind.p99 for kind in size.latencies.values())
    assert size.used.keys() == {*running.processes, "events", "broker", "generator"}
    assert size.used["api"].cores > 0
    assert size.a_move("log") > 200, "a move leaves at least its event in the log"
    assert size.bytes is not None
    assert 100 < size.bytes.event < size.bytes.open


@pytest.mark.e2e
def test_wrong_answers_end_the_run_with_a_reason(
    running: System, capsys: pytest.CaptureFixture[str]
) -> None:
    url, key = f"http://127.0.0.1:{running.port}", "tyk_nobodys0_" + "n" * 32

    assert main([str(OPEN), "--url", url, "--key", key]) == 1

    assert "create: 401 auth." in capsys.readouterr().out


@pytest.mark.e2e
def test_a_tycoon_elsewhere_is_measured_without_its_processes(
    running: System, capsys: pytest.CaptureFixture[str]
) -> None:
    there = ["--url", f"http://127.0.0.1:{running.port}", "--key", API_KEY]

    assert main(["3", *there, "--seconds", "0.5", "--warm", "0", "--set-up-moves", "5"]) == 0

    told = capsys.readouterr().out
    assert "3 open matches, 3 connections" in told
    assert "move, p50 / p99 in ms" in told
    assert "generator: cores, MiB" in told
    assert "api: cores" not in told
    assert "store:" not in told


def test_matches_are_spread_over_their_lives_as_far_as_the_budget_goes() -> None:
    mean = sum(case.moves for case in CASES) / len(CASES) / 2

    few, many = list(ages(400, 40_000, seed=1)), list(ages(10_000, 40_000, seed=1))

    assert [case for case, _ in few[:4]] == list(CASES)
    assert 0.8 * mean < sum(age for _, age in few) / len(few) < 1.2 * mean
    assert 30_000 < sum(age for _, age in many) < 50_000
    assert all(0 <= age < case.moves for case, age in (*few, *many))
