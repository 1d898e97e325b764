"""The data folder of `tycoon up`: who uses it, its secrets, its logs."""

from __future__ import annotations

import fcntl
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import msgspec

from api.cli.servers import SetupError
from services.watching.folder import VARIABLE, prepare
from shared.ids import derive

WAIT_S = 3.0
"""So long the processes of a Tycoon that was killed may take to be gone."""


class Secrets(msgspec.Struct, frozen=True, kw_only=True):
    """What must stay the same for ever, or nobody gets into the old matches."""

    server_key: str
    operator_key: str
    api_key: str


class Addresses(msgspec.Struct, frozen=True, kw_only=True):
    """Where the servers of a running `tycoon up` listen."""

    events_url: str
    broker_url: str


class Home:
    """The folder, made if it is not there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.logs = self.folder / "logs"
        self._lock = self.folder / "up.lock"
        self._secrets = self.folder / "secrets.json"
        self._addresses = self.folder / "addresses.json"

    @contextmanager
    def held(self) -> Iterator[IO[str]]:
        """Makes the folder and keeps every other `tycoon up` out of it.

        Gives the lock; it holds for as long as any process has it open.

        Raises:
            SetupError: the folder can't be written, or is in use.
        """
        try:
            # Seeds and hands lie in it while matches run: they are nobody else's on this machine.
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.logs.mkdir(parents=True, exist_ok=True)
            lock = self._lock.open("a+")
        except OSError as failed:
            raise self._unwritable(failed) from failed
        with lock:
            if not _locked(lock):
                lock.seek(0)
                raise SetupError(
                    f"The data folder {self.folder} is in use by another `tycoon up` "
                    f"(process {lock.read() or 'unknown'}): stop that one, or choose another "
                    "folder with --data-dir or TYCOON_DATA_DIR."
                )
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
            self._addresses.unlink(missing_ok=True)
            yield lock

    def secrets(self) -> Secrets:
        """The folder's secrets, made at the first start.

        Raises:
            SetupError: the file can't be read or written.
        """
        path = self._secrets
        try:
            if not path.exists():
                _write_privately(path, msgspec.json.encode(new_secrets()))
            return msgspec.json.decode(path.read_bytes(), type=Secrets)
        except OSError as failed:
            raise self._unwritable(failed) from failed
        except msgspec.DecodeError as broken:
            raise SetupError(
                f"{path} can't be read ({broken}): put back a copy of it; without it nobody gets "
                "into the old matches. For a fresh start, choose another data folder."
            ) from broken

    def kept_secrets(self) -> Secrets | None:
        """The folder's secrets, if any were made. Raises `SetupError` as `secrets`."""
        return self.secrets() if self._secrets.exists() else None

    def tell(self, addresses: Addresses) -> None:
        """Writes down where the servers listen, for commands on this machine.

        Raises:
            SetupError: the folder can't be written.
        """
        try:
            _write_privately(self._addresses, msgspec.json.encode(addresses))
        except OSError as failed:
            raise self._unwritable(failed) from failed

    def addresses(self) -> Addresses | None:
        """Where they listen; `None` where no `tycoon up` runs in this folder."""
        try:
            with self._lock.open() as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return self._told()
        except OSError:  # no folder, or not ours
            return None
        return None  # nobody holds the lock; what is written there is of before

    def _told(self) -> Addresses | None:
        try:
            return msgspec.json.decode(self._addresses.read_bytes(), type=Addresses)
        except (OSError, msgspec.DecodeError):  # it is just being started
            return None

    def log(self, name: str) -> Path:
        """A process's log; what it said before this start is kept once, as `.old`."""
        path = self.logs / f"{name}.log"
        if path.exists():
            path.replace(path.with_suffix(".old"))
        return path

    def metrics(self, name: str) -> Path:
        """Where the processes of a service count together, empty.

        Raises:
            SetupError: it can't be written.
        """
        try:
            return prepare({VARIABLE: str(self.folder / "metrics" / name)})
        except OSError as failed:
            raise self._unwritable(failed) from failed

    def _unwritable(self, failed: OSError) -> SetupError:
        return SetupError(
            f"The data folder {self.folder} can't be used ({failed.strerror}): "
            "choose another one with --data-dir or TYCOON_DATA_DIR."
        )


def new_secrets() -> Secrets:
    """Fresh keys."""
    key = secrets.token_bytes(32)
    api = derive(key, "api key", length=40)
    return Secrets(
        server_key=secrets.token_hex(32),
        operator_key="tyo_" + derive(key, "operator key", length=32),
        api_key=f"tyk_{api[:8]}_{api[8:]}",
    )


def _locked(lock: IO[str]) -> bool:
    until = time.monotonic() + WAIT_S
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                return False
            time.sleep(0.05)
        else:
            return True


def _write_privately(path: Path, data: bytes) -> None:
    """A file that only its owner can read, there whole or not at all."""
    draft = path.with_suffix(".new")
    draft.unlink(missing_ok=True)
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
