"""Which generation of projections is written now, looked up at most once a second."""

from __future__ import annotations

from collections.abc import Callable

from shared.clocks import ahead
from shared.list_store import ListStore

FRESH_MS = 1_000


class Generation:
    """The newest generation: the one being built while a rebuild runs, else the current one."""

    def __init__(self, lists: ListStore, clock: Callable[[], int]) -> None:
        self._lists = lists
        self._clock = clock
        self._seen = 0
        self._until = -1

    def refresh(self) -> int:
        """Looks again at once."""
        self._until = -1
        return self.target()

    def target(self) -> int:
        """What a projection written now belongs to."""
        now = self._clock()
        if not ahead(self._until, now, FRESH_MS):
            self._seen = max(self._lists.generations())
            self._until = now + FRESH_MS
        return self._seen
