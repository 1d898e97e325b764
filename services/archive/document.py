"""A match as it lies in the archive: `tycoon-archive/1`, JSON lines.

The first line is a header with what no transcript has; after it comes the match's transcript, just
as it is exported. No name is in it, so that names can be erased and a file never changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from shared.errors import Corrupt
from shared.store import CommandRecord, Secret
from shared.whole_store import Whole

FORMAT: Literal["tycoon-archive/1"] = "tycoon-archive/1"


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line. `head` is the number of events, `commands` has records by id."""

    format: Literal["tycoon-archive/1"]
    match: str
    game: str
    head: int
    ended_at: int
    epochs: Mapping[int, int]
    commands: Mapping[str, CommandRecord]
    thoughts: tuple[msgspec.Raw, ...]


_header = msgspec.json.Decoder(Header).decode
_secret = msgspec.json.Decoder(Secret).decode


def archived(whole: Whole) -> Whole:
    """What of a match that is over goes into the archive."""
    return msgspec.structs.replace(whole, people={}, due=None, erasures=0)


def write(whole: Whole, transcript: Iterable[bytes]) -> bytes:
    """A match that is over, with its transcript's lines; equal bytes for an equal match."""
    header = Header(
        format=FORMAT,
        match=whole.match,
        game=whole.game,
        head=whole.head,
        ended_at=whole.ended_at or 0,
        epochs=dict(sorted(whole.epochs.items())),
        commands=dict(sorted(whole.commands.items())),
        thoughts=tuple(map(msgspec.Raw, whole.thoughts)),
    )
    return b"".join((msgspec.json.encode(header), b"\n", *transcript))


def read(data: bytes) -> Whole:
    """A match as it was archived. Nothing is folded. Raises `Corrupt`."""
    try:
        first, _, *lines, last, nothing = data.split(b"\n")
        header, secret = _header(first), _secret(last)
    except ValueError as broken:  # msgspec's errors are of these
        raise Corrupt("this is no archived match") from broken
    if nothing or len(lines) != header.head:
        raise Corrupt(f"an archived match does not have {header.head} events")
    return Whole(
        match=header.match,
        game=header.game,
        status="ended",
        head=header.head,
        epochs=header.epochs,
        events=tuple(_event(line, version) for version, line in enumerate(lines, 1)),
        commands=header.commands,
        secret=secret,
        thoughts=tuple(map(bytes, header.thoughts)),
        ended_at=header.ended_at,
    )


def _event(line: bytes, version: int) -> bytes:
    """An event as it was stored, from its line of the transcript."""
    prefix = b'{"version":%d,' % version
    if not line.startswith(prefix):
        raise Corrupt(f"version {version} must come here")
    return b"{" + line.removeprefix(prefix)
