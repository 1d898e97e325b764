"""A series as a whole: taken out of the store, and put back."""

from __future__ import annotations

from typing import Any

import msgspec

from shared.series_store import Counts, Held, SeriesStore, WholeSeries
from tests.shared.chunks import (
    LONG,
    ONE,
    SHORT,
    S,
    create,
    finish,
    found,
    new,
    take,
)
from tests.shared.conftest import eventually


def whole(series: SeriesStore, name: str = S) -> WholeSeries:
    kept = series.whole(name)
    assert kept is not None
    return kept


def elsewhere(series: SeriesStore, **changes: Any) -> WholeSeries:
    """The series as it is now, put back under another id."""
    kept = msgspec.structs.replace(whole(series), **{"id": "s_b", "owner": "other", **changes})
    assert series.put_back(kept)
    return kept


def in_the_middle(series: SeriesStore) -> Held:
    """One chunk finished, one whose first holder was killed and that is held again; who has it."""
    create(series, chunks=4, at_once=3)
    finish(series)
    assert series.save(take(series), b"part", b"some", Counts(1, 1, 5)) == "kept"
    series.take(S, lease_ms=SHORT)
    eventually(lambda: found(series).held == 0)
    again = take(series)
    assert (again.chunk, again.tries) == (1, 2)
    return again


def test_a_whole_series_is_all_that_was_kept_of_it(series: SeriesStore) -> None:
    assert series.whole(S) is None
    in_the_middle(series)
    record = found(series)
    kept = whole(series)
    assert 0 <= kept.ran_ms - record.ran_ms < 5_000
    assert msgspec.structs.replace(kept, ran_ms=0) == WholeSeries(
        id=S,
        owner="host",
        body="b",
        spec=b"{}",
        chunks=4,
        at_once=3,
        status="running",
        born=record.born,
        created_at=1_700_000_000_000,
        started_at=record.started_at,
        open=(1, 2, 3),
        tries={1: 1},  # who was killed counts, who holds it now does not
        parts={1: b"part"},
        sums={0: b"sums", 1: b"some"},
        counts={0: ONE, 1: Counts(1, 1, 5)},
    )
    assert series.ids() == [S]


def test_a_series_that_is_put_back_goes_on_where_it_was(series: SeriesStore) -> None:
    in_the_middle(series)
    kept = elsewhere(series)
    assert not series.put_back(kept), "it is here"
    assert whole(series, "s_b") == kept
    record, before = found(series, "s_b"), found(series)
    assert (record.counts, record.held, record.born) == (before.counts, 0, before.born)
    assert [r.id for r in series.page("other", after=None, limit=9)] == ["s_b"]
    assert (S, 2) in series.active()
    assert ("s_b", 3) in series.active()
    assert sorted(series.ids()) == [S, "s_b"]
    for wanted in ((1, 2, b"part"), (2, 1, None), (3, 1, None)):
        held = series.take("s_b", lease_ms=LONG)
        assert held is not None
        assert (held.chunk, held.tries, held.part) == wanted
        assert series.finish(held, b"end", ONE) == "kept"
    assert found(series, "s_b").status == "done"


def test_no_lease_from_before_is_good_for_what_was_put_back(series: SeriesStore) -> None:
    held = in_the_middle(series)
    kept = whole(series)
    series.delete(S)
    series.forget(S, kept.born)
    assert series.put_back(kept)
    now = take(series)
    assert now.chunk == held.chunk
    assert now.token > held.token
    assert series.finish(held, b"late", ONE) == "lost"
    assert not series.renew(held, lease_ms=LONG)
    assert series.finish(now, b"good", ONE) == "kept"


def test_what_is_over_or_paused_comes_back_so(series: SeriesStore) -> None:
    create(series)
    finish(series)
    for status in ("paused", "cancelled"):
        series.set_status(S, before=["running", "paused"], after=status)
        kept = elsewhere(series, id=f"s_{status}")
        assert whole(series, kept.id) == kept
        assert found(series, kept.id).status == status
        assert found(series, kept.id).ended_at == found(series).ended_at
        assert series.take(kept.id, lease_ms=LONG) is None
    assert series.active() == []
    # The paused one counts for its owner's limit, the cancelled one does not.
    assert series.create(new("s_1", owner="other"), limit=2) is not None
    assert series.create(new("s_2", owner="other"), limit=2) is None


def test_a_series_whose_files_are_to_be_removed_does_not_come_back(series: SeriesStore) -> None:
    create(series)
    kept = whole(series)
    series.delete(S)
    assert not series.put_back(kept)
    assert series.get(S) is None
    series.forget(S, kept.born)
    assert series.put_back(kept)


def test_that_a_series_was_deleted_is_put_back_unless_it_is_here(series: SeriesStore) -> None:
    born = create(series).born
    series.put_back_deleted(S, born)
    assert series.deleted(before=10**15, limit=9) == []
    series.put_back_deleted(S, born + 1)
    series.put_back_deleted(S, born + 1)
    assert series.deleted(before=10**15, limit=9) == [(S, born + 1)]
