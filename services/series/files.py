"""The files of series.

    series/<folder>/rows/<chunk>-<hash>.jsonl.gz        one row a match of a finished chunk
    series/<folder>/matches/<number>-<digest>.jsonl.gz  a kept transcript

A name carries what is in the file, so two workers that do the same work write the same file, and
neither ever writes over what another one means. Equal content gives equal bytes. A series that has
the id of a deleted one has another folder.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator, Sequence

import msgspec

from services.files import FileStore
from services.series.rows import Row, json_lines
from shared.errors import Unavailable


def folder_of(series: str, born: int) -> str:
    """The folder of a series, by id and birth."""
    return f"{series}-{born}"


class Files:
    """Rows and transcripts under one address; `series` is a series' folder (`folder_of`).

    Every method may raise `Unavailable` (`series.files-unavailable`).
    """

    def __init__(self, url: str) -> None:
        """Raises `SettingsError` for an address that nothing here can read."""
        self._files = FileStore(url, _unavailable)

    def write_rows(self, series: str, chunk: int, rows: Sequence[Row]) -> str:
        """Writes the rows of a finished chunk; the file's name."""
        data = b"".join(json_lines(rows))
        name = f"{chunk:03d}-{hashlib.sha256(data).hexdigest()[:16]}.jsonl.gz"
        self._write(f"{_folder(series)}/rows/{name}", data)
        return name

    def rows(self, series: str, name: str) -> Iterator[Row]:
        """The rows of a finished chunk, in order."""
        lines = self._read(f"{_folder(series)}/rows/{name}").splitlines()
        return (msgspec.json.decode(line, type=Row) for line in lines)

    def write_transcript(
        self, series: str, match: int, digest: str, lines: Sequence[bytes]
    ) -> None:
        """Keeps the transcript of a match."""
        self._write(_transcript(series, match, digest), b"".join(lines))

    def transcript(self, series: str, match: int, digest: str) -> list[bytes]:
        """The lines of a kept transcript. Raises `FileNotFoundError` where it was not kept."""
        path = _transcript(series, match, digest)
        if not self._files.exists(path):
            raise FileNotFoundError(path)
        return self._read(path).splitlines(keepends=True)

    def remove(self, series: str) -> None:
        """Removes everything of a series, if anything is there."""
        self._files.remove(_folder(series))

    def _read(self, path: str) -> bytes:
        with self._files.refusals():
            return gzip.decompress(self._files.read(path))

    def _write(self, path: str, data: bytes) -> None:
        self._files.write(path, gzip.compress(data, mtime=0))


def _unavailable() -> Unavailable:
    return Unavailable("series.files-unavailable", "The files of series can't be reached now.")


def _folder(series: str) -> str:
    return f"series/{series}"


def _transcript(series: str, match: int, digest: str) -> str:
    return f"{_folder(series)}/matches/{match}-{digest[:16]}.jsonl.gz"
