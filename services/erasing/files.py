"""Has the store write its files anew, once names are gone from it that they still hold."""

from __future__ import annotations

from collections.abc import Callable

from shared.clocks import ahead
from shared.settings import Settings
from shared.store_files import FilesState, Rewriting, StoreFiles


class Rewriter:
    """Asks at most so often as a setting says; two at the same time do no harm."""

    def __init__(self, files: StoreFiles, settings: Settings, clock: Callable[[], int]) -> None:
        self._files = files
        self._every_ms = settings.rewrite_minutes * 60_000
        self._clock = clock

    def is_due(self) -> bool:
        """Whether the files may hold what is gone, and may be written anew."""
        return bool(self._every_ms) and _is_old(self._files.look())

    def work(self) -> Rewriting | None:
        """What came of asking, where it was time for that.

        Raises:
            Unavailable: the store is away.
        """
        now, state = self._clock(), self._files.look()
        if not self._every_ms or not _is_old(state) or state.busy:
            return None
        # A server that was started since did not finish what the one before it had begun.
        finished = not state.failed and state.up_ms >= now - state.asked_at
        if state.begun > state.done and finished:
            self._files.finish(state.begun)
            if state.begun == state.noted:
                return None
        if ahead(state.asked_at + self._every_ms, now, self._every_ms):
            return None
        return self._files.rewrite(state.noted, now)


def _is_old(state: FilesState) -> bool:
    return state.noted > state.done
