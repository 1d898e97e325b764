"""Removes what is left of deleted series: who played one meanwhile may have written after that."""

from __future__ import annotations

from collections.abc import Callable

from services.series.files import Files, folder_of
from shared.clocks import ahead
from shared.series_store import SeriesStore

LATE_MS = 300_000
"""So long after a delete nobody who had a chunk of the series still writes: its task is over."""
TASK_MS = 5_000
"""So long a task cleans; the sweep asks again."""


def is_due(store: SeriesStore, now: int) -> bool:
    """Whether there is anything to be cleaned. May raise `Unavailable`."""
    return bool(store.deleted(before=now - LATE_MS, limit=1))


class Cleaner:
    """Removes the folders of series that were deleted long enough ago, once for each.

    No series ever has the folder of another one, so this can't meet what somebody writes.
    """

    def __init__(self, store: SeriesStore, files: Files, clock: Callable[[], int]) -> None:
        self._store = store
        self._files = files
        self._clock = clock

    def clean(self) -> int:
        """Cleans for `TASK_MS`; of how many series. Two at the same time do no harm.

        Raises:
            Unavailable: the store or the files are away.
        """
        began = self._clock()
        cleaned = 0
        while ahead(began + TASK_MS, self._clock(), TASK_MS):
            due = self._store.deleted(before=began - LATE_MS, limit=1)
            if not due:
                break
            [(series, born)] = due
            self._files.remove(folder_of(series, born))
            self._store.forget(series, born)
            cleaned += 1
        return cleaned
