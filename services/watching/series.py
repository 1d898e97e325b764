"""What whoever plays series counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from prometheus_client import CollectorRegistry, Counter

from shared.series_store import Answer, Counts


class Series:
    """Slices and matches of all series, by game; a series' own numbers are in its document."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._slices = Counter(
            "tycoon_series_slices",
            "Slices of series that were played, by what became of them (kept, lost, gone).",
            ("game", "result"),
            registry=registry,
        )
        self._matches = Counter(
            "tycoon_series_matches",
            "Matches of series that are over, by result (played, failed).",
            ("game", "result"),
            registry=registry,
        )

    def expect(self, games: Iterable[str]) -> None:
        """Shows everything from 0 on: of a count that begins with 1 nobody sees that it grew."""
        for game in games:
            for answer in get_args(Answer):
                self._slices.labels(game, answer)
            for result in ("played", "failed"):
                self._matches.labels(game, result)

    def sliced(self, game: str, answer: Answer, played: Counts) -> None:
        """Counts a slice. What was lost is played again, and counts when that is kept."""
        self._slices.labels(game, answer).inc()
        if answer == "kept":
            self._matches.labels(game, "played").inc(played.done)
            self._matches.labels(game, "failed").inc(played.failed)
