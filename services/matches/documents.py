"""What queries answer: the wire forms of matches and events, each made for one caller."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Generic, TypeVar

import msgspec

from services.hosted import Hosted
from services.matches import lifecycle
from services.matches.events import Kind, MatchEvent, Reason, Visibility
from services.matches.state import AnyMatch, Status
from shared.envelope import Envelope
from shared.game import Event, Outcome
from shared.store import Person

V = TypeVar("V")
O_ = TypeVar("O_")
E = TypeVar("E")
M = TypeVar("M")
Seat = Annotated[int, msgspec.Meta(ge=0)]
Version = Annotated[int, msgspec.Meta(ge=0)]
Instant = Annotated[str, msgspec.Meta(extra_json_schema={"format": "date-time"})]


class SeatDoc(msgspec.Struct, frozen=True, kw_only=True):
    """A seat as everybody may see it. `level` is a bot's, or the stand-in's once `resigned`."""

    seat: Seat
    kind: Kind
    level: str | None
    resigned: bool
    name: str | None
    ref: str | None
    """The host's own reference; for the match's API key only."""


class ClockDoc(msgspec.Struct, frozen=True, kw_only=True):
    """Time for one move, in seconds."""

    per_move_s: Annotated[int, msgspec.Meta(ge=1)]


class ResultDoc(msgspec.Struct, frozen=True, kw_only=True):
    """How the match ended. `resigned` lists seats whose holder left before the end."""

    reason: Reason
    outcome: Outcome | None
    resigned: tuple[Seat, ...]


class MatchDoc(msgspec.Struct, Generic[O_, V], frozen=True, kw_only=True):
    """A match at a version, as one caller may see it."""

    id: str
    game: str
    rules: int
    status: Status
    version: Version
    options: O_
    seats: tuple[SeatDoc, ...]
    clock: ClockDoc | None
    pace_ms: int
    visibility: Visibility
    custom: bool
    imported: bool
    commitment: str
    created_at: Instant
    updated_at: Instant
    you: Seat | None
    """The caller's seat; `null` for a spectator."""
    active: tuple[Seat, ...]
    """Seats that must move now."""
    deadline: Instant | None
    """When the clock acts on the active seats."""
    view: V | None
    """The table as the caller's seat sees it; `null` before the start."""
    result: ResultDoc | None


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A place in the log as one caller may see it: `EventDoc` or `HiddenDoc`."""

    version: Version


class HiddenDoc(Shown, frozen=True, kw_only=True, tag="hidden", tag_field="type"):
    """An event that the caller may not see: its place in the log and nothing else."""


class EventDoc(Shown, Generic[E, M], frozen=True, kw_only=True, omit_defaults=True):
    """An event as one caller may see it. `type` repeats the event's own tag.

    `move` is there for its mover, `draws` for nobody, until the match is over.
    """

    type: str
    v: int
    at: Instant
    event: E
    seat: Seat | None = None
    move: M | None = None
    draws: tuple[tuple[str, int, Any], ...] | None = None


def instant(at: int) -> str:
    """RFC 3339 in UTC with milliseconds."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")[:-6] + "Z"


def match_doc(
    hosted: Hosted,
    match_id: str,
    match: AnyMatch,
    *,
    seat: int | None,
    people: Mapping[int, Person],
    refs: bool,
    view_as: int | None = None,
) -> MatchDoc[Any, Any]:
    """A match for a seat, or for a spectator.

    `refs` shows the host's references; `view_as` shows another seat's view (after the end).
    """
    deadline = None
    if match.clock_ms is not None and lifecycle.asked_people(hosted.game, match):
        deadline = instant(match.last_at + match.clock_ms)
    looking = seat if view_as is None else view_as
    return MatchDoc(
        id=match_id,
        game=match.game,
        rules=match.rules,
        status=match.status,
        version=match.version,
        options=hosted.full_options(match.options),
        seats=seat_docs(match, people, refs=refs),
        clock=None if match.clock_ms is None else ClockDoc(per_move_s=match.clock_ms // 1000),
        pace_ms=match.pace_ms,
        visibility=match.visibility,
        custom=match.custom,
        imported=match.imported,
        commitment=match.commitment,
        created_at=instant(match.created_at),
        updated_at=instant(match.last_at),
        you=seat,
        active=tuple(lifecycle.asked(hosted.game, match)),
        deadline=deadline,
        view=None if match.table is None else hosted.game.view(match.table, looking),
        result=result_doc(match),
    )


def seat_docs(match: AnyMatch, people: Mapping[int, Person], *, refs: bool) -> tuple[SeatDoc, ...]:
    """Every seat as everybody may see it; `refs` adds the host's references."""
    # At an earlier version a seat can be open that somebody has taken since.
    people = {s: p for s, p in people.items() if match.seats[s].kind != "open"}
    return tuple(
        SeatDoc(
            seat=seat,
            kind=holder.kind,
            level=holder.level,
            resigned=holder.resigned,
            name=people.get(seat, Person()).name,
            ref=people.get(seat, Person()).ref if refs else None,
        )
        for seat, holder in enumerate(match.seats)
    )


def result_doc(match: AnyMatch) -> ResultDoc | None:
    """How a match ended; `None` while it has not."""
    if match.result is None:
        return None
    resigned = tuple(seat for seat, holder in enumerate(match.seats) if holder.resigned)
    return ResultDoc(reason=match.result.reason, outcome=match.result.outcome, resigned=resigned)


def event_doc(
    hosted: Hosted,
    version: int,
    envelope: Envelope[Event],
    seat: int | None,
    status: Status,
) -> Shown:
    """An event as a seat or a spectator may see it; after the end everybody sees everything."""
    event: Event | None = envelope.event
    over = status == "ended"
    if not over and not isinstance(event, MatchEvent):
        event = hosted.game.redact(event, seat)
    if event is None:
        return HiddenDoc(version=version)
    mine = over or (seat is not None and seat == envelope.seat)
    return EventDoc(
        version=version,
        type=str(type(event).__struct_config__.tag),
        v=envelope.v,
        at=instant(envelope.at),
        event=event,
        seat=envelope.seat,
        move=_json(envelope.move) if mine else None,
        draws=_json(envelope.draws) if over else None,
    )


def _json(raw: msgspec.Raw | msgspec.UnsetType) -> Any:
    return msgspec.json.decode(raw) if isinstance(raw, msgspec.Raw) else None
