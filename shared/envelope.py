"""What is stored for one event, and how it is read again in ten years.

Neither match nor version is stored: the key and the stream id say them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any, Generic, TypeVar

import msgspec

from shared.errors import Corrupt, Newer
from shared.game import Event

E = TypeVar("E", bound=Event)
Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
Absent = msgspec.UnsetType
ABSENT = msgspec.UNSET


class Envelope(msgspec.Struct, Generic[E], frozen=True, omit_defaults=True):
    """One stored event.

    Attributes:
        event: the fact, with its type tag.
        v: schema of the event's type.
        at: when it was appended, integer ms since 1970; never runs backwards in a match.
        seat: who caused it; absent where nobody at the table did.
        command: hash that names the command; on a command's first event.
        move: what was asked, as JSON; on a move's first event.
        draws: label, n and result of each draw, as JSON; on a command's first event.
        rules: the game's rules number; on the first event, and on the first under another number.
    """

    event: E
    v: int
    at: int
    seat: int | None = None
    command: str | None = None
    move: msgspec.Raw | Absent = ABSENT
    draws: msgspec.Raw | Absent = ABSENT
    rules: int | None = None


class Codec:
    """Reads and writes the envelopes of one game's matches."""

    def __init__(
        self,
        event_types: Sequence[type[Event]],
        upcasters: Mapping[tuple[str, int], Upcaster],
    ) -> None:
        union = reduce(lambda a, b: a | b, event_types)  # type: ignore[arg-type,return-value]  # a union is built from its members
        self._decoder: msgspec.json.Decoder[Envelope[Event]] = msgspec.json.Decoder(Envelope[union])  # type: ignore[valid-type]  # the union is made at run time
        as_stored: Any = Envelope[dict[str, Any]]  # type: ignore[type-var]  # before upcasting
        self._untyped: msgspec.json.Decoder[Envelope[Any]] = msgspec.json.Decoder(as_stored)
        self._union = union
        self._upcasters = upcasters
        self._current = {str(t.__struct_config__.tag): t.v for t in event_types}
        self.encode = msgspec.json.Encoder().encode

    def decode(self, stored: bytes) -> Envelope[Event]:
        """Reads one stored event: one typed decode, through upcasters only for an old schema.

        Raises:
            Newer: the type or its schema is not known to this build yet.
            Corrupt: the bytes do not fit, or an upcaster is missing.
        """
        try:
            envelope = self._decoder.decode(stored)
        except msgspec.ValidationError:
            return self._upcast(stored)
        except msgspec.DecodeError as broken:
            raise Corrupt(f"an event is not JSON: {broken}") from broken
        if envelope.v == type(envelope.event).v:
            return envelope
        return self._upcast(stored)

    def _upcast(self, stored: bytes) -> Envelope[Event]:
        """Only the event changes; `move` and `draws` stay the bytes that were stored."""
        try:
            old = self._untyped.decode(stored)
        except msgspec.DecodeError as broken:
            raise Corrupt(f"a stored event is no envelope: {broken}") from broken
        event, v, tag = old.event, old.v, old.event.get("type")
        if not isinstance(tag, str):
            raise Corrupt("a stored event has no event type")
        current = self._current.get(tag)
        if current is None:
            raise Newer(f"this build knows no event type {tag!r}")
        if v > current:
            raise Newer(f"this build knows {tag} up to schema {current}, not {v}")
        while v < current:
            step = self._upcasters.get((tag, v))
            if step is None:
                raise Corrupt(f"no upcaster for {tag} schema {v}")
            event, v = step(event) | {"type": tag}, v + 1
        try:
            return msgspec.structs.replace(old, event=msgspec.convert(event, self._union), v=v)
        except msgspec.ValidationError as broken:
            raise Corrupt(f"a stored {tag} does not fit its schema: {broken}") from broken
