"""What is left of series that were deleted, and which are over."""

from __future__ import annotations

import time
from typing import Any

import pytest

from shared.redis_series import RedisSeries
from shared.series_store import SeriesStore
from tests.shared.chunks import (
    LONG,
    ONE,
    S,
    create,
    take,
    take_again,
)


def test_a_deleted_series_is_gone_with_all_that_was_counted(series: SeriesStore) -> None:
    create(series)
    series.save(take(series), b"p", b"s", ONE)
    held = take(series)
    assert series.delete(S)
    assert series.get(S) is None
    assert series.active() == []
    assert series.page("host", after=None, limit=9) == []
    assert series.save(held, b"p", b"s", ONE) == "gone"
    assert series.finish(held, b"s", ONE) == "gone"
    assert series.get(S) is None
    assert not series.delete(S)
    assert take_again(series).part is None


def test_whoever_held_a_series_that_was_deleted_holds_nothing_of_its_successor(
    series: SeriesStore,
) -> None:
    before = create(series)
    late = take(series)
    series.delete(S)
    now = create(series)
    held = take(series)
    assert held.chunk == late.chunk
    assert (late.born, held.born) == (before.born, now.born)
    assert before.born != now.born
    assert not series.renew(late, lease_ms=LONG)
    assert series.save(late, b"p", b"s", ONE) == "lost"
    assert series.finish(late, b"s", ONE) == "lost"
    series.release(late)
    assert series.sums(S) == []
    assert series.finish(held, b"mine", ONE) == "kept"


def test_what_was_deleted_is_remembered_until_it_is_forgotten(series: SeriesStore) -> None:
    births = []
    for name in (S, "s_b", S):
        births.append((name, create(series, name).born))
        series.delete(name)
        time.sleep(0.002)
    later = time.time_ns() // 1_000_000 + LONG
    assert series.deleted(before=later, limit=9) == births
    assert series.deleted(before=later, limit=2) == births[:2]
    assert series.deleted(before=later - 2 * LONG, limit=9) == []
    series.forget(*births[0])
    series.forget(*births[0])
    assert series.deleted(before=later, limit=9) == births[1:]


def test_series_that_are_over_are_found_by_age(series: SeriesStore) -> None:
    for number, owner in enumerate(("host", "host", "guest")):
        create(series, f"s_{number}", owner=owner)
    for name, status in (("s_1", "cancelled"), ("s_2", "done")):
        series.set_status(name, before=("running",), after=status)
    late = 10**15
    assert sorted(series.over(before=late, limit=9)) == [("s_1", "host"), ("s_2", "guest")]
    assert len(series.over(before=late, limit=1)) == 1
    first = series.get("s_1")
    assert first is not None
    assert first.ended_at is not None
    assert ("s_1", "host") not in series.over(before=first.ended_at, limit=9)


def test_nothing_of_a_deleted_series_is_left_on_the_server(any_redis: Any) -> None:
    series = RedisSeries(any_redis)
    create(series)
    series.save(take(series), b"p", b"s", ONE)
    born = take(series).born
    series.delete(S)
    assert list(any_redis.scan_iter()) == [b"{series}:deleted"]
    series.forget(S, born)
    assert any_redis.keys("*") == []


def test_those_that_are_over_are_found_among_many(
    any_redis: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shared.redis_series.LOOK", 2)
    series = RedisSeries(any_redis)
    for number in range(5):
        create(series, f"s_{number}", owner=f"host{number}")
    for number in (0, 3, 4):
        series.set_status(f"s_{number}", before=("running",), after="cancelled")
    found = series.over(before=10**15, limit=9)
    assert sorted(name for name, _ in found) == ["s_0", "s_3", "s_4"]
