"""Rates: how many requests a key, a seat or an address may make in a time, over all processes.

Time is cut into windows of fixed length by the clock, so that it is known to the millisecond when
the next request is let in. Each process counts for itself and tells the shared tally after every
twentieth part of a limit: a caller far below the limit costs nothing, a busy one a round trip in
many requests, and a flood none, as who was refused once stays refused until the window ends. What
it costs is exactness: each further process may let in a twentieth more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any

from limits import RateLimitItem, parse_many

from services.matches.access import Caller
from shared import ids
from shared.clocks import ahead
from shared.errors import TooMany, Unavailable
from shared.rates import Tally
from shared.settings import Settings, SettingsError

SHARE = 20
"""A process tells the tally after this part of a limit."""

AWAY_MS = 5_000
"""So long a tally that could not be reached is left alone."""

PROVEN = 50_000
"""So many seats' tokens one process knows to be good; then it starts over."""


@dataclass(slots=True)
class _Count:
    """A caller's requests in one window.

    `untold` are those that only this process knows of; `told` is what the tally said last, and
    what was told since.
    """

    told: int = 0
    untold: int = 0


class Window:
    """Counts each caller's requests in windows of fixed length; a new window forgets the last.

    Args:
        rate: how many requests in which time.
        tell: (caller, number of the window, requests) -> requests of all processes; `None` where
            they can't be had, and this process's own must do.
    """

    def __init__(
        self, rate: RateLimitItem, tell: Callable[[str, int, int], int | None] | None = None
    ) -> None:
        self.amount = rate.amount
        self.length_ms = rate.get_expiry() * 1_000
        self._batch = max(1, rate.amount // SHARE)
        self._tell = tell
        self._number = -1
        self._counts: defaultdict[str, _Count] = defaultdict(_Count)
        self._lock = Lock()

    def take(self, name: str, now: int) -> bool:
        """Counts one request; whether the caller may still make it."""
        number = now // self.length_ms
        with self._lock:
            # A thread may come late, with a time of the last window: it counts in this one.
            if number not in (self._number - 1, self._number):
                self._number, self._counts = number, defaultdict(_Count)
            number = self._number
            count = self._counts[name]
            if count.told + count.untold >= self.amount:
                return False
            count.untold += 1
            if self._tell is None or count.untold < self._batch:
                return True
            asked, count.untold = count.untold, 0
            count.told += asked
        total = self._tell(name, number, asked)
        if total is None:
            return True
        with self._lock:
            count.told = max(count.told, total)
        return total <= self.amount

    def left_s(self, now: int) -> int:
        """Seconds until the next window, rounded up: at least 1 (RFC 9110, 10.2.3)."""
        return -(-(self.length_ms - now % self.length_ms) // 1_000)


class Rates:
    """Requests of one API key, one seat's token or one address.

    A token counts as a seat's once a match has taken it. Until then it may be made up, and who
    makes up a new one for each request must not get a new count with each; so the address is
    counted, as it is for whoever shows nothing. It has the rate of one seat.

    Args:
        tally: the count of all processes. While it is away, each counts alone.
        log: is told once that the tally is away, and once that it is back.
    """

    def __init__(
        self, settings: Settings, clock: Callable[[], int], tally: Tally, log: Any
    ) -> None:
        self._clock = clock
        self._tally = tally
        self._log = log
        self._key = settings.server_key.encode()
        self._away_until: int | None = None
        self._windows = {
            "key": self._read("key", "rate_per_key", settings.rate_per_key),
            "seat": self._read("seat", "rate_per_seat", settings.rate_per_seat),
            "address": self._read("address", "rate_per_seat", settings.rate_per_seat),
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

    def _read(self, kind: str, setting: str, text: str) -> list[Window]:
        try:
            rates = parse_many(text) if text else []
        except ValueError as wrong:
            raise SettingsError(
                f"TYCOON_{setting.upper()} must be a rate such as 200/second, not {text!r}."
            ) from wrong
        return [Window(rate, self._teller(kind, rate)) for rate in rates]

    def _teller(self, kind: str, rate: RateLimitItem) -> Callable[[str, int, int], int | None]:
        length_s = rate.get_expiry()

        def tell(name: str, number: int, asked: int) -> int | None:
            if self._away_until is not None and ahead(self._away_until, self._clock(), AWAY_MS):
                return None
            # Neither a token nor an address is stored anywhere.
            caller = ids.derive(self._key, "rate", kind, name, length=26)
            try:
                # Longer than the window by far: another process's clock may be behind.
                total = self._tally.add(f"{caller}:{length_s}:{number}", asked, 2 * length_s + 5)
            except Unavailable:
                self._away()
                return None
            self._back()
            return total

        return tell

    def _away(self) -> None:
        if self._away_until is None:
            self._log.warning("rates_not_shared", until="the broker answers")
        self._away_until = self._clock() + AWAY_MS

    def _back(self) -> None:
        if self._away_until is not None:
            self._log.warning("rates_shared_again")
        self._away_until = None
