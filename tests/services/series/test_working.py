"""A worker at a series: whatever dies whenever, every match counts once and is the same."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from services.hosted import Hall
from services.matches.limits import limit
from services.registry import games
from services.series.cleaning import LATE_MS, Cleaner, is_due
from services.series.files import Files, folder_of
from services.series.part import DIED, Part
from services.series.rows import Row
from services.series.slicing import LONG_MS, SAVE_MS
from services.series.spec import Spec
from services.series.working import INSIST_MS, LEASE_MS, REST_MS
from shared.errors import Newer, Unavailable, places
from shared.memory_series import MemorySeries
from shared.series_store import Counts, Held, SeriesStore
from shared.settings import Settings
from tests.services.series.table import (
    S,
    a_spec,
    a_worker,
    all_rows,
    every,
    expected,
    folder,
    played,
    rows_of,
    stored,
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


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(clock: Clock) -> MemorySeries:
    return MemorySeries(clock)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(str(tmp_path))


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


def dies_at(thought: int) -> Callable[[int], Any]:
    thoughts = iter(range(10**9))

    def limit(ms: int) -> Any:
        if next(thoughts) == thought:
            raise Killed
        return nullcontext()

    return limit


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

    def test_what_is_written_after_a_delete_is_removed(
        self, store: MemorySeries, files: Files, tmp_path: Path
    ) -> None:
        stored(store, small(keep="all"))

        def deleting(ms: int) -> Any:
            if store.get(S) is not None:
                gone = folder(store)
                store.delete(S)
                files.remove(gone)
            return nullcontext()

        a_worker(store, files, limit=deleting).work(S)
        assert store.get(S) is None
        assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


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


class TestDeleting:
    def test_what_a_late_worker_removes_is_not_its_successors(
        self, store: MemorySeries, files: Files, clock: Clock
    ) -> None:
        spec = small(keep="all")
        stored(store, spec)

        def sleeping(ms: int) -> Any:
            if clock.now == 0:
                clock.now = 1
                store.delete(S)
                stored(store, spec)
                a_worker(store, files).work(S)
            return nullcontext()

        a_worker(store, files, limit=sleeping).work(S)
        check(store, files, spec)
        for row in all_rows(spec):
            assert row.digest is not None
            assert files.transcript(folder(store), row.match, row.digest)

    def test_a_chunk_is_played_by_the_series_it_is_of(
        self, store: MemorySeries, files: Files
    ) -> None:
        """The other one comes between the look and the take."""
        other = small(seed="77" * 32)
        stored(store, small())

        class Between:
            def __getattr__(self, name: str) -> Any:
                if name == "take" and store.get(S) is not None:
                    store.delete(S)
                    stored(store, other)
                return getattr(store, name)

        assert a_worker(Between(), files).work(S) == 0  # type: ignore[arg-type]  # as a store
        a_worker(store, files).work(S)
        check(store, files, other)

    def test_what_a_killed_worker_wrote_after_a_delete_is_cleaned_once(
        self, store: MemorySeries, files: Files, clock: Clock, tmp_path: Path
    ) -> None:
        stored(store, small(keep="all"))
        stored(store, small(keep="all"), "s_other")
        a_worker(store, files).work("s_other")
        record = store.get(S)
        assert record is not None
        store.delete(S)
        files.write_transcript(folder_of(S, record.born), 0, "ab" * 32, [b"late"])
        cleaner = Cleaner(store, files, clock)
        assert (is_due(store, clock.now), cleaner.clean()) == (False, 0), "it may write yet"
        clock.now += LATE_MS + 1
        assert is_due(store, clock.now)
        assert cleaner.clean() == 1
        assert [path.name.split("-")[0] for path in tmp_path.glob("series/*")] == ["s_other"]
        assert (is_due(store, clock.now), cleaner.clean()) == (False, 0)

    def test_files_that_are_away_are_cleaned_later(
        self, store: MemorySeries, files: Files, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stored(store, small())
        store.delete(S)
        clock.now += LATE_MS + 1

        def away(series: str) -> None:
            raise Unavailable("series.files-unavailable", "away")

        with monkeypatch.context() as broken:
            broken.setattr(files, "remove", away)
            with pytest.raises(Unavailable):
                Cleaner(store, files, clock).clean()
        assert Cleaner(store, files, clock).clean() == 1


class TestSaving:
    """How much a killed worker takes along."""

    def killed_at(
        self,
        store: MemorySeries,
        files: Files,
        monkeypatch: pytest.MonkeyPatch,
        thought: int,
        thought_ms: int,
    ) -> tuple[int, int]:
        """Matches that were over when it was killed, and those that the next one knows."""
        now = [0]
        thoughts = iter(range(10**9))
        over: list[int] = []
        count_over = Part.ended

        def limit(ms: int) -> Any:
            if next(thoughts) == thought:
                raise Killed
            now[0] += thought_ms
            return nullcontext()

        def ended(part: Part, row: Row, *more: Any) -> Part:
            over.append(row.match)
            return count_over(part, row, *more)

        monkeypatch.setattr(Part, "ended", ended)
        monkeypatch.setattr("services.series.playing.microseconds", lambda: now[0] * 1000)
        with pytest.raises(Killed):
            a_worker(store, files, limit=limit, clock=lambda: now[0]).work(S)
        record = store.get(S)
        assert record is not None
        return len(over), record.counts.done

    @pytest.mark.parametrize("thought", [10, 40, 77, 130, 205])
    def test_of_short_matches_no_more_than_those_of_a_second(
        self,
        store: MemorySeries,
        files: Files,
        monkeypatch: pytest.MonkeyPatch,
        thought: int,
    ) -> None:
        spec = a_spec("random", "random", matches=12_000)
        longest = max(sum(played(spec, number).row.moves) for number in range(60))
        stored(store, spec)
        over, saved = self.killed_at(store, files, monkeypatch, thought, 10)
        assert over >= thought // 9
        assert (over - saved) * 5 * 10 <= SAVE_MS + longest * 10

    @pytest.mark.parametrize("thought", [10, 20, 30])
    def test_of_long_matches_only_the_one_it_was_at(
        self,
        store: MemorySeries,
        files: Files,
        monkeypatch: pytest.MonkeyPatch,
        thought: int,
    ) -> None:
        stored(store, a_spec("random", "random", matches=12_000))
        over, saved = self.killed_at(store, files, monkeypatch, thought, -(-LONG_MS // 5))
        assert over == saved > 0

    def test_who_lost_the_chunk_plays_it_no_further(
        self, store: MemorySeries, files: Files, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stored(store, a_spec("random", "random", matches=12_000))
        now = [0]

        def cancelling(ms: int) -> Any:
            now[0] += LONG_MS
            store.set_status(S, before=["running"], after="cancelled")
            return nullcontext()

        monkeypatch.setattr("services.series.playing.microseconds", lambda: now[0] * 1000)
        a_worker(store, files, limit=cancelling).work(S)
        assert now[0] <= 9 * LONG_MS, "one match"


def test_who_is_asked_to_stop_does_not_think_to_the_end(store: MemorySeries, files: Files) -> None:
    spec = a_spec("stalls", "stalls", matches=4)
    stored(store, spec)
    asked_at = time.monotonic() + 0.3

    def stopping() -> bool:
        return time.monotonic() >= asked_at

    a_worker(store, files, limit=partial(limit, stop=stopping), stopping=stopping).work(S)
    assert time.monotonic() - asked_at < 2
    held = store.take(S, lease_ms=LEASE_MS)
    assert held is not None
    assert held.tries == 1
    assert held.part is not None
    assert Part.read(held.part).answers == (), "whoever goes on thinks again"


def test_who_is_asked_to_stop_does_not_insist_for_long(
    store: MemorySeries, files: Files, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(store, small())
    stop = [False]

    def stopping(ms: int) -> Any:
        stop[0] = True
        return nullcontext()

    def away(*args: Any, **more: Any) -> str:
        raise Unavailable("store.unavailable", "away")

    monkeypatch.setattr(store, "save", away)
    worker = a_worker(
        store, files, limit=stopping, stopping=lambda: stop[0], clock=clock, wait=clock.wait
    )
    with pytest.raises(Unavailable):
        worker.work(S)
    assert clock.now < 2_000
