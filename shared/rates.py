"""How many requests a caller made in a stretch of time, counted for all processes together."""

from __future__ import annotations

from collections import Counter
from threading import Lock
from typing import Protocol


class Tally(Protocol):
    """Counts by name. Adapters: `MemoryTally`, and `RedisTally` in `redis_rates.py`."""

    def add(self, name: str, amount: int, keep_s: int) -> int:
        """Adds to a count that is forgotten `keep_s` seconds after it began; what it is then.

        Raises:
            Unavailable: the count can't be reached; whether it was raised is not known.
        """
        ...


class MemoryTally:
    """`Tally` in memory, where nothing is forgotten: for tests."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._counts: Counter[str] = Counter()

    def add(self, name: str, amount: int, keep_s: int) -> int:
        with self._lock:
            self._counts[name] += amount
            return self._counts[name]
