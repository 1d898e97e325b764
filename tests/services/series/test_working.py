"""A worker at a series: whatever dies whenever, every match counts once and is the same."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from services.series.files import Files
from services.series.part import DIED
from services.series.working import INSIST_MS, LEASE_MS
from shared.errors import Unavailable
from shared.memory_series import MemorySeries
from shared.series_store import Held
from tests.services.series.dying import (
    SPEC,
    Clock,
    Dying,
    Killed,
    check,
    dies_at,
    finish,
    small,
    status,
)
from tests.services.series.table import (
    S,
    a_spec,
    a_worker,
    all_rows,
    every,
    rows_of,
    stored,
    sums_of,
)


def test_one_worker_plays_it_all(store: MemorySeries, files: Files, clock: Clock) -> None:
    stored(store, SPEC)
    slices = a_worker(store, files).work(S)
    assert slices == SPEC.chunks == 75
    check(store, files, SPEC)
    assert a_worker(store, files).work(S) == 0


def test_an_unknown_series_is_no_work(store: MemorySeries, files: Files) -> None:
    assert a_worker(store, files).work("s_unknown") == 0


@pytest.mark.parametrize("moves", [2, 3, 20])
def test_however_short_the_slices_are(
    store: MemorySeries, files: Files, clock: Clock, moves: int
) -> None:
    stored(store, small())
    worker = a_worker(store, files, stopping=every(moves))
    while status(store) == "running":
        worker.work(S)
    check(store, files, small())


@pytest.mark.parametrize("after", [False, True])
def test_who_dies_at_any_call_of_the_store_costs_nothing(
    files: Files, clock: Clock, after: bool
) -> None:
    spec = small()
    for at in range(100):
        store = MemorySeries(clock)
        stored(store, spec)
        dying = a_worker(
            Dying(store, at, after=after, error=Killed()),  # type: ignore[arg-type]  # any call
            files,
            stopping=every(12),
        )
        try:
            while status(store) == "running":
                dying.work(S)
        except Killed:
            finish(store, files, clock)
            check(store, files, spec)
        else:
            assert at > 12, "it died at many calls"
            return
    raise AssertionError("it never lived through")


def test_who_dies_at_any_thought_costs_nothing(files: Files, clock: Clock) -> None:
    spec = small()
    thoughts = sum(sum(row.moves) for row in all_rows(spec))
    for at in range(0, thoughts, 3):
        store = MemorySeries(clock)
        stored(store, spec)
        with pytest.raises(Killed):
            a_worker(store, files, limit=dies_at(at)).work(S)
        finish(store, files, clock)
        check(store, files, spec)


def test_a_worker_that_was_slow_is_refused_and_counts_nothing_twice(
    store: MemorySeries, files: Files, clock: Clock
) -> None:
    spec = small()
    stored(store, spec)

    def sleeping(ms: int) -> Any:
        if clock.now == 0:
            clock.now = LEASE_MS
            assert a_worker(store, files).work(S) == spec.chunks, "the other one takes it over"
        return nullcontext()

    a_worker(store, files, limit=sleeping).work(S)
    check(store, files, spec)


@pytest.mark.parametrize("after", [False, True])
def test_a_store_that_is_away_for_a_moment_costs_nothing(
    files: Files, clock: Clock, after: bool
) -> None:
    spec = small()
    for at in range(60):
        store = MemorySeries(clock)
        stored(store, spec)
        away = Unavailable("store.unavailable", "away")
        worker = a_worker(
            Dying(store, at, after=after, error=away),  # type: ignore[arg-type]  # any call
            files,
            stopping=every(12),
            clock=clock,
            wait=clock.wait,
        )
        lost = 0
        for _ in range(60):
            try:
                worker.work(S)
            except Unavailable:
                lost += 1
                clock.now += LEASE_MS
        assert lost <= 1
        check(store, files, spec)


def test_who_could_not_bring_it_back_did_not_die_of_it(
    store: MemorySeries, files: Files, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(store, small())

    def away(*args: Any) -> str:
        raise Unavailable("series.files-unavailable", "away")

    with monkeypatch.context() as broken:
        broken.setattr(files, "write_rows", away)
        for _ in range(9):
            began = clock.now
            with pytest.raises(Unavailable):
                a_worker(store, files, clock=clock, wait=clock.wait).work(S)
            assert INSIST_MS <= clock.now - began < INSIST_MS + 1_000
    finish(store, files, clock)
    check(store, files, small())


def test_a_match_that_kills_its_process_is_passed_over_and_every_other_is_played(
    store: MemorySeries, files: Files, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die() -> None:
        raise Killed

    monkeypatch.setattr("tests.toys.breaking.die", die)
    spec = a_spec("random", "random", matches=400, game="deadly", paired=False)
    sound = all_rows(a_spec("random", "random", matches=400, game="raising", paired=False))
    fatal = [row.match for row in sound if row.failed]
    assert 10 < len(fatal) < 100
    stored(store, spec)
    deaths = 0
    while status(store) == "running":
        try:
            a_worker(store, files).work(S)
        except Killed:
            deaths += 1
            clock.now += LEASE_MS
    rows = rows_of(store, files, spec)
    assert [row.match for row in rows if row.failed == DIED] == fatal
    assert [row.match for row in rows] == list(range(400))
    assert len(fatal) < deaths <= 4 * len(fatal)
    assert sums_of(store)["errors"] == {DIED: len(fatal)}


class TestStatus:
    def test_a_pause_ends_the_work_and_keeps_it(
        self, store: MemorySeries, files: Files, clock: Clock
    ) -> None:
        stored(store, small())
        a_worker(store, files, stopping=every(12)).work(S)
        store.set_status(S, before=["running"], after="paused")
        assert a_worker(store, files).work(S) == 0
        store.set_status(S, before=["paused"], after="running")
        a_worker(store, files).work(S)
        check(store, files, small())

    def test_a_pause_while_it_plays_loses_nothing(
        self, store: MemorySeries, files: Files, clock: Clock
    ) -> None:
        stored(store, small())

        def pausing(ms: int) -> Any:
            store.set_status(S, before=["running"], after="paused")
            return nullcontext()

        assert a_worker(store, files, limit=pausing).work(S) == 1
        assert status(store) == "paused"
        record = store.get(S)
        assert record is not None
        assert record.counts.done == small().chunk_size
        store.set_status(S, before=["paused"], after="running")
        a_worker(store, files).work(S)
        check(store, files, small())

    def test_what_is_played_after_a_cancel_is_not_counted(
        self, store: MemorySeries, files: Files
    ) -> None:
        stored(store, small())

        def cancelling(ms: int) -> Any:
            store.set_status(S, before=["running"], after="cancelled")
            return nullcontext()

        a_worker(store, files, limit=cancelling).work(S)
        assert store.sums(S) == []

    def test_a_store_that_knows_a_series_no_more_costs_it_no_file(
        self, store: MemorySeries, files: Files, tmp_path: Path
    ) -> None:
        """It may have lost everything and get it back: what was deleted the cleaner removes."""
        stored(store, small(keep="all"))

        def losing(ms: int) -> Any:
            store._series.clear()
            return nullcontext()

        a_worker(store, files, limit=losing).work(S)
        assert store.get(S) is None
        assert [path for path in tmp_path.rglob("rows/*") if path.is_file()] != []


def test_who_is_asked_to_stop_brings_back_what_it_has(store: MemorySeries, files: Files) -> None:
    stored(store, small())
    stop = [False]

    def stopping(ms: int) -> Any:
        stop[0] = True
        return nullcontext()

    assert a_worker(store, files, limit=stopping, stopping=lambda: stop[0]).work(S) == 1
    held = store.take(S, lease_ms=LEASE_MS)
    assert isinstance(held, Held), "it was given back at once"
    assert held.part is not None
    assert held.tries == 1


def test_at_once_bounds_the_workers(store: MemorySeries, files: Files) -> None:
    spec = small(at_once=1)
    stored(store, spec)
    store.take(S, lease_ms=LEASE_MS)
    assert a_worker(store, files).work(S) == 0


def test_kept_transcripts_are_there_once_whoever_wrote_them(
    store: MemorySeries, files: Files, clock: Clock, tmp_path: Path
) -> None:
    spec = small(keep="all")
    stored(store, spec)
    with pytest.raises(Killed):
        a_worker(store, files, limit=dies_at(20)).work(S)
    finish(store, files, clock)
    found = sorted(int(p.name.split("-")[0]) for p in tmp_path.glob("series/*/matches/*"))
    assert found == list(range(spec.matches))
