"""The files that the store's servers keep, as the domain sees them: they hold what is gone by now.

A server adds to its append-only file whatever is written, and takes nothing out of it before it
writes the file anew. Adapters: `MemoryFiles`, `redis_files.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesState:
    """How old the files are. The three counts are of `note`.

    Attributes:
        noted: how often it was noted that something is gone from the store.
        begun: how often it had been, when the files were last begun anew.
        done: the same of those that were finished.
        asked_at: when the servers were last asked to write anew, ms since 1970.
        busy: whether a server writes its files now.
        failed: whether a server could not, the last time.
        up_ms: how long the server runs that was started last.
    """

    noted: int = 0
    begun: int = 0
    done: int = 0
    asked_at: int = 0
    busy: bool = False
    failed: bool = False
    up_ms: int = 0


class Rewriting(Enum):
    """What came of asking the servers to write their files anew."""

    BEGUN = "begun"
    BUSY = "busy"
    """A server was just at it, maybe since before something was gone."""
    REFUSED = "refused"
    """A server does not let us, or could not."""


class StoreFiles(Protocol):
    """What the files still hold is known by counts, so that no clock matters."""

    def note(self) -> None:
        """Something is gone from the store, and the files may hold it."""
        ...

    def look(self) -> FilesState:
        """How old the files are."""
        ...

    def rewrite(self, noted: int, now: int) -> Rewriting:
        """Asks every server to write its files anew, which goes on by itself.

        Args:
            noted: what `FilesState.noted` was before.
            now: ms since 1970.
        """
        ...

    def finish(self, begun: int) -> None:
        """What was `begun` is written."""
        ...


class MemoryFiles:
    """`StoreFiles` of a server that writes anew at once, as long as `answer` lets it."""

    def __init__(self) -> None:
        self.state = FilesState(up_ms=10**15)
        self.answer = Rewriting.BEGUN

    def note(self) -> None:
        self._set(noted=self.state.noted + 1)

    def look(self) -> FilesState:
        return self.state

    def rewrite(self, noted: int, now: int) -> Rewriting:
        if self.answer is not Rewriting.BUSY:
            self._set(asked_at=now)
        if self.answer is Rewriting.BEGUN:
            self._set(begun=noted)
        return self.answer

    def finish(self, begun: int) -> None:
        self._set(done=begun)

    def _set(self, **changes: Any) -> None:
        self.state = replace(self.state, **changes)
