"""A game made ready to be hosted: its rules with the codecs of its events, moves and snapshots."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

import msgspec

from services.matches.events import MATCH_EVENTS
from services.matches.state import AnyMatch, Match
from shared.envelope import Codec, Envelope
from shared.errors import Malformed, NotFound, Unprocessable
from shared.game import AnyGame, Event, Move, Options

SNAPSHOT_SCHEMA = 1
"""Raised whenever a state has another shape, or a fold gives something else in the same one.

It is kept beside every projection: while two builds run, the older one leaves alone what the newer
one wrote. `tests/golden/shapes.json` remembers the shapes that it stands for.
"""


class _Stored(msgspec.Struct, frozen=True):
    schema: int
    shape: str
    match: msgspec.Raw


def union_of(types: Sequence[Any]) -> Any:
    """The union of some types."""
    return reduce(lambda a, b: a | b, types)


class Hosted:
    """One game and how its matches are written and read."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.codec = Codec((*MATCH_EVENTS, *game.event_types), game.upcasters)
        self._moves = union_of(game.move_types)
        self._match = Match[game.state_type]  # type: ignore[name-defined]  # made at run time
        self._snapshots: msgspec.json.Decoder[AnyMatch] = msgspec.json.Decoder(self._match)
        described = _undescribed(msgspec.json.schema(self._match))
        encoded = msgspec.json.encode(described, order="deterministic")
        self.shape = hashlib.sha256(encoded).hexdigest()[:12]

    def read(self, stored: Iterable[bytes]) -> list[Envelope[Event]]:
        """Decodes stored events. Raises `Corrupt`."""
        return [self.codec.decode(raw) for raw in stored]

    def read_move(self, given: Any) -> Move:
        """A move from JSON values. Raises `Malformed` with pointers."""
        move: Move = convert(given, self._moves, "/move")
        return move

    def read_options(self, given: Mapping[str, Any]) -> Options:
        """Options with defaults filled in. Raises `Malformed` with pointers."""
        options: Options = convert(given, self.game.options_type, "/options")
        return options

    def full_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Options with their defaults: what the log omits is shown to people."""
        options = self.read_options(given)
        return {
            name: msgspec.to_builtins(getattr(options, name)) for name in options.__struct_fields__
        }

    def write_snapshot(self, match: AnyMatch) -> bytes:
        """The match-state projection as it is stored."""
        raw = msgspec.Raw(msgspec.json.encode(match))
        return msgspec.json.encode(_Stored(SNAPSHOT_SCHEMA, self.shape, raw))

    def read_snapshot(self, data: bytes) -> AnyMatch | None:
        """A stored projection; `None` for one of another schema, or damaged: fold the log then."""
        try:
            stored = msgspec.json.decode(data, type=_Stored)
            if (stored.schema, stored.shape) != (SNAPSHOT_SCHEMA, self.shape):
                return None
            return self._snapshots.decode(stored.match)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None

    def is_foreign(self, data: bytes) -> bool:
        """Whether a stored projection says of itself that it has another schema or shape."""
        try:
            stored = msgspec.json.decode(data, type=_Stored)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return False
        return (stored.schema, stored.shape) != (SNAPSHOT_SCHEMA, self.shape)


def _undescribed(schema: Any) -> Any:
    """A JSON schema without what is said to people: a docstring changes no shape."""
    if isinstance(schema, dict):
        # A field of that name is described by another schema, not by a text.
        kept = {k: v for k, v in schema.items() if k != "description" or not isinstance(v, str)}
        return {k: _undescribed(v) for k, v in kept.items()}
    return [_undescribed(each) for each in schema] if isinstance(schema, list) else schema


class Hall:
    """Every game that this server hosts, by slug."""

    def __init__(self, games: Iterable[AnyGame]) -> None:
        self._hosted = {game.slug: Hosted(game) for game in games}

    def __iter__(self) -> Any:
        return iter(self._hosted.values())

    def __getitem__(self, slug: str) -> Hosted:
        """Raises `NotFound` for an unknown game."""
        hosted = self._hosted.get(slug)
        if hosted is None:
            raise NotFound("game.unknown", f"There is no game {slug!r} here.")
        return hosted

    def chosen(self, slug: str) -> Hosted:
        """A game named in a command's body. Raises `Unprocessable` for an unknown one."""
        hosted = self._hosted.get(slug)
        if hosted is None:
            raise Unprocessable("match.unknown-game", f"There is no game {slug!r} here.")
        return hosted


def convert(given: Any, wanted: Any, at: str) -> Any:
    """Checks JSON values against a type.

    Raises:
        Malformed: with `errors`, a list of `{pointer, detail}` (RFC 6901, RFC 9457).
    """
    try:
        return msgspec.convert(given, wanted)
    except msgspec.ValidationError as wrong:
        detail, _, path = str(wrong).partition(" - at `")
        pointer = at + path.rstrip("`").removeprefix("$").replace("[", "/").replace(
            "]", ""
        ).replace(".", "/")
        raise Malformed(
            "request.invalid",
            "The request does not fit its schema.",
            errors=[{"pointer": pointer, "detail": detail}],
        ) from wrong
