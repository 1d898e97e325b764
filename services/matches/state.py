"""The aggregate: one match, folded from its events.

`apply` holds no rule: what a command may do is decided in `lifecycle.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, Literal, TypeVar

import msgspec

from services.matches.events import (
    ClientSeedGiven,
    Created,
    Ended,
    FaultRecorded,
    Kind,
    MatchEvent,
    Reason,
    SeatFilled,
    SeatJoined,
    SeatLeft,
    SeatResigned,
    Started,
    TimedOut,
    Visibility,
)
from shared.envelope import ABSENT, Envelope
from shared.errors import Corrupt
from shared.game import AnyGame, Event, Options, Outcome

S = TypeVar("S")
Status = Literal["waiting", "running", "ended"]
replace = msgspec.structs.replace


class Holder(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who holds a seat.

    `level` is a built-in bot's: of the seat itself, or of the stand-in once `resigned`.
    `missed` counts time-outs since the seat's last own move.
    """

    kind: Kind
    level: str | None = None
    client_seed: str | None = None
    resigned: bool = False
    missed: int = 0

    @property
    def built_in(self) -> bool:
        """Whether the server itself plays this seat."""
        return self.level is not None


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """How it ended. `outcome` is there for `completed` and `resigned`."""

    reason: Reason
    outcome: Outcome | None = None


class Match(msgspec.Struct, Generic[S], frozen=True, omit_defaults=True):
    """A match at a version. `table` is the game's state, from the start on."""

    version: int
    game: str
    rules: int
    options: dict[str, Any]
    seats: tuple[Holder, ...]
    owner: str
    visibility: Visibility
    commitment: str
    pace_ms: int
    created_at: int
    last_at: int
    status: Status = "waiting"
    clock_ms: int | None = None
    custom: bool = False
    imported: bool = False
    table: S | None = None
    result: Result | None = None
    seed: str | None = None
    script: dict[str, Any] = {}
    shown: int = 1
    """Version of the last event that changed what a list of matches shows."""


AnyMatch = Match[Any]


def options_of(game: AnyGame, match: AnyMatch) -> Options:
    """The match's options with every default filled in."""
    return msgspec.convert(match.options, game.options_type)  # type: ignore[no-any-return]  # any game


def fold(game: AnyGame, match: AnyMatch | None, envelopes: Iterable[Envelope[Event]]) -> AnyMatch:
    """A match after further events; `None` is before the first one.

    Raises:
        Corrupt: the first event is not `match.created`.
    """
    envelopes = iter(envelopes)
    if match is None:
        match = _created(next(envelopes))
    version, table, at, rules = match.version, match.table, match.last_at, match.rules
    for envelope in envelopes:
        version, at, rules = version + 1, envelope.at, envelope.rules or rules
        event, seat = envelope.event, envelope.seat
        if isinstance(event, MatchEvent):
            match = apply(game, replace(match, table=table, shown=version), event)
            table = match.table
            continue
        table = game.evolve(table, event)
        if seat is not None and match.seats[seat].missed and envelope.move is not ABSENT:
            match = _seat(match, seat, missed=0)
    return replace(match, version=version, table=table, last_at=at, rules=rules)


def _created(envelope: Envelope[Event]) -> AnyMatch:
    event = envelope.event
    if not isinstance(event, Created):
        raise Corrupt("a match must begin with match.created")
    return Match(
        version=1,
        game=event.game,
        rules=envelope.rules or 0,
        options=event.options,
        seats=tuple(Holder(p.kind, p.level, p.client_seed) for p in event.seats),
        owner=event.owner,
        visibility=event.visibility,
        commitment=event.commitment,
        pace_ms=event.pace_ms,
        created_at=envelope.at,
        last_at=envelope.at,
        clock_ms=event.clock_ms,
        custom=event.custom,
        imported=event.imported,
    )


def apply(game: AnyGame, match: AnyMatch, event: Event) -> AnyMatch:
    """Folds one event of the match itself."""
    match event:
        case SeatJoined(seat, kind):
            return _seat(match, seat, kind=kind)
        case SeatLeft(seat):
            return _seat(match, seat, kind="open", client_seed=None)
        case ClientSeedGiven(seat, client_seed):
            return _seat(match, seat, client_seed=client_seed)
        case SeatFilled(seat, level):
            return _seat(match, seat, kind="bot", level=level)
        case Started():
            table = game.initial(options_of(game, match), len(match.seats))
            return replace(match, status="running", table=table)
        case SeatResigned(seat, _, stand_in):
            return _seat(match, seat, resigned=True, level=stand_in)
        case TimedOut(seat):
            return _seat(match, seat, missed=match.seats[seat].missed + 1)
        case FaultRecorded():
            return match
        case Ended(reason, seed, outcome, script):
            result = Result(reason, outcome)
            return replace(match, status="ended", result=result, seed=seed, script=script)
    raise Corrupt(f"{type(event).__name__} is no event of a match")


def _seat(match: AnyMatch, seat: int, **changes: Any) -> AnyMatch:
    held = replace(match.seats[seat], **changes)
    return replace(match, seats=(*match.seats[:seat], held, *match.seats[seat + 1 :]))
