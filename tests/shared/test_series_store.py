"""What a store of series promises: their life, their status, their pages."""

from __future__ import annotations

import time
from typing import Any

from shared.redis_keys import series_keys
from shared.redis_series import RedisSeries
from shared.series_store import Counts, SeriesStore
from tests.shared.chunks import (
    LIMIT,
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


def test_a_new_series_runs_and_nothing_of_it_is_held(series: SeriesStore) -> None:
    record = create(series, spec=b'{"matches": 9}')
    assert record == found(series)
    assert (record.status, record.owner, record.body, record.spec) == (
        "running",
        "host",
        "b",
        b'{"matches": 9}',
    )
    assert (record.started_at, record.ended_at, record.ran_ms) == (None, None, 0)
    assert (record.counts, record.held) == (Counts(), 0)
    assert series.sums(S) == []
    assert series.active() == [(S, 2)]


def test_a_repeated_create_changes_nothing(series: SeriesStore) -> None:
    create(series)
    finish(series)
    again = create(series, body="other", chunks=9)
    assert (again.body, again.counts) == ("b", ONE)


def test_an_owner_has_a_limit_of_series_that_are_not_over(series: SeriesStore) -> None:
    for name in ("s_1", "s_2", "s_3"):
        create(series, name)
    assert series.create(new("s_4"), limit=LIMIT) is None
    assert series.get("s_4") is None
    assert series.create(new("s_1"), limit=LIMIT) is not None, "a repeat is no new one"
    create(series, "s_5", owner="other")
    series.set_status("s_2", before=["running"], after="cancelled")
    create(series, "s_4")
    series.delete("s_4")
    create(series, "s_6")
    assert series.create(new("s_7"), limit=LIMIT) is None


def test_an_unknown_series_is_nothing(series: SeriesStore) -> None:
    assert series.get(S) is None
    assert series.take(S, lease_ms=LONG) is None
    assert series.set_status(S, before=["running"], after="paused") is None
    assert not series.delete(S)
    assert series.sums(S) == []
    assert series.part(S, 0) is None
    assert series.active() == []


def test_with_its_last_chunk_a_series_is_done(series: SeriesStore) -> None:
    create(series)
    for _ in range(2):
        finish(series)
    assert found(series).status == "running"
    finish(series)
    record = found(series)
    assert (record.status, record.counts, record.held) == ("done", Counts(3, 0, 30), 0)
    assert record.started_at is not None
    assert record.ended_at is not None
    assert record.started_at <= record.ended_at
    assert [finished for _, finished, _ in series.sums(S)] == [True] * 3
    assert series.active() == []
    assert series.take(S, lease_ms=LONG) is None


def test_a_paused_series_gives_no_chunk_but_keeps_what_is_brought(series: SeriesStore) -> None:
    create(series)
    one, two = take(series), take(series)
    record = series.set_status(S, before=["running"], after="paused")
    assert record is not None
    assert record.status == "paused"
    assert series.active() == []
    assert series.renew(one, lease_ms=LONG)
    assert series.save(one, b"p", b"s", ONE) == "kept"
    assert series.finish(two, b"s", ONE) == "kept"
    assert series.take(S, lease_ms=LONG) is None
    series.set_status(S, before=["paused"], after="running")
    assert series.active() == [(S, 2)]
    assert take(series).part == b"p"


def test_time_runs_from_the_first_take_but_not_in_a_pause(series: SeriesStore) -> None:
    create(series)
    time.sleep(0.02)
    assert found(series).ran_ms == 0
    held = take(series)
    ran = eventually(lambda: found(series).ran_ms >= 10 and found(series).ran_ms)
    paused = series.set_status(S, before=["running"], after="paused")
    assert paused is not None
    assert paused.ran_ms >= ran
    time.sleep(0.02)
    assert found(series).ran_ms == paused.ran_ms
    series.set_status(S, before=["paused"], after="running")
    series.finish(held, b"s", ONE)
    assert found(series).ran_ms == paused.ran_ms, "nobody works yet"
    take(series)
    eventually(lambda: found(series).ran_ms > paused.ran_ms)


def test_a_cancelled_series_stays_as_it_was(series: SeriesStore) -> None:
    create(series)
    series.save(take(series), b"p", b"s", ONE)
    held = take(series)
    record = series.set_status(S, before=["running", "paused"], after="cancelled")
    assert record is not None
    assert (record.status, record.held, record.counts) == ("cancelled", 0, ONE)
    assert record.ended_at is not None
    assert not series.renew(held, lease_ms=LONG)
    assert series.save(held, b"q", b"t", Counts(2)) == "lost"
    assert series.finish(held, b"t", Counts(2)) == "lost"
    assert series.take(S, lease_ms=LONG) is None
    assert series.sums(S) == [(0, False, b"s")]
    assert series.part(S, 0) == b"p"
    assert found(series).counts == ONE


def test_a_status_changes_only_from_those_that_are_named(series: SeriesStore) -> None:
    create(series)
    series.set_status(S, before=["running"], after="cancelled")
    ended = found(series)
    after = series.set_status(S, before=["running", "paused"], after="paused")
    assert after == ended


def test_pages_are_by_creation_then_id_and_of_one_owner(series: SeriesStore) -> None:
    create(series, "s_c", created_at=2)
    create(series, "s_b", created_at=2)
    create(series, "s_a", created_at=10)
    create(series, "s_o", owner="hos", created_at=1)
    create(series, "s_p", owner="host2", created_at=1)

    def page(after: tuple[int, str] | None, limit: int) -> list[str]:
        return [record.id for record in series.page("host", after=after, limit=limit)]

    assert page(None, 9) == ["s_b", "s_c", "s_a"]
    assert page(None, 2) == ["s_b", "s_c"]
    assert page((2, "s_b"), 9) == ["s_c", "s_a"]
    assert page((10, "s_a"), 9) == []


def test_what_runs_is_listed_by_creation_with_its_room(series: SeriesStore) -> None:
    create(series, "s_b", created_at=5, chunks=1)
    create(series, S, created_at=4, chunks=10, at_once=4)
    take(series)
    held = take(series)
    assert series.active() == [(S, 2), ("s_b", 1)]
    series.renew(held, lease_ms=SHORT)
    assert eventually(lambda: series.active() == [(S, 3), ("s_b", 1)])


def test_a_page_is_full_though_some_of_it_were_deleted_meanwhile(any_redis: Any) -> None:
    series = RedisSeries(any_redis)
    for number in range(9):
        assert series.create(new(f"s_{number}", created_at=number), limit=9) is not None
    for number in (0, 1, 2, 5, 8):
        any_redis.delete(series_keys(f"s_{number}").record)  # as between two looks at the server

    def page(limit: int) -> list[str]:
        return [record.id for record in series.page("host", after=None, limit=limit)]

    assert page(2) == ["s_3", "s_4"]
    assert page(3) == ["s_3", "s_4", "s_6"]
    assert page(9) == ["s_3", "s_4", "s_6", "s_7"]


def test_the_keys_of_all_series_lie_in_one_slot(any_redis: Any) -> None:
    series = RedisSeries(any_redis)
    create(series)
    series.save(take(series), b"p", b"s", ONE)
    take(series)
    keys = list(any_redis.scan_iter())
    assert len(keys) == 10
    assert all(key.startswith(b"{series}:") for key in keys)
