"""Removed matches never come again, and erased names are no part of any."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from shared.ids import partition
from shared.redis_keys import keys_of, match_keys, partition_keys
from shared.store import (
    Person,
    Seated,
    Snapshot,
    VersionConflict,
    Written,
)
from shared.whole_store import REMOVED, Shelf, Whole
from tests.shared.conftest import Stores, an_append, over
from tests.shared.whole_matches import ANN, ended, erased, shelved


@pytest.mark.parametrize("archived", [False, True])
def test_what_is_removed_never_comes_again(stores: Stores, archived: bool) -> None:
    before = ended(stores)
    stores.events.save_snapshot("m_a", Snapshot(3, 1, b"state"))
    if archived:
        stores.wholes.archive("m_a", 3, "place")

    assert stores.wholes.remove("m_a")

    here = Shelf.ARCHIVED if archived else Shelf.ENDED
    place = "place" if archived else None
    assert {shelf: found for shelf, found in shelved(stores).items() if found} == {here: ["m_a"]}
    assert stores.wholes.place("m_a") == place, "rows and files may still be there"
    assert stores.wholes.remove("m_a"), "whoever goes on is not held up"
    assert not stores.wholes.put_back(before)
    half = stores.wholes.whole("m_a")
    assert half == Whole(
        match="m_a", game="tic-tac-toe", status=REMOVED, head=3, ended_at=1_000, place=place
    )
    assert stores.wholes.put_back(msgspec.structs.replace(half, match="m_c"))
    assert shelved(stores)[here].count("m_c") == 1, "a backup knows it, too"
    assert stores.wholes.remove("m_c")
    stores.wholes.forget("m_c")

    stores.wholes.forget("m_a")

    assert stores.events.load("m_a") is None
    assert stores.events.people("m_a") == {}
    assert stores.events.seated_many(["m_a"])[0].removed
    assert stores.wholes.place("m_a") is None
    gone = Whole(match="m_a", game="tic-tac-toe", status=REMOVED, head=3)
    assert stores.wholes.whole("m_a") == gone
    assert all(not found for found in shelved(stores).values())
    assert erased(stores) == ["m_a"]
    for again in (0, 3):
        with pytest.raises(VersionConflict):
            stores.events.append(an_append("m_a", again))
    assert stores.events.save_snapshot("m_a", Snapshot(3, 1, b"state")) is Written.YES
    assert not stores.wholes.put_back(before)
    with pytest.raises(KeyError):
        stores.events.raise_epoch("m_a", 0)
    assert stores.wholes.whole("m_a") == gone
    assert stores.wholes.put_back(msgspec.structs.replace(gone, match="m_b"))
    assert stores.work.take("m_b", lease_ms=1) is None
    assert stores.events.load("m_b") is None


def test_nothing_of_a_removed_match_is_left_but_its_head(any_redis: Any) -> None:
    stores = over(any_redis)
    ended(stores)
    stores.events.save_snapshot("m_a", Snapshot(3, 1, b"state"))
    stores.wholes.remove("m_a")
    stores.wholes.forget("m_a")
    keys = {key.decode() for key in any_redis.scan_iter()}
    erased_at = partition_keys(partition("m_a")).erased
    assert keys == {match_keys("m_a").meta, keys_of("m_a")[8], erased_at}
    assert set(any_redis.hgetall(match_keys("m_a").meta)) == {b"head", b"status", b"game"}


def test_only_what_was_removed_is_forgotten(stores: Stores) -> None:
    before = ended(stores)
    for match in ("m_a", "m_unknown"):
        stores.wholes.forget(match)
    stores.wholes.archive("m_a", 3, "place")
    stores.wholes.forget("m_a")
    assert stores.wholes.place("m_a") == "place"
    assert shelved(stores)[Shelf.ARCHIVED] == ["m_a"]
    assert stores.wholes.put_back(before)


def test_a_removed_match_keeps_no_mark(stores: Stores) -> None:
    """Who looked at it before may ask for it afterwards: a rebuild that could not read it."""
    ended(stores)
    stores.wholes.remove("m_a")
    stores.work.mark("m_a")
    lease = stores.work.take("m_a", lease_ms=60_000)
    assert lease is not None
    assert stores.work.release(lease, done_at=0)
    assert stores.work.marked() == []


def test_erasing_names_touches_no_event(stores: Stores) -> None:
    before = ended(stores)
    bob = Person("Bob")
    assert stores.wholes.erase("m_a", {1: ANN}) == ()
    assert stores.wholes.erase("m_a", {0: Person("Ann", "user-2"), 2: ANN}) == ()
    assert stores.wholes.erase("m_unknown", {0: ANN}) == ()
    assert stores.wholes.whole("m_a") == before
    assert erased(stores) == []

    assert stores.wholes.erase("m_a", {0: ANN, 1: ANN}) == (0,)
    assert stores.events.seated_many(["m_a", "m_unknown"]) == [
        Seated({2: bob}, 1, "tic-tac-toe"),
        Seated({}),
    ]
    assert shelved(stores)[Shelf.NAMED] == ["m_a"]
    assert erased(stores) == ["m_a"]
    assert stores.wholes.erase("m_a", {0: ANN, 2: bob}) == (2,)

    after = msgspec.structs.replace(before, people={}, erasures=2)
    assert stores.wholes.whole("m_a") == after
    assert shelved(stores)[Shelf.NAMED] == []


def test_a_match_is_off_the_shelf_once_it_is_settled(stores: Stores) -> None:
    ended(stores)
    stores.wholes.settle("m_a", before=10**15)
    stores.wholes.erase("m_a", {0: ANN})
    stores.wholes.settle("m_unknown", before=10**15)
    stores.wholes.settle("m_a", before=0)
    assert erased(stores) == ["m_a"], "it was erased later"
    stores.wholes.settle("m_a", before=10**15)
    assert erased(stores) == []
