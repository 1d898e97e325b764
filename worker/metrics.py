"""What a worker counts, and what it logs of each growth of a match."""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar
from pathlib import Path

import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.registry import Collector

from services.watching.play import Play
from services.watching.series import Series
from services.watching.summing import exposed
from shared import correlation
from shared.errors import Corrupt, Newer
from shared.store import Append
from shared.tasks import QUEUES

TASK_BUCKETS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)

RESULTS = ("done", "away", "failed", "again")
BROKEN: dict[type[Exception], str] = {Newer: "Newer", Corrupt: "Corrupt"}
"""Kinds of errors at a match; any other one is a defect, and its log line names it."""

running: ContextVar[str | None] = ContextVar("running", default=None)
"""The task that runs now."""

log = structlog.stdlib.get_logger("worker")


class Metrics:
    """An `Observer` that counts for all processes of one worker, and what else they count.

    Args:
        folder: where they count together; `None` for this process alone.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._registry = CollectorRegistry()
        self._folder = folder
        self._play = Play(self._registry)
        self._series = Series(self._registry)
        self.sliced = self._series.sliced
        self._tasks = Counter(
            "tycoon_tasks",
            f"Tasks by name and result ({', '.join(RESULTS)}).",
            ("task", "result"),
            registry=self._registry,
        )
        self._durations = Histogram(
            "tycoon_task_seconds",
            "Duration of tasks.",
            ("task",),
            buckets=TASK_BUCKETS,
            registry=self._registry,
        )
        self._broken = Counter(
            "tycoon_matches_failed",
            "Times that a match could not be read or worked on (Newer, Corrupt, other).",
            ("error",),
            registry=self._registry,
        )

    def expect(self, games: Iterable[str]) -> None:
        """Shows what alerts look at from 0 on: none has grown that begins with 1."""
        slugs = list(games)
        self._play.expect(slugs)
        self._series.expect(slugs)
        for task in QUEUES:
            for result in RESULTS:
                self._tasks.labels(task, result)
        for error in (*BROKEN.values(), "other"):
            self._broken.labels(error)

    def appended(self, command: Append, outcome: str, seconds: float) -> None:
        self._play.appended(command, outcome, seconds)
        if outcome == "stored":
            log.info(
                "append",
                match=command.match,
                version=command.expected + len(command.events),
                command=running.get(),
                duration_ms=round(seconds * 1000, 1),
                correlation=correlation.of(command.match),
            )

    def thought(self, game: str, level: str, seconds: float) -> None:
        self._play.thought(game, level, seconds)

    def fault(self, game: str, kind: str) -> None:
        self._play.fault(game, kind)

    def task(self, name: str, result: str, seconds: float) -> None:
        """Counts a task that is over."""
        self._tasks.labels(name, result).inc()
        self._durations.labels(name).observe(seconds)

    def broken(self, error: Exception) -> None:
        """Counts a match that something went wrong at."""
        self._broken.labels(BROKEN.get(type(error), "other")).inc()

    def text(self, *others: Collector) -> bytes:
        """All of it as Prometheus reads it, with what `others` look up now."""
        return exposed(self._registry, self._folder, *others)
