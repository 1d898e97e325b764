"""A deleted series leaves nothing, whoever is still at it."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from services.series.cleaning import LATE_MS, Cleaner, is_due
from services.series.files import Files, folder_of
from shared.errors import Unavailable
from shared.memory_series import MemorySeries
from tests.services.series.dying import (
    Clock,
    check,
    small,
)
from tests.services.series.table import (
    S,
    a_worker,
    all_rows,
    folder,
    stored,
)


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
