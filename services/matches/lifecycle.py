"""What a command may do to a match: pure decisions, from a match to events or a refusal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from services.matches.events import (
    ClientSeedGiven,
    Ended,
    Reason,
    SeatFilled,
    SeatJoined,
    SeatLeft,
    SeatResigned,
    Started,
    TimedOut,
)
from services.matches.state import AnyMatch, Holder, apply
from shared.chance import Chance
from shared.errors import Conflict, NotFound
from shared.game import AnyGame, Event, Move, Outcome
from shared.store import Secret

ABSENT_AFTER = 5
"""So many time-outs in a row, and a stand-in takes the seat (DF-13.1: "after a longer absence")."""


WAITING_LIMIT = 500
"""Events before the start: coming and going must not use up a match's log."""


def must_wait(match: AnyMatch) -> None:
    """Refuses what is possible before the start only."""
    if match.status != "waiting":
        raise Conflict("match.already-started", "The match has begun.", version=match.version)


def must_run(match: AnyMatch) -> None:
    """Refuses what is possible while the match runs only."""
    if match.status == "ended":
        raise Conflict("match.over", "The match is over.", version=match.version)
    if match.status == "waiting":
        raise Conflict("match.not-started", "The match has not begun.", version=match.version)


def must_not_have_left(match: AnyMatch, seat: int) -> None:
    """Refuses who resigned: a stand-in plays on, and the seat is not theirs any more."""
    if match.status == "running" and match.seats[seat].resigned:
        raise Conflict("seat.resigned", "This seat has resigned.", version=match.version)


def looks_as(match: AnyMatch, seat: int | None) -> int | None:
    """Whose view a seat's holder gets: until the end, who left sees what spectators see."""
    left = seat is not None and match.seats[seat].resigned and match.status == "running"
    return None if left else seat


def held(match: AnyMatch, seat: int) -> Holder:
    """A seat's holder. Raises `NotFound` where there is no such seat."""
    if not 0 <= seat < len(match.seats):
        raise NotFound("seat.unknown", f"This match has the seats 0 to {len(match.seats) - 1}.")
    return match.seats[seat]


def join(
    match: AnyMatch, seat: int, kind: Literal["person", "agent"], client_seed: str | None
) -> list[Event]:
    """Takes an open seat."""
    must_wait(match)
    _must_have_room(match)
    if held(match, seat).kind != "open":
        raise Conflict("seat.taken", f"Seat {seat} is taken.", version=match.version)
    events: list[Event] = [SeatJoined(seat, kind)]
    if client_seed is not None:
        events.append(ClientSeedGiven(seat, client_seed))
    return events


def leave(match: AnyMatch, seat: int) -> list[Event]:
    """Gives a seat back before the start."""
    must_wait(match)
    _must_have_room(match)
    return [SeatLeft(seat)]


def give_client_seed(match: AnyMatch, seat: int, client_seed: str) -> list[Event]:
    """Adds a seat's own seed to every draw; until the start only."""
    must_wait(match)
    _must_have_room(match)
    return [ClientSeedGiven(seat, client_seed)]


def _must_have_room(match: AnyMatch) -> None:
    if match.version >= WAITING_LIMIT:
        raise Conflict(
            "match.too-restless", "Too much has happened before the start.", version=match.version
        )


def start(game: AnyGame, match: AnyMatch, chance: Chance, fill: str | None) -> list[Event]:
    """Fills open seats with bots where asked, and opens the game."""
    must_wait(match)
    empty = [seat for seat, holder in enumerate(match.seats) if holder.kind == "open"]
    if empty and fill is None:
        raise Conflict("match.seats-open", f"Seats are still open: {empty}.", version=match.version)
    events: list[Event] = [SeatFilled(seat, fill or "") for seat in empty]
    events.append(Started())
    for event in events:
        match = apply(game, match, event)
    return [*events, *game.open(match.table, chance)]


def must_be_asked(game: AnyGame, match: AnyMatch, seat: int) -> None:
    """Refuses a move of a seat that is not asked for one."""
    must_run(match)
    if seat not in game.active_seats(match.table):
        raise Conflict("move.not-your-turn", "It is not your turn.", version=match.version)


def move(game: AnyGame, match: AnyMatch, seat: int, asked: Move, chance: Chance) -> list[Event]:
    """A seat's move by the game's rules."""
    must_be_asked(game, match, seat)
    return list(game.decide(match.table, seat, asked, chance))


def resign(
    match: AnyMatch, seat: int, cause: Literal["resigned", "absent"], stand_in: str
) -> list[Event]:
    """The holder leaves a running match; where others still care, a `stand_in` plays on."""
    must_run(match)
    if held(match, seat).resigned:
        raise Conflict("seat.resigned", "This seat has resigned.", version=match.version)
    others = [i for i, h in enumerate(match.seats) if i != seat and not h.resigned]
    outcome = outcome_of_resignation(match, seat)
    if outcome is not None:
        return [SeatResigned(seat, cause), _end("resigned", outcome)]
    if not any(match.seats[i].kind in ("person", "agent") for i in others):
        return [SeatResigned(seat, cause), _end("abandoned")]
    return [SeatResigned(seat, cause, stand_in=stand_in)]


def outcome_of_resignation(match: AnyMatch, seat: int) -> Outcome | None:
    """In a two-seat match the other wins; with more seats a resignation decides nothing."""
    if len(match.seats) != 2:
        return None
    other = 1 - seat
    scores = tuple(int(i == other) for i in range(2))
    return Outcome(((other,), (seat,)), scores, "resigned")


def time_out(
    game: AnyGame, match: AnyMatch, seat: int, chance: Chance, stand_in: str
) -> list[Event]:
    """The clock acts on one seat that is asked and has not answered in time."""
    must_be_asked(game, match, seat)
    if match.seats[seat].missed + 1 >= ABSENT_AFTER:
        return [TimedOut(seat), *resign(match, seat, "absent", stand_in)]
    return [TimedOut(seat), *game.time_out(match.table, seat, chance)]


def cancel(match: AnyMatch) -> list[Event]:
    """The API key that created the match ends it."""
    if match.status == "ended":
        raise Conflict("match.over", "The match is over.", version=match.version)
    return [_end("cancelled")]


def expire() -> list[Event]:
    """Not started in time, no move for long, or too long a log."""
    return [_end("expired")]


def conclude(game: AnyGame, match: AnyMatch, events_limit: int) -> list[Event]:
    """What ends a match after a command's events: the game's outcome, or the log's limit."""
    if match.status != "running":
        return []
    outcome = game.outcome(match.table)
    if outcome is not None:
        return [_end("completed", outcome)]
    return expire() if match.version >= events_limit else []


def _end(reason: Reason, outcome: Outcome | None = None) -> Ended:
    return Ended(reason, seed="", outcome=outcome)


def reveal(events: Sequence[Event], secret: Secret) -> list[Event]:
    """Puts seed and script into the last event of a match; no other event ever has them."""
    return [
        Ended(event.reason, secret.seed, event.outcome, dict(secret.script))
        if isinstance(event, Ended)
        else event
        for event in events
    ]


def due_at(game: AnyGame, match: AnyMatch, waiting_ms: int, idle_ms: int) -> int | None:
    """When the clock must look at this match again, ms since 1970."""
    if match.status == "ended":
        return None
    if match.status == "waiting":
        return match.created_at + waiting_ms
    if match.clock_ms is None or not asked_people(game, match):
        return match.last_at + idle_ms
    return match.last_at + min(match.clock_ms, idle_ms)


def asked_people(game: AnyGame, match: AnyMatch) -> list[int]:
    """Seats that must act and that the server does not play itself."""
    return [s for s in asked(game, match) if not match.seats[s].built_in]


def asked_bots(game: AnyGame, match: AnyMatch) -> list[int]:
    """Seats that must act and that the server plays itself."""
    return [s for s in asked(game, match) if match.seats[s].built_in]


def asked(game: AnyGame, match: AnyMatch) -> list[int]:
    """Seats that must act, in order."""
    return sorted(game.active_seats(match.table)) if match.status == "running" else []


def must_be_personal(match: AnyMatch, seat: int) -> None:
    """Refuses what concerns only seats that a person or an agent holds."""
    holder = held(match, seat)
    if holder.kind not in ("person", "agent") or holder.resigned:
        raise Conflict(
            "seat.nobody-there", "No person or agent holds this seat.", version=match.version
        )
