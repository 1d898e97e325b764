"""Limits: requests in a time for each key, seat and address, and open matches for each key.

Rates are counted by each API process for itself. A count shared through Redis costs a round trip
a request (measured: 102 us, where a whole move takes about 500), and a limit that protects a
process from one caller's flood needs no exact sum over all of them. The `limits` library reads
the settings; its storage in memory starts a thread every 10 ms that walks over all callers, so
the counting is done here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from threading import Lock

from limits import RateLimitItem, parse_many

from services.bootstrap import Tycoon
from services.matches.access import Caller
from shared import ids
from shared.errors import TooMany
from shared.settings import Settings, SettingsError

FRESH_MS = 2_000
"""So long the number of a key's open matches is believed before it is counted again."""


PROVEN = 50_000
"""So many seats' tokens one process knows to be good; then it starts over."""


class Window:
    """Counts each caller's requests in windows of fixed length; a new window forgets the last."""

    def __init__(self, rate: RateLimitItem) -> None:
        self.amount = rate.amount
        self.length_ms = rate.get_expiry() * 1_000
        self._number = -1
        self._counts: Counter[str] = Counter()
        self._lock = Lock()

    def take(self, name: str, now: int) -> bool:
        """Counts one request; whether the caller may still make it."""
        number = now // self.length_ms
        with self._lock:
            if number != self._number:
                self._number, self._counts = number, Counter()
            self._counts[name] += 1
            return self._counts[name] <= self.amount

    def left_s(self, now: int) -> int:
        """Whole seconds until the next window, at least 1."""
        return -(-(self.length_ms - now % self.length_ms) // 1_000)


class Rates:
    """Requests of one API key, one seat's token or one address, in this process.

    A token counts as a seat's once a match has taken it. Until then it may be made up, and who
    makes up a new one for each request must not get a new count with each; so the address is
    counted, as it is for whoever shows nothing. It has the rate of one seat.
    """

    def __init__(self, settings: Settings, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._windows = {
            "key": _windows("rate_per_key", settings.rate_per_key),
            "seat": _windows("rate_per_seat", settings.rate_per_seat),
            "address": _windows("rate_per_seat", settings.rate_per_seat),
        }
        self._proven: set[str] = set()

    def prove(self, caller: Caller) -> None:
        """Takes note that a match has taken the caller's token, if it is a seat's."""
        if caller.kind != "seat" or caller.name in self._proven:
            return
        if len(self._proven) >= PROVEN:
            self._proven.clear()
        self._proven.add(caller.name)

    def count(self, caller: Caller, address: str) -> None:
        """Counts one request. Raises `TooMany` with the seconds after which another is let in."""
        if caller.kind == "operator":
            return
        if caller.kind == "key" or caller.name in self._proven:
            self._count(caller.kind, caller.name)
        else:
            self._count("address", address)

    def _count(self, kind: str, name: str) -> None:
        for window in self._windows[kind]:
            now = self._clock()
            if not window.take(name, now):
                raise TooMany(
                    "request.too-many",
                    f"Not more than {window.amount} requests in {window.length_ms // 1_000} s.",
                    retry_after=window.left_s(now),
                )


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
        if now < until:
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


def _windows(name: str, text: str) -> list[Window]:
    try:
        return [Window(rate) for rate in parse_many(text)] if text else []
    except ValueError as wrong:
        raise SettingsError(
            f"TYCOON_{name.upper()} must be a rate such as 200/second, not {text!r}."
        ) from wrong
