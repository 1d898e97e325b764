"""Where a backup lies: a file of this machine, or an object (fsspec), packed by gzip.

It is written whole or not at all, and only its owner may read it: running matches' seeds and
people's names stand in it.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, cast
from uuid import uuid4

import fsspec
from fsspec.implementations.local import LocalFileSystem

from services.files import keep_names
from services.upkeep.form import Damaged

LEVEL = 6
"""Of gzip: 9 takes twice the time for a hundredth less."""

OLD_S = 86_400
"""A draft that is so old was left by a process that was killed."""


class FileTrouble(Exception):
    """The file can't be read or written; the sentence says why."""


class Place:
    """The address of a backup: a path or an fsspec URL."""

    def __init__(self, url: str) -> None:
        """Raises `FileTrouble` for an address that nothing here can read."""
        self.url = url
        try:
            self._fs, self._path = fsspec.url_to_fs(url)
        except (ImportError, ValueError) as wrong:
            raise FileTrouble(f"{url} can't be used: {wrong}.") from wrong

    @contextmanager
    def writing(self) -> Iterator[Callable[[bytes], Any]]:
        """Gives what takes the bytes. The file is there once the block has ended without an error.

        Raises:
            FileTrouble: it can't be written.
        """
        opened = self._draft() if isinstance(self._fs, LocalFileSystem) else self._object()
        with opened as raw, gzip.GzipFile("", "wb", LEVEL, cast("IO[bytes]", raw), 0) as packed:
            yield packed.write

    @contextmanager
    def reading(self, tell: Callable[[int, int], None]) -> Iterator[Iterator[bytes]]:
        """Gives the lines.

        Args:
            tell: told of how many bytes of the file were read, of how many.

        Raises:
            FileTrouble: it can't be read.
            Damaged: it is not packed as a backup is, or breaks off.
        """
        with self._told():
            size = self._fs.size(self._path) or 0
            file = self._fs.open(self._path, "rb")
        raw = _Told(file, self._told, lambda read: tell(read, size))
        with file, gzip.GzipFile(fileobj=cast("IO[bytes]", raw)) as packed:
            try:
                yield iter(packed)
            except (EOFError, gzip.BadGzipFile, zlib.error) as broken:
                raise Damaged(f"It is no whole gzip file: {broken}.") from broken

    @contextmanager
    def _draft(self) -> Iterator[_Told]:
        path = Path(self._path).resolve()  # what a link leads to is written, and the link stays
        if path.exists() and not path.is_file():
            raise FileTrouble(f"{self.url} can't be used: it is there and is no file.")
        draft = path.with_name(f".{path.name}.{uuid4().hex}.unfinished")
        with self._told():
            file = os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
        try:
            yield _Told(file, self._told)
            with self._told():
                file.flush()
                os.fsync(file.fileno())
                file.close()
                draft.replace(path)
                keep_names(path.parent)
                _remove_old(path)
        finally:
            with suppress(OSError):  # what can't be written was told of before
                file.close()
            draft.unlink(missing_ok=True)  # there only if it was not moved

    @contextmanager
    def _object(self) -> Iterator[_Told]:
        # An object is there once the transaction is committed, which an error prevents.
        with ExitStack() as stack:
            with self._told():
                stack.enter_context(self._fs.transaction)
                file = stack.enter_context(self._fs.open(self._path, "wb"))
            yield _Told(file, self._told)
            with self._told():
                stack.pop_all().close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError as missing:
            raise FileTrouble(f"{self.url} is not there.") from missing
        except OSError as failed:
            why = failed.strerror or failed
            raise FileTrouble(f"{self.url} can't be used: {why}.") from failed
        except Exception as failed:  # an object store's own errors, of whatever type
            raise FileTrouble(f"{self.url} can't be used: {failed}.") from failed


class _Told:
    """A file whose failures are told apart from those of the store that is copied."""

    def __init__(
        self, file: IO[bytes], told: Any, tell: Callable[[int], None] = lambda read: None
    ) -> None:
        self._file, self._told, self._tell = file, told, tell
        self._read = 0

    def read(self, size: int = -1) -> bytes:
        with self._told():
            data = self._file.read(size)
        self._read += len(data)
        self._tell(self._read)
        return data

    def write(self, data: bytes) -> int:
        with self._told():
            return self._file.write(data)

    def flush(self) -> None:
        with self._told():
            self._file.flush()


def _remove_old(path: Path) -> None:
    """Removes drafts of this file that killed processes have left, by the file system's time."""
    before = path.stat().st_mtime - OLD_S
    for left in path.parent.glob(f".{path.name}.*.unfinished"):
        with suppress(FileNotFoundError):  # others clean up as well
            if left.stat().st_mtime < before:
                left.unlink()
