"""What can happen to a match around the game that is played in it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from shared.game import Event, Outcome

Kind = Literal["person", "agent", "bot", "open"]
Visibility = Literal["public", "unlisted", "private"]
Reason = Literal["completed", "resigned", "abandoned", "expired", "cancelled"]
Fault = Literal["raised", "stalled", "illegal"]


class MatchEvent(Event, frozen=True):
    """Base of the events that belong to the match and not to its game."""


Level = Annotated[str, msgspec.Meta(pattern="^[a-z0-9_-]{1,32}$")]
Hex64 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
"""A seed or a hash: 32 bytes as lower-case hex digits."""


class SeatPlan(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a seat is held when the match is created. `level` names a built-in bot's way to play."""

    kind: Kind
    level: Level | None = None
    client_seed: Hex64 | None = None


class Created(MatchEvent, frozen=True, tag="match.created", omit_defaults=True):
    """`options` holds only what differs from the game's defaults; a default never changes.

    `owner` is the id of the API key. `clock_ms` is the time for a move, `pace_ms` the pause
    before a built-in bot's move. `commitment` is SHA-256 of the seed (and of a custom script).
    """

    game: str
    options: dict[str, Any]
    seats: tuple[SeatPlan, ...]
    owner: str
    visibility: Visibility
    commitment: Hex64
    pace_ms: int
    clock_ms: int | None = None
    custom: bool = False
    imported: bool = False


class SeatJoined(MatchEvent, frozen=True, tag="match.seat_joined"):
    """An open seat was taken."""

    seat: int
    kind: Literal["person", "agent"]


class SeatLeft(MatchEvent, frozen=True, tag="match.seat_left"):
    """A seat became open again before the start."""

    seat: int


class ClientSeedGiven(MatchEvent, frozen=True, tag="match.client_seed_given"):
    """A seat added 64 hex digits of its own to every draw."""

    seat: int
    client_seed: Hex64


class SeatFilled(MatchEvent, frozen=True, tag="match.seat_filled"):
    """An open seat was given to a built-in bot at the start."""

    seat: int
    level: Level


class Started(MatchEvent, frozen=True, tag="match.started"):
    """All seats are held; client seeds are frozen; the game's own events follow."""


class SeatResigned(MatchEvent, frozen=True, tag="match.seat_resigned", omit_defaults=True):
    """The holder left for good. `stand_in` is the level of the bot that plays on, if one does."""

    seat: int
    cause: Literal["resigned", "absent"] = "resigned"
    stand_in: Level | None = None


class TimedOut(MatchEvent, frozen=True, tag="match.timed_out"):
    """A seat's time for its move ran out; what the clock does to it follows."""

    seat: int


class FaultRecorded(MatchEvent, frozen=True, tag="match.fault_recorded"):
    """A built-in bot failed; the default move that the clock would make follows."""

    seat: int
    fault: Fault


class Ended(MatchEvent, frozen=True, tag="match.ended", omit_defaults=True):
    """The last event. `seed` (64 hex digits) and `script` open the commitment."""

    reason: Reason
    seed: Hex64
    outcome: Outcome | None = None
    script: dict[str, Any] = {}


MATCH_EVENTS: tuple[type[Event], ...] = (
    Created,
    SeatJoined,
    SeatLeft,
    ClientSeedGiven,
    SeatFilled,
    Started,
    SeatResigned,
    TimedOut,
    FaultRecorded,
    Ended,
)
