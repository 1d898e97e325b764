"""The form of a backup, `tycoon-backup/1`: JSON lines, each with its `type`.

`header`, then `match`, `series`, `deleted` and `key` lines, then `end`, which counts them and has
the SHA-256 of all lines before it: what was cut off or damaged is known before any of it is used.
Events stand in it byte for byte as they are stored.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Literal

import msgspec

from shared.keystore import StoredKey
from shared.series_store import WholeSeries
from shared.whole_store import Whole

FORMAT: Literal["tycoon-backup/1"] = "tycoon-backup/1"


class Damaged(Exception):
    """What is no whole backup; the sentence says why."""


class _Line(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    pass


class Header(_Line, frozen=True, kw_only=True, tag="header"):
    """`at` is when it was begun, ms since 1970; `server_key` a check value of the key that ids and
    tokens are derived from (`check_value`)."""

    format: Literal["tycoon-backup/1"]
    at: int
    build: str
    server_key: str


class MatchLine(_Line, frozen=True, kw_only=True, tag="match"):
    """A match as a whole; its events and thoughts stand beside it."""

    match: Whole
    events: tuple[msgspec.Raw, ...]
    thoughts: tuple[msgspec.Raw, ...]

    @classmethod
    def of(cls, whole: Whole) -> MatchLine:
        """The line of a match."""
        return cls(
            match=msgspec.structs.replace(whole, events=(), thoughts=()),
            events=tuple(map(_shown, whole.events)),
            thoughts=tuple(map(_shown, whole.thoughts)),
        )

    @property
    def whole(self) -> Whole:
        """The match."""
        events, thoughts = map(_stored, self.events), map(_stored, self.thoughts)
        return msgspec.structs.replace(self.match, events=tuple(events), thoughts=tuple(thoughts))


class SeriesLine(_Line, frozen=True, kw_only=True, tag="series"):
    series: WholeSeries


class DeletedLine(_Line, frozen=True, kw_only=True, tag="deleted"):
    """A series that was deleted a moment ago: its files may have to be removed once more."""

    series: str
    born: int


class KeyLine(_Line, frozen=True, kw_only=True, tag="key"):
    """An API key; the key itself is not in it."""

    key: StoredKey


class End(_Line, frozen=True, kw_only=True, tag="end"):
    """`counts`: lines by their type."""

    counts: Mapping[str, int]
    sha256: str


Content = MatchLine | SeriesLine | DeletedLine | KeyLine
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Header | Content | End).decode


class Writer:
    """Writes a backup's lines.

    Args:
        write: takes bytes.
    """

    def __init__(self, write: Callable[[bytes], Any], header: Header) -> None:
        self.counts: Counter[str] = Counter()
        self._write = write
        self._digest = hashlib.sha256()
        self._put(_encode(header) + b"\n")

    def add(self, line: Content) -> None:
        """Writes a line."""
        self.counts[_type(line)] += 1
        self._put(_encode(line) + b"\n")

    def end(self) -> None:
        """Writes the last line; without it there is no backup."""
        end = End(counts=dict(self.counts), sha256=self._digest.hexdigest())
        self._write(_encode(end) + b"\n")

    def _put(self, line: bytes) -> None:
        self._digest.update(line)
        self._write(line)


class Reader:
    """Reads a backup's lines: `header` at once, the others as they are asked for.

    Whoever has seen the last of `lines()` knows that the backup is whole, and has `counts`.
    """

    def __init__(self, lines: Iterable[bytes]) -> None:
        """Raises `Damaged` where it does not begin like a backup."""
        self.counts: Counter[str] = Counter()
        self._lines = iter(lines)
        self._digest = hashlib.sha256()
        first = next(self._lines, b"")
        _check_format(first)
        header = _read(first, "This is no backup of a Tycoon")
        if not isinstance(header, Header):
            raise Damaged("This is no backup of a Tycoon: its first line is no header.")
        self._digest.update(first)
        self.header = header

    def lines(self) -> Iterator[Content]:
        """All between header and end. Raises `Damaged`, at the latest after the last one."""
        for raw in self._lines:
            line = _read(raw, f"Line {self.counts.total() + 2} can't be read")
            match line:
                case End():
                    return self._check(line)
                case Header():
                    raise Damaged("A second header stands in it.")
            self._digest.update(raw)
            self.counts[_type(line)] += 1
            yield line
        raise Damaged("It breaks off: its last line is missing.")

    def _check(self, end: End) -> None:
        if end.sha256 != self._digest.hexdigest() or end.counts != self.counts:
            raise Damaged("It is damaged: what stands in it is not what was written.")
        if next(self._lines, None) is not None:
            raise Damaged("Something follows its last line.")


class _Form(msgspec.Struct):
    type: Literal["header"]
    format: str


def _check_format(first: bytes) -> None:
    """A backup of another release is told apart from what is none."""
    with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        form = msgspec.json.decode(first, type=_Form).format
        if form.startswith("tycoon-backup/") and form != FORMAT:
            raise Damaged(f"It has the form {form}; this build reads {FORMAT} alone.")


def _read(raw: bytes, wrong: str) -> Header | Content | End:
    try:
        line: Header | Content | End = _decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as unreadable:
        raise Damaged(f"{wrong}: {unreadable}.") from unreadable
    return line


def _type(line: Content) -> str:
    return str(type(line).__struct_config__.tag)


def _shown(stored: bytes) -> msgspec.Raw:
    """As it is, which is JSON; what can't stand in a line of JSON is kept too, as base64."""
    return msgspec.Raw(stored if _is_plain(stored) else _encode(stored))


def _stored(shown: msgspec.Raw) -> bytes:
    raw = bytes(shown)
    return msgspec.json.decode(raw, type=bytes) if raw.startswith(b'"') else raw


def _is_plain(stored: bytes) -> bool:
    """Whether it is an object or array on one line, with nothing around it."""
    if stored[:1] + stored[-1:] not in (b"{}", b"[]") or b"\n" in stored:
        return False
    try:
        msgspec.json.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True
