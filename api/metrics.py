"""What the API counts, for Prometheus. Labels are few and never a match, a name or a secret."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram
from prometheus_client.registry import Collector

from services.watching.play import Play
from services.watching.summing import exposed

CONTENT_TYPE = CONTENT_TYPE_LATEST
BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS"})


class Metrics:
    """What one process counts, and the sum over all that count in the same folder.

    Args:
        folder: where the API's processes count together; `None` for this process alone.
        others: looked up at each scrape.
    """

    def __init__(self, folder: Path | None = None, *others: Collector) -> None:
        self._registry = CollectorRegistry()
        self._folder = folder
        self._others = others
        registry = self._registry
        self.play = Play(registry)
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
        """All metrics as Prometheus reads them."""
        return exposed(self._registry, self._folder, *self._others)
