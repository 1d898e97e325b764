"""Folded matches that one process keeps. Safe: every append checks version and token."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock
from typing import NamedTuple

from services.matches.state import AnyMatch


class Kept(NamedTuple):
    """A match as this process saw it last, with the epochs of its seats' tokens."""

    match: AnyMatch
    epochs: Mapping[int, int]
    last: bytes
    """The event at its version, as it was stored."""


class MatchCache:
    """Least recently used matches by id; at most `size` of them."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._lock = Lock()

    def get(self, match: str) -> Kept | None:
        """The match as last seen here."""
        with self._lock:
            found = self._kept.get(match)
            if found is not None:
                self._kept.move_to_end(match)
            return found

    def put(self, match: str, kept: Kept) -> None:
        """Keeps a newer look; an older one is ignored."""
        with self._lock:
            old = self._kept.get(match)
            if old is not None and old.match.version > kept.match.version:
                return
            self._kept[match] = kept
            self._kept.move_to_end(match)
            if len(self._kept) > self._size:
                self._kept.popitem(last=False)

    def drop(self, match: str) -> None:
        """Forgets a match."""
        with self._lock:
            self._kept.pop(match, None)
