"""Whether a worker gets on: it takes tasks while there are any, as long as a process is free.

A worker may live and be deaf: connected, idle, and taking nothing. Then it must be replaced. But a
broker that is away is not its fault, and replacing it would help nobody.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event, Thread

import structlog

from shared.errors import places
from shared.tasks import Unsent

EVERY_S = 5.0
PATIENCE_S = 30.0
"""So long, at every look, tasks waited and none was taken, though a process was free."""


log = structlog.stdlib.get_logger("worker.progress")


class Progress:
    """Looks every few seconds, in a thread of its own; asking what it found costs nothing.

    Args:
        queued: tasks that wait in this worker's queues; raises `Unsent`.
        taken: tasks that this worker has taken since it began.
        free: whether one of its processes has nothing to do.
        now: seconds, of a clock that never goes back.
    """

    def __init__(
        self,
        *,
        queued: Callable[[], int],
        taken: Callable[[], int],
        free: Callable[[], bool],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._queued = queued
        self._taken = taken
        self._free = free
        self._now = now
        self._seen = 0
        self._deaf_since: float | None = None

    def look(self) -> None:
        """One look."""
        taken = self._taken()
        gets_on, self._seen = taken != self._seen, taken
        if gets_on or not self._free() or not self._waiting():
            self._deaf_since = None
        elif self._deaf_since is None:
            self._deaf_since = self._now()

    def trouble(self) -> str | None:
        """Why the worker should be replaced; `None` where it should not."""
        since = self._deaf_since
        if since is None or self._now() - since < PATIENCE_S:
            return None
        return "Tasks wait and a process is free, but none is taken."

    def watch(self) -> None:
        """Looks again and again for as long as the process lives."""
        Thread(target=self._run, name="progress", daemon=True).start()

    def _run(self) -> None:
        pause = Event()
        while not pause.wait(EVERY_S):
            self._look_or_tell()

    def _look_or_tell(self) -> None:
        try:
            self.look()
        except Exception as unexpected:  # without this thread nobody would learn of a deaf worker
            self._deaf_since = None
            log.warning(
                "progress not seen", error=type(unexpected).__name__, where=places(unexpected)
            )

    def _waiting(self) -> bool:
        try:
            return self._queued() > 0
        except Unsent:
            return False


class Ticking:
    """The ticker gets on as long as it comes round, whether the broker takes its sweeps or not."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._last = now()

    def came_round(self) -> None:
        """It is about to begin again."""
        self._last = self._now()

    def trouble(self) -> str | None:
        """Why the ticker should be replaced; `None` where it should not."""
        stands = self._now() - self._last > PATIENCE_S
        return "No sweep was tried for a while." if stands else None
