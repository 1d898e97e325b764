"""Quotas: how many matches of an API key may be open."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from services.bootstrap import Tycoon
from shared import ids
from shared.clocks import ahead
from shared.errors import TooMany

FRESH_MS = 2_000
"""So long the number of a key's open matches is believed before it is counted again."""


class Quota:
    """Open matches of one API key, as far as the lobby and this process know."""

    def __init__(self, tycoon: Tycoon) -> None:
        self._tycoon = tycoon
        self._limit = tycoon.settings.open_matches_limit
        self._clock: Callable[[], int] = tycoon.clock
        self._counted: dict[str, tuple[int, int]] = {}
        self._lock = Lock()

    def admit(self, owner: str, idempotency_key: str | None) -> None:
        """Raises `TooMany` where the key has as many open matches as it may have.

        A create that was carried out before is always answered again.
        """
        if self._open(owner) < self._limit or self._repeated(owner, idempotency_key):
            return
        raise TooMany(
            "match.too-many-open", f"One API key may have {self._limit} matches that are not over."
        )

    def created(self, owner: str) -> None:
        """Counts a new match until the lobby is asked again."""
        with self._lock:
            if owner in self._counted:
                until, count = self._counted[owner]
                self._counted[owner] = (until, count + 1)

    def _open(self, owner: str) -> int:
        now = self._clock()
        with self._lock:
            until, count = self._counted.get(owner, (now, 0))
        if ahead(until, now, FRESH_MS):
            return count
        count = self._tycoon.lists.open_matches(owner)
        with self._lock:
            self._counted[owner] = (now + FRESH_MS, count)
        return count

    def _repeated(self, owner: str, idempotency_key: str | None) -> bool:
        if idempotency_key is None:
            return False
        server_key = self._tycoon.settings.server_key.encode()
        match_id = ids.match_id(server_key, owner, idempotency_key)
        return bool(self._tycoon.stores.events.events(match_id, limit=1))
