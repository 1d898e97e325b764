"""What every process that plays or appends counts. Labels are never a match, a name or a secret."""

from __future__ import annotations

from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Counter, Histogram

from shared.store import Append

APPEND_BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)
THOUGHT_BUCKETS = (0.0005, 0.002, 0.01, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
FAMILIES = frozenset({"random", "greedy", "search"})
FAULTS = ("raised", "illegal", "stalled")


class Play:
    """An `Observer` that counts."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._appends = Histogram(
            "tycoon_append_seconds",
            "Duration of appends to the events store, by how they ended.",
            ("outcome",),
            buckets=APPEND_BUCKETS,
            registry=registry,
        )
        self._thoughts = Histogram(
            "tycoon_bot_thinking_seconds",
            "Time that bots thought about one move, by game and family of their level.",
            ("game", "level"),
            buckets=THOUGHT_BUCKETS,
            registry=registry,
        )
        self._faults = Counter(
            "tycoon_faults",
            "Bots that gave no legal move, by game and kind (raised, illegal, stalled).",
            ("game", "kind"),
            registry=registry,
        )

    def expect(self, games: Iterable[str]) -> None:
        """Shows faults from 0 on: of a count that begins with 1 nobody sees that it grew."""
        for game in games:
            for kind in FAULTS:
                self._faults.labels(game, kind)

    def appended(self, command: Append, outcome: str, seconds: float) -> None:
        self._appends.labels(outcome).observe(seconds)

    def thought(self, game: str, level: str, seconds: float) -> None:
        self._thoughts.labels(game, family(level)).observe(seconds)

    def fault(self, game: str, kind: str) -> None:
        self._faults.labels(game, kind).inc()


def family(level: str) -> str:
    """`search` for `search-400`: budgets are free to choose, labels must stay few."""
    name = level.partition("-")[0]
    return name if name in FAMILIES else "other"
