"""Sending tasks without ever keeping a caller waiting.

A broker that is down can block a sender for seconds. So ids go into a queue in memory, and one
thread sends them, many in one task. What is lost there does no harm: the append has left a work
mark in the store, and the sweeper finds it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import Empty, Full, SimpleQueue
from threading import Lock, Thread
from typing import Any

from api.metrics import Metrics
from shared import correlation

WAITING = 10_000
"""So many ids wait at most; further ones are dropped."""

BATCH = 50
"""So many matches go into one task."""


class Waker:
    """Asks the workers for matches to be advanced.

    Args:
        advance: sends one task; may block, may raise.
        metrics: counts what could not be sent.
        log: a structlog logger.
    """

    def __init__(
        self, advance: Callable[[Sequence[str]], None], metrics: Metrics, log: Any
    ) -> None:
        self._advance = advance
        self._metrics = metrics
        self._log = log
        self._queue: SimpleQueue[tuple[str, str | None]] = SimpleQueue()
        self._lock = Lock()
        self._thread: Thread | None = None

    def wake(self, match_id: str) -> None:
        """Asks for a match's bots to be played soon."""
        if self._queue.qsize() >= WAITING:
            self._lose(1, Full())
            return
        self._queue.put((match_id, correlation.of()))
        self._start()

    def _start(self) -> None:
        if self._thread is not None:
            return
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._run, name="waker", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            batch = self._batch()
            try:
                with correlation.correlated(None, batch):
                    self._advance(list(batch))
            except Exception as failed:  # whatever the broker's client raises: the marks remain
                self._lose(len(batch), failed)

    def _batch(self) -> dict[str, str | None]:
        """Waits for one match, then takes those that came meanwhile, each with its request's id."""
        found = dict([self._queue.get()])
        try:
            while len(found) < BATCH:
                found.update([self._queue.get_nowait()])
        except Empty:
            pass
        return found

    def _lose(self, count: int, failed: Exception) -> None:
        self._metrics.wakes_lost(count)
        self._log.warning("wake_lost", count=count, error=type(failed).__name__)
