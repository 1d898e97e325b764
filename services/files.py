"""Files under one address, in a folder or an object store (fsspec): whole, or not there.

In a folder they are written under `unfinished/` first. Who uses them says by which refusal they
can't be reached.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

import fsspec
from fsspec.implementations.local import LocalFileSystem

from shared.errors import Unavailable
from shared.settings import Settings, SettingsError

OLD_S = 3_600
"""A file that is unfinished for so long was left by a process that was killed."""

FILES_OWN = (errno.EIO, errno.EISDIR, errno.ELOOP)
"""A folder's errors that are one file's: a bad place of the disk, no file under that name."""


def archive_url(settings: Settings) -> str:
    """Where the files are kept: by default a folder beside the other data."""
    return settings.archive_url or str(Path(settings.data_dir).absolute() / "archive")


class FileStore:
    """Bytes by path, below the address. Every method may raise what `unavailable` makes."""

    def __init__(self, url: str, unavailable: Callable[[], Unavailable]) -> None:
        """Raises `SettingsError` for an address that nothing here can read."""
        try:
            self._fs, root = fsspec.url_to_fs(url)
        except (ImportError, ValueError) as wrong:
            raise SettingsError(f"TYCOON_ARCHIVE_URL can't be used: {wrong}.") from wrong
        self._root = root.rstrip("/")
        self._local = isinstance(self._fs, LocalFileSystem)
        self._unavailable = unavailable
        self._cleaned = False

    def reachable(self) -> bool:
        """Whether there is a place for files: a folder is made with the first one.

        An object store that knows of no such object has answered.
        """
        return not self._local or Path(self._root).is_dir()

    def exists(self, path: str) -> bool:
        """Whether there is such a file."""
        with self.refusals():
            return bool(self._fs.exists(self._at(path)))

    def read(self, path: str) -> bytes:
        """All of a file.

        Raises:
            FileNotFoundError: there is none, or none that can be read, though the place where it
                would lie can be reached.
        """
        with self.refusals():
            try:
                return bytes(self._fs.cat_file(self._at(path)))
            except OSError as failed:
                if not (self._is_its_own(failed) and self.reachable()):
                    raise  # not this file alone is missing
        raise FileNotFoundError(path)

    def _is_its_own(self, failed: OSError) -> bool:
        """Whether it is a file's own fault, others may be well. (Object stores use numbers alike
        for what is no file's fault.)"""
        return isinstance(failed, FileNotFoundError) or (self._local and failed.errno in FILES_OWN)

    def beginning(self, path: str) -> list[str]:
        """The paths of all files of a folder that begin so, in order."""
        folder, _, beginning = path.rpartition("/")
        with self.refusals():
            self._fs.invalidate_cache()  # others write, too
            try:
                found = self._fs.ls(self._at(folder), detail=False)
            except FileNotFoundError:
                if not self.reachable():
                    raise
                return []
        names = (str(each).rpartition("/")[2] for each in found)
        return sorted(f"{folder}/{name}" for name in names if name.startswith(beginning))

    def write(self, path: str, data: bytes) -> None:
        """Writes a file, over one that is there."""
        with self.refusals():
            if self._local:
                self._write_locally(Path(self._at(path)), data)
            else:  # an object is there as a whole or not at all
                self._fs.pipe_file(self._at(path), data)

    def remove(self, path: str) -> None:
        """Removes a file, or a folder with everything in it, if it is there."""
        with self.refusals(), suppress(FileNotFoundError):
            self._fs.rm(self._at(path), recursive=True)

    @contextmanager
    def refusals(self) -> Iterator[None]:
        """Whatever goes wrong inside is a refusal."""
        try:
            yield
        except Exception as failed:  # an object store's own errors, of whatever type
            raise self._unavailable() from failed

    def _at(self, path: str) -> str:
        return f"{self._root}/{path}"

    def _write_locally(self, path: Path, data: bytes) -> None:
        unfinished = Path(self._root, "unfinished")
        _write_whole(path, unfinished / uuid4().hex, data)
        if not self._cleaned:
            _remove_old(unfinished, path.stat().st_mtime - OLD_S)
            self._cleaned = True


def _write_whole(path: Path, unfinished: Path, data: bytes) -> None:
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
    keep_names(path.parent)


def _make_folder(folder: Path) -> None:
    if folder.is_dir():
        return
    _make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    keep_names(folder.parent)


def keep_names(folder: Path) -> None:
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
