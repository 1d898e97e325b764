"""Chunks of a series are held by one at a time, and none is lost or counted twice."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from shared.clocks import LONGEST_MS
from shared.series_store import Counts, SeriesStore
from tests.shared.chunks import (
    LONG,
    ONE,
    SHORT,
    S,
    create,
    finish,
    found,
    take,
)
from tests.shared.conftest import eventually


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


def test_no_chunk_is_held_twice_however_many_ask(series: SeriesStore) -> None:
    create(series, chunks=20, at_once=20)
    with ThreadPoolExecutor(8) as threads:
        asked = threads.map(lambda _: series.take(S, lease_ms=LONG), range(40))
    chunks = [held.chunk for held in asked if held is not None]
    assert sorted(chunks) == list(range(20))


def test_a_chunk_held_by_a_clock_that_was_set_back_is_free(series: SeriesStore) -> None:
    create(series)
    lost = take(series, lease_ms=LONGEST_MS + LONG)
    assert found(series).held == 0
    held = take(series)
    assert (held.chunk, held.tries) == (lost.chunk, 2)
    assert found(series).held == 1
