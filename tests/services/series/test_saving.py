"""How much is played again after a death, and how soon a worker stops."""

from __future__ import annotations

import time
from contextlib import nullcontext
from functools import partial
from typing import Any

import pytest

from services.matches.limits import limit
from services.series.files import Files
from services.series.part import Part
from services.series.rows import Row
from services.series.slicing import LONG_MS, SAVE_MS
from services.series.working import LEASE_MS
from shared.errors import Unavailable
from shared.memory_series import MemorySeries
from tests.services.series.dying import (
    Clock,
    Killed,
    small,
)
from tests.services.series.table import (
    S,
    a_spec,
    a_worker,
    played,
    stored,
)


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
