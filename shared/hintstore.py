"""Hints as they are stored: at most one for each seat of a match, for an hour.

A hint is asked for, taken by a worker, and answered. A task that got lost holds up nobody: once the
lease of whoever should be at it is over, the hint is asked for anew. Adapters: `MemoryHints`, and
`RedisHints` in `redis_hintstore.py`, under one suite (`tests/shared/test_hint_store.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock
from typing import Protocol

from shared.clocks import ahead

KEEP_MS = 3_600_000
"""So long a hint is kept after it was asked for or answered."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What was asked for: at which version, by the holder of which epoch, from which level.

    `answer` is JSON; `None` while nobody has answered.
    """

    version: int
    epoch: int
    level: str
    answer: bytes | None = None


@dataclass(frozen=True, slots=True)
class HintLease:
    """A hint that a worker is at; `token` is known to nobody else."""

    match: str
    seat: int
    token: int
    hint: Hint


class HintInWork(Exception):
    """A hint for another version of this seat's match is being thought."""


class HintStore(Protocol):
    """Hints by match and seat."""

    def ask(self, match: str, seat: int, wanted: Hint, *, lease_ms: int) -> tuple[Hint, bool]:
        """Asks for a hint; what stands there now, and whether a task must be sent for it.

        One of the same version and epoch stays as it is: while it is thought, whatever its level,
        unless its lease is over; once it is answered, for its own level. One of another epoch is
        nobody's any more.

        Raises:
            HintInWork: the same holder's hint for another version, whose lease is not over.
        """
        ...

    def look(self, match: str, seat: int) -> Hint | None:
        """The seat's hint, whoever asked for it."""
        ...

    def take(self, match: str, seat: int, version: int, *, lease_ms: int) -> HintLease | None:
        """Begins to think; `None` where none is asked at this version, or somebody is at it."""
        ...

    def answer(self, lease: HintLease, answer: bytes) -> bool:
        """Keeps the answer; whether the lease was still ours."""
        ...

    def drop(self, lease: HintLease) -> bool:
        """Takes the hint away, that another may be asked for; whether the lease was still ours."""
        ...


@dataclass(frozen=True, slots=True)
class _Held:
    hint: Hint
    until: int
    token: int
    expires: int
    begun: bool = False


class MemoryHints:
    """`HintStore` in memory. `clock` gives ms; any starting point will do."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._lock = Lock()
        self._held: dict[tuple[str, int], _Held] = {}
        self._tokens = 0

    def ask(self, match: str, seat: int, wanted: Hint, *, lease_ms: int) -> tuple[Hint, bool]:
        with self._lock:
            now, held = self._clock(), self._at(match, seat)
            if held is not None and held.hint.epoch == wanted.epoch:
                waited_for = held.hint.answer is None and ahead(held.until, now)
                there = held.hint.answer is not None and held.hint.level == wanted.level
                if held.hint.version == wanted.version and (there or waited_for):
                    return held.hint, False
                if waited_for:
                    raise HintInWork
            self._put(match, seat, _Held(wanted, now + lease_ms, self._token(), now + KEEP_MS))
            return wanted, True

    def look(self, match: str, seat: int) -> Hint | None:
        with self._lock:
            held = self._at(match, seat)
            return None if held is None else held.hint

    def take(self, match: str, seat: int, version: int, *, lease_ms: int) -> HintLease | None:
        with self._lock:
            now, held = self._clock(), self._at(match, seat)
            if held is None or held.hint.version != version or held.hint.answer is not None:
                return None
            if held.begun and ahead(held.until, now):
                return None
            token = self._token()
            self._put(match, seat, replace(held, until=now + lease_ms, token=token, begun=True))
            return HintLease(match, seat, token, held.hint)

    def answer(self, lease: HintLease, answer: bytes) -> bool:
        with self._lock:
            held = self._at(lease.match, lease.seat)
            if held is None or held.token != lease.token:
                return False
            hint, expires = replace(held.hint, answer=answer), self._clock() + KEEP_MS
            self._put(lease.match, lease.seat, replace(held, hint=hint, expires=expires))
            return True

    def drop(self, lease: HintLease) -> bool:
        with self._lock:
            held = self._at(lease.match, lease.seat)
            if held is None or held.token != lease.token:
                return False
            del self._held[lease.match, lease.seat]
            return True

    def _at(self, match: str, seat: int) -> _Held | None:
        held = self._held.get((match, seat))
        return None if held is None or held.expires <= self._clock() else held

    def _put(self, match: str, seat: int, held: _Held) -> None:
        self._held[match, seat] = held

    def _token(self) -> int:
        self._tokens += 1
        return self._tokens
