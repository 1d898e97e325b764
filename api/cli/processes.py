"""Processes that `tycoon up` starts, and the leash that none of them outlives."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Protocol, Self

from api.cli.servers import SetupError


class Leash:
    """The process group that every process of a Tycoon lives in, with those that they start.

    A shell in it waits for the end of our pipe. The pipe ends with us, however we end, and then
    the shell kills the whole group: so nothing is left behind by `kill -9` either. It holds
    `lock` open, so that the data folder stays locked until that is done.
    """

    def __init__(self, lock: IO[str]) -> None:
        self._shell = subprocess.Popen(
            ["/bin/sh", "-c", "read _; kill -KILL 0"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,
            pass_fds=[lock.fileno()],
        )

    @property
    def group(self) -> int:
        """The group's id."""
        return self._shell.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Kills what is still there."""
        # Nothing is there if somebody killed the shell, too.
        with suppress(ProcessLookupError):
            os.killpg(self.group, signal.SIGKILL)
        self._shell.communicate()


class Service(Protocol):
    """What is started, watched and stopped: an `EmbeddedServer` or a `Program`."""

    process: subprocess.Popen[bytes] | None

    @property
    def running(self) -> bool: ...
    @property
    def log(self) -> Path: ...
    def start(self) -> None:
        """Raises `SetupError`."""
        ...


class Program:
    """One process of ours; started again, it goes on writing to the same log."""

    def __init__(
        self, command: Sequence[str], env: Mapping[str, str], log: Path, *, group: int
    ) -> None:
        self.command = command
        self.env = env
        self.log = log
        self.group = group
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        """Returns at once, before the program is ready.

        Raises:
            SetupError: it can't be run, or its log can't be written.
        """
        try:
            with self.log.open("ab") as log:
                self.process = subprocess.Popen(
                    self.command,
                    env=self.env,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    process_group=self.group,
                )
        except OSError as failed:
            raise SetupError(f"{failed.filename} can't be used: {failed.strerror}.") from failed


def stop(services: Sequence[Service], deadline_s: float) -> None:
    """Asks all of them to end, and kills what is still there after the deadline."""
    running = [s.process for s in services if s.process is not None and s.running]
    until = time.monotonic() + deadline_s
    for process in running:
        process.terminate()
    for process in running:
        try:
            process.wait(max(until - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def last_words(log: Path) -> str:
    """The last line of a log."""
    try:
        lines = log.read_text(errors="replace").strip().split("\n")
    except FileNotFoundError:
        lines = [""]
    return lines[-1] or "it said nothing"
