"""Who works at which chunk of a series, and that nothing counts twice. Held by every adapter.

A server's clock can't be set, so leases that must end are short and waited for, and those that
must not end are long.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest

from shared.clocks import LONGEST_MS
from shared.redis_keys import series_keys
from shared.redis_series import RedisSeries
from shared.series_store import Counts, Held, NewRecord, Record, SeriesStore, WholeSeries
from tests.shared.conftest import eventually

S = "s_a"
LONG = 60_000
SHORT = 20
LIMIT = 3
ONE = Counts(1, 0, 10)


def new(series: str = S, **more: Any) -> NewRecord:
    given = {"owner": "host", "body": "b", "spec": b"{}", "chunks": 3, "at_once": 2}
    return NewRecord(id=series, **{**given, "created_at": 1_700_000_000_000, **more})


def create(series: SeriesStore, name: str = S, **more: Any) -> Record:
    record = series.create(new(name, **more), limit=LIMIT)
    assert record is not None
    return record


def take(series: SeriesStore, lease_ms: int = LONG) -> Held:
    held = series.take(S, lease_ms=lease_ms)
    assert held is not None
    return held


def finish(series: SeriesStore) -> None:
    assert series.finish(take(series), b"sums", ONE) == "kept"


def found(series: SeriesStore, name: str = S) -> Record:
    record = series.get(name)
    assert record is not None
    return record


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


def test_the_lowest_free_chunk_is_taken_and_no_more_than_are_allowed_at_once(
    series: SeriesStore,
) -> None:
    create(series)
    first, second = take(series), take(series)
    assert (first.chunk, second.chunk) == (0, 1)
    assert (first.tries, first.part) == (1, None)
    assert series.take(S, lease_ms=LONG) is None
    assert series.active() == [(S, 0)]
    assert found(series).held == 2
    series.save(first, b"part", b"sums", Counts())
    assert take(series).chunk == 0


def test_what_was_saved_is_given_to_who_takes_the_chunk_next(series: SeriesStore) -> None:
    create(series)
    assert series.save(take(series), b"\x00\xff", b"so far", Counts(2, 1, 30)) == ("kept")
    assert series.sums(S) == [(0, False, b"so far")]
    assert series.part(S, 0) == b"\x00\xff"
    assert found(series).counts == Counts(2, 1, 30)
    assert take(series).part == b"\x00\xff"


def test_the_counts_of_a_chunk_stand_in_place_of_its_earlier_ones(series: SeriesStore) -> None:
    create(series)
    series.save(take(series), b"p", b"s", Counts(1, 1, 10))
    series.save(take(series), b"p", b"s", Counts(2, 1, 25))
    held = take(series)
    finish(series)
    assert series.finish(held, b"all", Counts(3, 1, 40)) == "kept"
    assert found(series).counts == Counts(4, 1, 50)


def test_tries_count_takes_until_it_gets_on(series: SeriesStore) -> None:
    create(series, chunks=1)
    assert take(series, SHORT).tries == 1
    died = eventually(lambda: series.take(S, lease_ms=SHORT))
    assert (died.chunk, died.tries) == (0, 2)
    third = eventually(lambda: series.take(S, lease_ms=LONG))
    assert third.tries == 3
    series.save(third, b"p", b"s", ONE)
    assert take(series).tries == 1


def test_a_chunk_that_is_released_is_as_if_it_had_not_been_taken(series: SeriesStore) -> None:
    create(series, chunks=1)
    series.save(take(series), b"p", b"s", ONE)
    held = take(series)
    series.release(held)
    assert series.finish(held, b"s", ONE) == "lost"
    now = take(series)
    assert (now.chunk, now.tries, now.part) == (0, 1, b"p")
    series.release(held)
    assert series.take(S, lease_ms=LONG) is None, "only its holder gives it back"


def test_a_chunk_that_is_released_to_rest_is_nobodys_for_so_long(series: SeriesStore) -> None:
    create(series, chunks=1)
    held = take(series)
    series.release(held, rest_ms=LONG)
    assert series.take(S, lease_ms=LONG) is None
    assert series.finish(held, b"s", ONE) == "lost"
    series.delete(S)
    create(series, chunks=1)
    series.release(take(series), rest_ms=SHORT)
    assert eventually(lambda: series.take(S, lease_ms=LONG)).tries == 1


def test_who_saves_may_hold_on(series: SeriesStore) -> None:
    create(series, chunks=1)
    take(series, SHORT)
    held = eventually(lambda: series.take(S, lease_ms=SHORT))
    assert held.tries == 2
    assert series.save(held, b"p", b"s", ONE, lease_ms=LONG) == "kept"
    assert series.take(S, lease_ms=LONG) is None
    assert series.part(S, 0) == b"p"
    assert found(series).counts == ONE
    assert series.renew(held, lease_ms=SHORT)
    died = eventually(lambda: series.take(S, lease_ms=LONG))
    assert (died.tries, died.part) == (2, b"p"), "the first one died since"
    assert series.save(held, b"q", b"t", ONE, lease_ms=LONG) == "lost"


def test_who_lost_the_lease_is_refused(series: SeriesStore) -> None:
    create(series, chunks=1)
    lost = take(series, SHORT)
    now = eventually(lambda: series.take(S, lease_ms=LONG))
    assert now.chunk == lost.chunk
    assert not series.renew(lost, lease_ms=LONG)
    assert series.save(lost, b"p", b"s", ONE) == "lost"
    assert series.finish(lost, b"s", ONE) == "lost"
    assert series.sums(S) == []
    assert series.finish(now, b"mine", ONE) == "kept"
    assert series.finish(now, b"mine", ONE) == "lost", "a chunk is counted once"
    assert series.sums(S) == [(0, True, b"mine")]
    assert found(series).counts == ONE


def test_a_lease_that_ran_out_still_holds_until_somebody_takes_it(series: SeriesStore) -> None:
    create(series)
    held = take(series, SHORT)
    eventually(lambda: found(series).held == 0)
    assert series.finish(held, b"s", ONE) == "kept"


def test_a_lease_that_is_renewed_is_not_lost(series: SeriesStore) -> None:
    create(series, chunks=1)
    held = take(series, SHORT)
    assert series.renew(held, lease_ms=LONG)
    time.sleep(2 * SHORT / 1000)
    assert series.take(S, lease_ms=LONG) is None
    assert found(series).held == 1


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


def take_again(series: SeriesStore) -> Held:
    create(series)
    return take(series)


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


def test_no_chunk_is_held_twice_however_many_ask(series: SeriesStore) -> None:
    create(series, chunks=20, at_once=20)
    with ThreadPoolExecutor(8) as threads:
        asked = threads.map(lambda _: series.take(S, lease_ms=LONG), range(40))
    chunks = [held.chunk for held in asked if held is not None]
    assert sorted(chunks) == list(range(20))


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


def test_a_chunk_held_by_a_clock_that_was_set_back_is_free(series: SeriesStore) -> None:
    create(series)
    lost = take(series, lease_ms=LONGEST_MS + LONG)
    assert found(series).held == 0
    held = take(series)
    assert (held.chunk, held.tries) == (lost.chunk, 2)
    assert found(series).held == 1
