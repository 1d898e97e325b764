"""A finished match as a file: JSON lines, `tycoon-match/1`, readable by every later release.

Line 1 is the header; then one line per event as stored, with its version; the last line is the
outcome with the revealed seed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from services.hosted import Hall, Hosted
from services.matches.events import Created, Ended
from services.matches.possible import check_possible
from services.matches.state import AnyMatch, Result, fold
from shared.envelope import Envelope
from shared.errors import Conflict, Corrupt, Malformed
from shared.game import Event

_COMMAND = re.compile("-|[0-9a-f]{32}")

FORMAT: Literal["tycoon-match/1"] = "tycoon-match/1"


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line. `options` are complete; `seats` says how each was held at the beginning."""

    format: Literal["tycoon-match/1"]
    game: str
    rules: int
    options: dict[str, Any]
    seats: tuple[dict[str, Any], ...]
    commitment: str


class Last(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The last line. `script` is a custom match's."""

    result: Result
    seed: str
    script: dict[str, Any] = {}


class _Line(msgspec.Struct, frozen=True):
    version: int


class Transcript(msgspec.Struct, frozen=True):
    """A transcript that has been read and folded."""

    header: Header
    stored: tuple[bytes, ...]
    envelopes: tuple[Envelope[Event], ...]
    match: AnyMatch
    last: Last


def must_be_over(match: AnyMatch) -> None:
    """Refuses what would show hidden things while the match runs."""
    if match.status != "ended":
        raise Conflict("match.not-over", "The match is not over yet.", version=match.version)


def write(hosted: Hosted, match: AnyMatch, stored: Sequence[bytes]) -> Iterator[bytes]:
    """The lines of a finished match's transcript, each with its line end."""
    must_be_over(match)
    created = hosted.codec.decode(stored[0]).event
    if not isinstance(created, Created):
        raise Corrupt("a match must begin with match.created")
    header = Header(
        format=FORMAT,
        game=match.game,
        rules=match.rules,
        options=hosted.full_options(match.options),
        seats=tuple(msgspec.to_builtins(plan) for plan in created.seats),
        commitment=match.commitment,
    )
    yield msgspec.json.encode(header) + b"\n"
    for version, raw in enumerate(stored, 1):
        yield b'{"version":%d,' % version + raw.removeprefix(b"{") + b"\n"
    if match.result is None or match.seed is None:
        raise Corrupt("an ended match has a result and a seed")
    last = Last(result=match.result, seed=match.seed, script=match.script)
    yield msgspec.json.encode(last) + b"\n"


def read(hall: Hall, data: bytes) -> Transcript:
    """Reads and folds a transcript.

    Raises:
        Malformed: it is no complete transcript, or its parts do not fit together.
        NotFound: of a game that is not hosted here.
    """
    lines = [line for line in data.split(b"\n") if line.strip()]
    if len(lines) < 3:
        raise _bad("a transcript has a header, events and an outcome", len(lines))
    header = _line(lines[0], Header, 1)
    hosted = hall[header.game]
    stored = tuple(_event(line, number) for number, line in enumerate(lines[1:-1], 1))
    last = _line(lines[-1], Last, len(lines))
    try:
        envelopes = tuple(hosted.read(stored))
        check_possible(hosted, envelopes)
        match = fold(hosted.game, None, envelopes)
    except (Corrupt, StopIteration, LookupError, TypeError, ValueError, AttributeError) as broken:
        # Events of a file need not fit together: whatever folding stumbles over, the file is bad.
        raise _bad(f"its events do not fold: {broken}", 2) from broken
    _check_form(hosted, stored, envelopes)
    _check(header, match, envelopes, last)
    return Transcript(header, stored, envelopes, match, last)


def _check_form(
    hosted: Hosted, stored: Sequence[bytes], envelopes: Sequence[Envelope[Event]]
) -> None:
    """Nothing may stand in an event but what this format knows: no free text gets in that way."""
    for number, (raw, envelope) in enumerate(zip(stored, envelopes, strict=True), 2):
        current = _line(raw, dict, number).get("v") == envelope.event.v
        if current and hosted.codec.encode(envelope) != raw:
            raise _bad("it has what no such event has, or is written otherwise", number)
        if envelope.command is not None and not _COMMAND.fullmatch(envelope.command):
            raise _bad("that is no command's hash", number)


def _check(
    header: Header, match: AnyMatch, envelopes: Sequence[Envelope[Event]], last: Last
) -> None:
    if any(isinstance(e.event, Ended) for e in envelopes[:-1]) or match.status != "ended":
        raise _bad("match.ended must be the last event and only there", len(envelopes))
    if (header.game, header.commitment) != (match.game, match.commitment):
        raise _bad("the header speaks of another match", 1)
    if last.seed != match.seed or last.result != match.result:
        raise _bad("the last line speaks of another match", len(envelopes) + 2)
    times = [envelope.at for envelope in envelopes]
    if times != sorted(times):
        raise _bad("time runs backwards", 2)


def _event(line: bytes, number: int) -> bytes:
    version = _line(line, _Line, number + 1).version
    prefix = b'{"version":%d,' % version
    if version != number or not line.startswith(prefix):
        raise _bad(f"version {number} must come here", number + 1)
    return b"{" + line.removeprefix(prefix)


def _line(line: bytes, wanted: Any, number: int) -> Any:
    try:
        return msgspec.json.decode(line, type=wanted)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise _bad(str(wrong), number) from wrong


def _bad(detail: str, line: int) -> Malformed:
    return Malformed(
        "match.bad-transcript", f"This is no valid transcript: line {line}: {detail}.", line=line
    )
