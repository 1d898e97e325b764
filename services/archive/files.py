"""The archive's files.

    matches/<partition>/<id>-<hash>.jsonl.gz    a match, see `document.py`

The hash is of what is in the file, so a file proves itself whenever it is read, and nobody ever
writes over what another one means.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib

from services.archive import document
from services.files import FileStore
from shared.errors import Corrupt, Unavailable
from shared.ids import partition
from shared.whole_store import Whole

DIGITS = 14
"""Of SHA-256: so no place is longer than 64 bytes, up to which Redis keeps a tombstone in one piece
(measured: 192 bytes of memory; 384 with 16 digits)."""


class Archive:
    """Archived matches by place. Every method may raise `Unavailable` (`archive.unavailable`)."""

    def __init__(self, url: str) -> None:
        """Raises `SettingsError` for an address that nothing here can read."""
        self._files = FileStore(url, _unavailable)

    def write(self, match: str, data: bytes) -> str:
        """Keeps a match's document; its place."""
        place = _place(match, data)
        self._files.write(place, gzip.compress(data, mtime=0))
        return place

    def content(self, match: str, place: str) -> bytes:
        """The document of a match. Raises `Corrupt` where it is missing or not what was written."""
        try:
            data = gzip.decompress(self._files.read(place))
        except FileNotFoundError as missing:
            raise Corrupt(f"the file of {match} is not in the archive") from missing
        except (EOFError, OSError, zlib.error) as damaged:
            raise Corrupt(f"the file of {match} is damaged") from damaged
        if _place(match, data) != place:
            raise Corrupt(f"the file of {match} has other content than its name says")
        return data

    def read(self, match: str, place: str) -> Whole:
        """A match as it was archived. Raises `Corrupt`."""
        whole = document.read(self.content(match, place))
        if whole.match != match:
            raise Corrupt(f"the file of {match} is another match's")
        return whole

    def places(self, match: str) -> list[str]:
        """All files of a match: more than one where it was restored and changed in between."""
        return self._files.beginning(f"{_folder(match)}/{match}-")

    def remove(self, match: str, place: str | None) -> None:
        """Removes all files of a match; `place` is where it lies, if it is archived."""
        if place is None and not self._files.reachable():
            return  # nothing was ever archived
        for each in self.places(match):
            self._files.remove(each)


def _unavailable() -> Unavailable:
    return Unavailable("archive.unavailable", "The archive can't be reached now.")


def _folder(match: str) -> str:
    return f"matches/{partition(match)}"


def _place(match: str, data: bytes) -> str:
    digest = hashlib.sha256(data).hexdigest()[:DIGITS]
    return f"{_folder(match)}/{match}-{digest}.jsonl.gz"
