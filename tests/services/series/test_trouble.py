"""Whatever is no death of a worker gives the chunk back, and is told."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from services.hosted import Hall
from services.registry import games
from services.series.files import Files
from services.series.working import LEASE_MS, REST_MS
from shared.errors import Newer, places
from shared.memory_series import MemorySeries
from shared.series_store import Counts, SeriesStore
from shared.settings import Settings
from tests.services.series.dying import (
    Clock,
    check,
    finish,
    small,
)
from tests.services.series.table import (
    S,
    a_spec,
    a_worker,
    all_rows,
    stored,
)


class TestTrouble:
    """Whatever is no death gives the chunk back as it was, and counts as none."""

    def untouched(self, store: SeriesStore, clock: Clock) -> None:
        clock.now += REST_MS
        held = store.take(S, lease_ms=LEASE_MS)
        assert held is not None
        assert (held.tries, held.part) == (1, None)
        store.release(held)

    def test_a_worker_that_hosts_no_such_game_leaves_the_series_to_others(
        self, store: MemorySeries, files: Files, clock: Clock
    ) -> None:
        stored(store, small())
        told: list[tuple[str, int | None, str]] = []
        without = Hall(games(Settings()))
        worker = a_worker(store, files, hall=without, report=noting(told))
        for _ in range(6):
            assert worker.work(S) == 0
        assert told == [(S, None, "Newer")], "it says so once"
        self.untouched(store, clock)
        finish(store, files, clock)
        check(store, files, small())

    @pytest.mark.parametrize(
        "newer",
        [
            {"rules": 99},
            {"versions": {"greedy": 99, "random": 1}},
            {"options": {"unheard": 1}},
            {"bots": ("clever", "random"), "versions": {"clever": 1, "random": 1}},
            {"keep": "some"},
        ],
    )
    def test_a_series_of_a_newer_build_is_left_to_it(
        self, store: MemorySeries, files: Files, clock: Clock, newer: dict[str, Any]
    ) -> None:
        stored(store, msgspec.structs.replace(small(), **newer))
        told: list[tuple[str, int | None, str]] = []
        assert a_worker(store, files, report=noting(told)).work(S) == 0
        assert told == [(S, None, "Newer")]
        self.untouched(store, clock)

    @pytest.mark.parametrize("part", [b"not packed", zlib.compress(b'{"chunk":"one"}')])
    def test_a_part_of_a_newer_build_is_left_to_it(
        self, store: MemorySeries, files: Files, clock: Clock, part: bytes
    ) -> None:
        stored(store, small())
        held = store.take(S, lease_ms=LEASE_MS)
        assert held is not None
        store.save(held, part, b"", Counts())
        for _ in range(6):
            assert a_worker(store, files).work(S) == 0
        held = store.take(S, lease_ms=LEASE_MS)
        assert held is not None
        assert (held.chunk, held.tries, held.part) == (0, 1, part)

    def test_a_defect_of_our_own_is_told_and_is_no_death(
        self, store: MemorySeries, files: Files, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stored(store, small(keep="all"))
        told: list[tuple[str, int | None, str]] = []

        def wrong(*args: Any) -> None:
            raise KeyError("secret")

        with monkeypatch.context() as broken:
            broken.setattr("services.series.slicing.transcript.write", wrong)
            for _ in range(6):
                with pytest.raises(KeyError):
                    a_worker(store, files, report=noting(told)).work(S)
                taken = store.take(S, lease_ms=LEASE_MS)
                assert taken is not None
                assert taken.chunk > 0, "this chunk rests"
                store.release(taken)
                clock.now += REST_MS
        assert told == [(S, None, "KeyError")] * 6
        self.untouched(store, clock)
        finish(store, files, clock)
        check(store, files, small())

    def test_a_machine_without_memory_makes_no_row(
        self, store: MemorySeries, files: Files, clock: Clock
    ) -> None:
        stored(store, small())

        def full(ms: int) -> Any:
            raise MemoryError

        with pytest.raises(MemoryError):
            a_worker(store, files, limit=full).work(S)
        finish(store, files, clock)
        check(store, files, small())

    def test_a_match_that_breaks_off_is_told_with_its_number(
        self, store: MemorySeries, files: Files
    ) -> None:
        spec = a_spec("random", "random", game="raising", matches=60)
        stored(store, spec)
        told: list[tuple[str, int | None, str]] = []
        a_worker(store, files, report=noting(told)).work(S)
        failed = [row.match for row in all_rows(spec) if row.failed]
        assert sorted(told, key=lambda line: line[1] or 0) == [(S, n, "Defect") for n in failed]
        assert failed


def noting(told: list[tuple[str, int | None, str]]) -> Callable[[str, int | None, Exception], None]:
    def note(series: str, match: int | None, broken: Exception) -> None:
        assert places(broken) or isinstance(broken, Newer)
        told.append((series, match, type(broken).__name__))

    return note
