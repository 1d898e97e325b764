"""The checks after a fault can fail: each defect that they look for, planted once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from services.matches.events import Created, Ended, SeatPlan, Started, TimedOut
from services.matches.state import fold
from shared.envelope import Envelope
from tests.e2e.checks import HALL, Stored, broken_promises, faults
from tests.e2e.tables import Read, Sent, Table
from tests.toys.tictactoe import BoardFilled, Placed, SeatChosen

MINUTE_MS = 60_000
MOVE = {"type": "place", "at": 4}
replace = msgspec.structs.replace


def at(ms: int, event: Any, **more: Any) -> Envelope[Any]:
    return Envelope(event, event.v, ms, **more)


def log() -> list[Envelope[Any]]:
    """A new match, seat 0's move, a time-out of seat 1, and the host's end of it."""
    seats = (SeatPlan("person"), SeatPlan("person"))
    created = Created(
        game="tictactoe",
        options={},
        seats=seats,
        owner="host",
        visibility="private",
        commitment="0" * 64,
        pace_ms=0,
        clock_ms=MINUTE_MS,
    )
    move = msgspec.Raw(msgspec.json.encode(MOVE))
    return [
        at(0, created, command="made", rules=1),
        at(0, Started(), command="-"),
        at(0, SeatChosen(0)),
        at(5, Placed(0, 4, 1), seat=0, command="moved", move=move),
        at(5 + MINUTE_MS, TimedOut(1), seat=1, command="-"),
        at(5 + MINUTE_MS, Placed(1, 0, 0), seat=1),
        at(MINUTE_MS * 2, Ended("cancelled", "0" * 64), command="-"),
    ]


def stored(events: list[Envelope[Any]] | None = None) -> Stored:
    """A match as it should be stored."""
    events = log() if events is None else events
    folded = fold(HALL["tictactoe"].game, None, events)
    versions = list(range(1, len(events) + 1))
    return Stored(len(events), versions, events, folded, folded, b"row", b"row")


def table() -> Table:
    """What its clients know: besides, a command that was refused and one without an answer."""
    sent = [Sent("made", None, "acknowledged", 1), Sent("moved", MOVE, "acknowledged", 4)]
    sent += [Sent("late", MOVE, "refused"), Sent("lost", MOVE)]
    return Table("m_1", {}, sent, [Read(4, 4), Read(4, 7)])


def test_a_match_in_which_all_is_well() -> None:
    assert not list(faults(stored()))
    assert not list(broken_promises(table(), log()))


def gap(match: Stored) -> None:
    match.versions.remove(3)


def short(match: Stored) -> None:
    match.head += 1


def other_projection(match: Stored) -> None:
    match.projected = fold(HALL["tictactoe"].game, None, match.log[:-1])


def no_projection(match: Stored) -> None:
    match.projected = None


def old_row(match: Stored) -> None:
    match.row = b"an older row"


def no_row(match: Stored) -> None:
    match.row = None


def stands_still(match: Stored) -> None:
    match.folded = match.projected = fold(HALL["tictactoe"].game, None, match.log[:-1])


def backwards(match: Stored) -> None:
    match.log[3] = replace(match.log[3], at=-1)


def hasty(match: Stored) -> None:
    match.log[3] = replace(match.log[3], at=6)


@pytest.mark.parametrize(
    ("plant", "told"),
    [
        (gap, "its events are [1, 2, 4, 5, 6, 7]"),
        (short, "its head is 8"),
        (other_projection, "its projection is not"),
        (no_projection, "its projection is not"),
        (old_row, "its row in the lobby"),
        (no_row, "its row in the lobby"),
        (stands_still, "did not go on to its end: running"),
        (backwards, "event 4 is 1 ms older"),
        (hasty, "event 5 is a time-out after 59999 ms"),
    ],
)
def test_what_is_stored_wrongly_is_found(plant: Callable[[Stored], None], told: str) -> None:
    match = stored()
    plant(match)
    (fault,) = faults(match)
    assert told in fault


def lost(log: list[Envelope[Any]]) -> None:
    log[3] = replace(log[3], command="-")


def doubled(log: list[Envelope[Any]]) -> None:
    log[5] = replace(log[3])


def moved_elsewhere(log: list[Envelope[Any]]) -> None:
    log[3], log[5] = log[5], log[3]


def another_move(log: list[Envelope[Any]]) -> None:
    log[3] = replace(log[3], move=msgspec.Raw(b'{"type":"place","at":5}'))


def refused_and_done(log: list[Envelope[Any]]) -> None:
    log.append(replace(log[3], event=BoardFilled(), command="late"))


def done_twice_without_an_answer(log: list[Envelope[Any]]) -> None:
    log += [replace(log[3], event=BoardFilled(), command="lost")] * 2


def from_nobody(log: list[Envelope[Any]]) -> None:
    log[4] = replace(log[4], command="whose")


@pytest.mark.parametrize(
    ("plant", "told"),
    [
        (lost, "acknowledged at 4 and is in the log at []"),
        (doubled, "acknowledged at 4 and is in the log at [4, 6]"),
        (moved_elsewhere, "acknowledged at 4 and is in the log at [6]"),
        (another_move, "is in the log as {'type': 'place', 'at': 5}"),
        (refused_and_done, "was refused and is in the log at [8]"),
        (done_twice_without_an_answer, "is in the log at [8, 9]"),
        (from_nobody, "nobody has sent whose"),
    ],
)
def test_a_broken_promise_is_found(plant: Callable[[list[Envelope[Any]]], None], told: str) -> None:
    events = log()
    plant(events)
    (fault,) = broken_promises(table(), events)
    assert told in fault


def test_a_command_without_an_answer_may_be_there_once() -> None:
    events = log()
    events.append(replace(events[3], event=BoardFilled(), command="lost"))
    assert not list(broken_promises(table(), events))


def test_a_read_that_goes_back_is_found() -> None:
    asked = table()
    told = asked.told = 7
    asked.read(told, 6)
    (fault,) = broken_promises(asked, log())
    assert fault == "a read gave version 6 when 7 had been told"
    assert asked.told == 7
