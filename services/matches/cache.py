"""Folded matches that one process keeps. Safe: every append checks the version."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from services.matches.state import AnyMatch


class MatchCache:
    """Least recently used matches by id; at most `size` of them."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[str, AnyMatch] = OrderedDict()
        self._lock = Lock()

    def get(self, match: str) -> AnyMatch | None:
        """The match as last seen here."""
        with self._lock:
            found = self._kept.get(match)
            if found is not None:
                self._kept.move_to_end(match)
            return found

    def put(self, match: str, folded: AnyMatch) -> None:
        """Keeps a newer fold; an older one is ignored."""
        with self._lock:
            old = self._kept.get(match)
            if old is not None and old.version >= folded.version:
                return
            self._kept[match] = folded
            self._kept.move_to_end(match)
            if len(self._kept) > self._size:
                self._kept.popitem(last=False)

    def drop(self, match: str) -> None:
        """Forgets a match."""
        with self._lock:
            self._kept.pop(match, None)
