"""Workers that die at a series, and what must hold after that."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from services.series.files import Files
from services.series.spec import Spec
from services.series.working import LEASE_MS
from shared.series_store import SeriesStore
from tests.services.series.table import (
    S,
    a_spec,
    a_worker,
    all_rows,
    expected,
    rows_of,
    sums_of,
)


class Killed(BaseException):
    """The end of a process: nothing of it gets another chance."""


class Clock:
    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now

    def wait(self, ms: int) -> None:
        self.now += ms


class Dying:
    """A store whose caller dies, or loses the store, at its calls: before or after they are done.

    `kinds` says which calls count; `at` which of them is the fatal one.
    """

    def __init__(self, store: SeriesStore, at: int, *, after: bool, error: BaseException) -> None:
        self._store = store
        self._left = at
        self._after = after
        self._error = error

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._store, name)

        def made(*args: Any, **more: Any) -> Any:
            fatal = self._left == 0
            self._left -= 1
            if fatal and not self._after:
                raise self._error
            answer = call(*args, **more)
            if fatal:
                raise self._error
            return answer

        return made


SPEC = a_spec("greedy", "random", matches=300)
"""A chunk has four matches."""


def small(**more: Any) -> Spec:
    return a_spec("greedy", "random", **{"matches": 6, **more})


def status(store: SeriesStore) -> str:
    record = store.get(S)
    assert record is not None
    return record.status


def finish(store: SeriesStore, files: Files, clock: Clock) -> None:
    """Another worker, when every lease has run out."""
    clock.now += LEASE_MS
    worker = a_worker(store, files, clock=clock)
    for _ in range(1_000):
        if status(store) == "done":
            return
        worker.work(S)
        clock.now += LEASE_MS
    raise AssertionError("the series does not end")


def check(store: SeriesStore, files: Files, spec: Spec) -> None:
    assert status(store) == "done"
    assert sums_of(store) == expected(spec)
    assert rows_of(store, files, spec) == all_rows(spec)
    record = store.get(S)
    assert record is not None
    assert record.counts.done + record.counts.failed == spec.matches


def dies_at(thought: int) -> Callable[[int], Any]:
    thoughts = iter(range(10**9))

    def limit(ms: int) -> Any:
        if next(thoughts) == thought:
            raise Killed
        return nullcontext()

    return limit
