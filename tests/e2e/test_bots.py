"""Bots and clocks in the running system: nobody can stall a match."""

from __future__ import annotations

import json
from datetime import datetime
from itertools import pairwise
from typing import Any

import pytest

from tests.e2e.harness import Running, eventually

pytestmark = pytest.mark.e2e


def at_ms(event: dict[str, Any]) -> float:
    return datetime.fromisoformat(event["at"]).timestamp() * 1000


def faults(events: list[dict[str, Any]]) -> list[tuple[int, str]]:
    recorded = (e["event"] for e in events if e["type"] == "match.fault_recorded")
    return [(fault["seat"], fault["fault"]) for fault in recorded]


@pytest.mark.parametrize(
    ("level", "fault"), [("raises", "raised"), ("stalls", "stalled"), ("illegal", "illegal")]
)
def test_a_bot_that_fails_is_recorded_and_the_match_goes_on(
    system: Running, level: str, fault: str
) -> None:
    match = system.match("tictactoe", level, "greedy")
    assert system.ended(match)["result"]["reason"] == "completed"
    recorded = faults(system.events(match))
    assert recorded
    assert set(recorded) == {(0, fault)}


def test_a_long_thought_is_handed_out_once(system: Running) -> None:
    match = system.match("tictactoe", "slow", "slow")

    def thoughts() -> list[dict[str, Any]]:
        lines = [json.loads(x) for x in system.log("thinker").splitlines() if x.startswith("{")]
        return [x for x in lines if x["event"] == "think" and x["match"] == match]

    [thought] = eventually(thoughts, within_s=20)
    assert thought["played"]
    assert "duration_ms" not in thought
    with system.client() as client:
        assert client.delete(f"/v1/matches/{match}").is_success
        told = client.get(f"/v1/matches/{match}/thoughts").json()["items"]
    assert [item["version"] for item in told] == [thought["version"] + 1]
    assert told[0]["took_ms"] >= 5_000
    moves = [e for e in system.events(match) if e["type"] == "tictactoe.placed"]
    assert [move["version"] for move in moves] == [thought["version"] + 1]


def test_a_pace_is_kept_between_moves(system: Running) -> None:
    match = system.match("tictactoe", "greedy", "greedy", pace_ms=300)
    system.ended(match)
    events = system.events(match)
    moves = [e for e in events if e["type"] in ("tictactoe.seat_chosen", "tictactoe.placed")]
    pauses = [at_ms(b) - at_ms(a) for a, b in pairwise(moves)]
    assert len(pauses) >= 5
    assert min(pauses) >= 300
    assert max(pauses) < 3_000


def test_who_does_not_move_in_time_is_timed_out(system: Running) -> None:
    # The bot begins, so that the person has at most four moves: after five a stand-in takes over.
    match = system.match(
        *("tictactoe", "person", "greedy"),
        clock={"per_move_s": 1},
        pace_ms=0,
        chance={"first": 1},
    )
    ended = system.ended(match)
    assert ended["result"]["reason"] == "completed"
    events = system.events(match)
    late = [n for n, event in enumerate(events) if event["type"] == "match.timed_out"]
    assert len(late) >= 2
    for n in late:
        assert events[n]["event"] == {"type": "match.timed_out", "seat": 0}
        assert 1_000 <= at_ms(events[n]) - at_ms(events[n - 1]) < 4_000


def test_projections_are_rebuilt_while_the_service_goes_on(system: Running) -> None:
    match = system.match("tictactoe", "greedy", "greedy")
    system.ended(match)
    with system.client(system.operator_key) as operator:
        begun = operator.post("/v1/admin/rebuilds")
        assert begun.status_code == 202, begun.text

        def finished() -> dict[str, Any] | None:
            progress = operator.get(begun.headers["Location"]).json()
            return progress if progress["finished"] else None

        progress = eventually(finished, within_s=30)
    assert progress["failed"] == 0
    assert progress["matches"] >= 1
    assert system.get(match)["status"] == "ended"
