"""What is counted, for Prometheus. Labels are few and never a match, a name or a secret.

With several API processes set `PROMETHEUS_MULTIPROC_DIR`, so that one scrape sees all of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram
from prometheus_client import generate_latest as generate
from prometheus_client.multiprocess import MultiProcessCollector

CONTENT_TYPE = CONTENT_TYPE_LATEST
BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS"})


class Metrics:
    """The counters of one process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        registry = self._registry
        self._requests = Counter(
            "tycoon_http_requests",
            "Requests by route template and status.",
            ("method", "route", "status"),
            registry=registry,
        )
        self._duration = Histogram(
            "tycoon_http_request_seconds",
            "Duration of requests by route template.",
            ("method", "route"),
            buckets=BUCKETS,
            registry=registry,
        )
        self._moves = Counter(
            "tycoon_moves",
            "Moves asked for, by game and the code of the answer (`ok` for an accepted one).",
            ("game", "code"),
            registry=registry,
        )
        self._commands = Histogram(
            "tycoon_command_seconds",
            "Duration of commands inside the services.",
            ("command",),
            buckets=BUCKETS,
            registry=registry,
        )
        self._conflicts = Counter(
            "tycoon_conflicts", "Conflicts by code.", ("code",), registry=registry
        )
        self._lost = Counter(
            "tycoon_wakes_lost",
            "Tasks that could not be sent; the sweeper finds their matches.",
            registry=registry,
        )

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Counts an answered request."""
        method = method if method in METHODS else "other"
        self._requests.labels(method, route, str(status)).inc()
        self._duration.labels(method, route).observe(seconds)

    def move(self, game: str, code: str) -> None:
        """Counts a move by the code of its answer."""
        self._moves.labels(game, code).inc()

    def conflict(self, code: str) -> None:
        """Counts a conflict."""
        self._conflicts.labels(code).inc()

    def wakes_lost(self, count: int) -> None:
        """Counts tasks that could not be sent."""
        self._lost.inc(count)

    @contextmanager
    def command(self, name: str) -> Iterator[None]:
        """Times a command, refused or not."""
        start = perf_counter()
        try:
            yield
        finally:
            self._commands.labels(name).observe(perf_counter() - start)

    def text(self) -> bytes:
        """All metrics as Prometheus reads them; of all processes where they share a directory."""
        if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
            return generate(self._registry)
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # it ships no types
        return generate(registry)
