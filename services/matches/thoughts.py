"""How long built-in bots thought, and why they moved so: kept beside a match until it is over.

None of it is an event: a match's log is the same however fast a machine is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

import msgspec

from services.matches.documents import Seat, Version
from services.matches.events import Fault
from services.matches.state import AnyMatch
from shared.errors import Corrupt
from shared.game import Move, Thought

M = TypeVar("M")

_encode = msgspec.json.Encoder().encode


class Answer(msgspec.Struct, frozen=True):
    """What a built-in bot said: its move, or its last fault.

    `took_us` is the time it took, in microseconds; `thought` has its reasons, where it told any.
    """

    move: Move | Fault
    took_us: int = 0
    thought: Thought | None = None


class ConsideredDoc(msgspec.Struct, Generic[M], frozen=True, kw_only=True):
    """A move that a search looked at: how often, and its value for the seat, 0 to 1000."""

    move: M
    visits: int
    value: int


class ThoughtDoc(msgspec.Struct, Generic[M], frozen=True, kw_only=True):
    """How a built-in bot came to a move.

    `version` is the first that the move wrote, or the fault where the bot failed; `level` is the
    bot's. `iterations` is there for a search; `leading` has what it looked at most, its choice
    first.
    """

    version: Version
    seat: Seat
    level: str
    took_ms: float
    iterations: int | msgspec.UnsetType = msgspec.UNSET
    leading: tuple[ConsideredDoc[M], ...]


class ThoughtsDoc(msgspec.Struct, Generic[M], frozen=True, kw_only=True):
    """A page of thoughts, in the order of their moves. `as_of` is the match's last version."""

    items: tuple[ThoughtDoc[M], ...]
    next: str | None
    as_of: Version


class _Kept(msgspec.Struct, frozen=True, array_like=True):
    """A thought as it is stored; a level without reasons leaves out the last two."""

    version: int
    seat: int
    took_us: int
    iterations: int | None = None
    leading: tuple[tuple[Any, int, int], ...] = ()


_read = msgspec.json.Decoder(_Kept).decode


def write(version: int, seat: int, answer: Answer) -> bytes:
    """A thought as it is stored; `version` is the first that its move writes."""
    thought = answer.thought
    if thought is None:
        return b"[%d,%d,%d]" % (version, seat, answer.took_us)
    leading = tuple((one.move, one.visits, one.value) for one in thought.leading)
    return _encode(_Kept(version, seat, answer.took_us, thought.iterations, leading))


def read(match: AnyMatch, stored: Iterable[bytes]) -> tuple[ThoughtDoc[Any], ...]:
    """Kept thoughts of a match as they are shown. Raises `Corrupt`."""
    try:
        return tuple(_doc(match, _read(raw)) for raw in stored)
    except (msgspec.DecodeError, IndexError) as damaged:
        raise Corrupt("a kept thought can't be read") from damaged


def considered(leading: Iterable[tuple[Any, int, int]]) -> tuple[ConsideredDoc[Any], ...]:
    """Reasons as they are shown."""
    return tuple(ConsideredDoc(move=m, visits=n, value=value) for m, n, value in leading)


def _doc(match: AnyMatch, kept: _Kept) -> ThoughtDoc[Any]:
    return ThoughtDoc(
        version=kept.version,
        seat=kept.seat,
        level=match.seats[kept.seat].level or "",
        took_ms=kept.took_us / 1000,
        iterations=msgspec.UNSET if kept.iterations is None else kept.iterations,
        leading=considered(kept.leading),
    )
