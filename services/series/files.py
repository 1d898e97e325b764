"""The files of series, in a folder or an object store (fsspec).

    series/<folder>/rows/<chunk>-<hash>.jsonl.gz        one row a match of a finished chunk
    series/<folder>/matches/<number>-<digest>.jsonl.gz  a kept transcript
    unfinished/                                         files that are being written, in a folder

A name carries what is in the file, so two workers that do the same work write the same file, and
neither ever writes over what another one means. Equal content gives equal bytes. A series that has
the id of a deleted one has another folder.
"""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

import fsspec
import msgspec
from fsspec.implementations.local import LocalFileSystem

from services.series.rows import Row, json_lines
from shared.errors import Unavailable
from shared.settings import Settings, SettingsError

OLD_S = 3_600
"""A file that is unfinished for so long was left by a process that was killed."""


def folder_of(series: str, born: int) -> str:
    """The folder of a series, by id and birth."""
    return f"{series}-{born}"


def archive_url(settings: Settings) -> str:
    """Where the files are kept: by default a folder beside the other data."""
    return settings.archive_url or str(Path(settings.data_dir).absolute() / "archive")


class Files:
    """Rows and transcripts under one address; `series` is a series' folder (`folder_of`).

    Every method may raise `Unavailable` (`series.files-unavailable`).
    """

    def __init__(self, url: str) -> None:
        """Raises `SettingsError` for an address that nothing here can read."""
        try:
            self._fs, root = fsspec.url_to_fs(url)
        except (ImportError, ValueError) as wrong:
            raise SettingsError(f"TYCOON_ARCHIVE_URL can't be used: {wrong}.") from wrong
        self._root = root.rstrip("/")
        self._cleaned = False

    def write_rows(self, series: str, chunk: int, rows: Sequence[Row]) -> str:
        """Writes the rows of a finished chunk; the file's name."""
        data = b"".join(json_lines(rows))
        name = f"{chunk:03d}-{hashlib.sha256(data).hexdigest()[:16]}.jsonl.gz"
        self._write(f"{self._folder(series)}/rows/{name}", data)
        return name

    def rows(self, series: str, name: str) -> Iterator[Row]:
        """The rows of a finished chunk, in order."""
        lines = self._read(f"{self._folder(series)}/rows/{name}").splitlines()
        return (msgspec.json.decode(line, type=Row) for line in lines)

    def write_transcript(
        self, series: str, match: int, digest: str, lines: Sequence[bytes]
    ) -> None:
        """Keeps the transcript of a match."""
        self._write(self._transcript(series, match, digest), b"".join(lines))

    def transcript(self, series: str, match: int, digest: str) -> list[bytes]:
        """The lines of a kept transcript. Raises `FileNotFoundError` where it was not kept."""
        path = self._transcript(series, match, digest)
        with _refusals():
            kept = self._fs.exists(path)
        if not kept:
            raise FileNotFoundError(path)
        return self._read(path).splitlines(keepends=True)

    def remove(self, series: str) -> None:
        """Removes everything of a series, if anything is there."""
        with _refusals(), suppress(FileNotFoundError):
            self._fs.rm(self._folder(series), recursive=True)

    def _folder(self, series: str) -> str:
        return f"{self._root}/series/{series}"

    def _transcript(self, series: str, match: int, digest: str) -> str:
        return f"{self._folder(series)}/matches/{match}-{digest[:16]}.jsonl.gz"

    def _read(self, path: str) -> bytes:
        with _refusals():
            return gzip.decompress(self._fs.cat_file(path))

    def _write(self, path: str, data: bytes) -> None:
        packed = gzip.compress(data, mtime=0)
        with _refusals():
            if isinstance(self._fs, LocalFileSystem):
                unfinished = Path(self._root, "unfinished")
                _write_locally(Path(path), unfinished / uuid4().hex, packed)
                if not self._cleaned:
                    _remove_old(unfinished, Path(path).stat().st_mtime - OLD_S)
                    self._cleaned = True
            else:  # an object is there as a whole or not at all
                self._fs.pipe_file(path, packed)


def _write_locally(path: Path, unfinished: Path, data: bytes) -> None:
    """All of a file or nothing, also when the machine stops meanwhile."""
    _make_folder(unfinished.parent)
    _make_folder(path.parent)
    try:
        with unfinished.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)  # there only if it was not moved
    _keep_names(path.parent)


def _make_folder(folder: Path) -> None:
    if folder.is_dir():
        return
    _make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    _keep_names(folder.parent)


def _keep_names(folder: Path) -> None:
    """What is in a folder now is there after the machine stopped, too."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove_old(unfinished: Path, before: float) -> None:
    """Removes what processes that were killed have left, by the time of the file system."""
    for left in unfinished.glob("*"):
        with suppress(FileNotFoundError):  # others clean up as well
            if left.stat().st_mtime < before:
                left.unlink()


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except Exception as failed:  # an object store's own errors, of whatever type
        raise Unavailable(
            "series.files-unavailable", "The files of series can't be reached now."
        ) from failed
