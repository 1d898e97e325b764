"""Sending tasks without ever keeping a caller waiting.

A broker that is down can block a sender for seconds. So ids go into a queue in memory, and one
thread sends them, many at once. What is lost there does no harm: the append has left a work mark in
the store, and the sweeper finds it; a hint may be asked for again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import Empty, Full, SimpleQueue
from threading import Lock, Thread
from typing import Any, Generic, TypeVar

from api.metrics import Metrics

T = TypeVar("T")

WAITING = 10_000
"""So many wait at most; further ones are dropped."""

BATCH = 50
"""So many are sent at once."""


class Waker(Generic[T]):
    """Asks the workers for something, such as for matches to be advanced.

    Args:
        send: sends what was asked for; may block, may raise.
        metrics: counts what could not be sent.
        log: a structlog logger.
    """

    def __init__(self, send: Callable[[Sequence[T]], None], metrics: Metrics, log: Any) -> None:
        self._send = send
        self._metrics = metrics
        self._log = log
        self._queue: SimpleQueue[T] = SimpleQueue()
        self._lock = Lock()
        self._thread: Thread | None = None

    def wake(self, wanted: T) -> None:
        """Asks for something to be done soon, such as for a match's bots to be played."""
        if self._queue.qsize() >= WAITING:
            self._lose(1, Full())
            return
        self._queue.put(wanted)
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
                self._send(batch)
            except Exception as failed:  # whatever the broker's client raises: the marks remain
                self._lose(len(batch), failed)

    def _batch(self) -> list[T]:
        """Waits for one, then takes those that came meanwhile, each once."""
        found = {self._queue.get(): None}
        try:
            while len(found) < BATCH:
                found[self._queue.get_nowait()] = None
        except Empty:
            pass
        return list(found)

    def _lose(self, count: int, failed: Exception) -> None:
        self._metrics.wakes_lost(count)
        self._log.warning("wake_lost", count=count, error=type(failed).__name__)
