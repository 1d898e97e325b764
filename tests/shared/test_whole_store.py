"""What a store of whole matches promises, held by every adapter."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from shared.errors import Corrupt
from shared.ids import partition
from shared.redis_keys import keys_of, match_keys, partition_keys
from shared.store import (
    PARTITIONS,
    CommandRecord,
    Person,
    Seated,
    Secret,
    Snapshot,
    VersionConflict,
    Written,
)
from shared.whole_store import REMOVED, Shelf, Whole
from tests.shared.conftest import Stores, an_append, eventually, over

ANN = Person("Ann", "user-1")
SECRET = Secret("5e" * 32, {"deal/1": 3})

BY_END = (Shelf.ENDED, Shelf.ARCHIVED, Shelf.NAMED)


def ended(stores: Stores, match: str = "m_a", at: int = 1_000) -> Whole:
    """A match of three events that is over and that nobody works on."""
    stores.events.append(
        an_append(
            *(match, 0, b"one"),
            key="k",
            secret=SECRET,
            people={0: ANN, 2: Person("Bob")},
            epochs={0: 7},
            thoughts=[b"[1,0,5]"],
            due=99,
        )
    )
    stores.events.append(an_append(match, 1, b"two", b"three", status="ended", ended_at=at))
    at_rest(stores, match)
    whole = stores.wholes.whole(match)
    assert whole is not None
    return whole


def at_rest(stores: Stores, match: str) -> None:
    lease = stores.work.take(match, lease_ms=60_000)
    assert lease is not None
    loaded = stores.events.load(match)
    assert stores.work.release(lease, done_at=loaded.head.version if loaded else 0)


def shelved(stores: Stores) -> dict[Shelf, list[str]]:
    return {s: stores.wholes.aged(s, before=10**15, limit=9) for s in BY_END}


def erased(stores: Stores) -> list[str]:
    return stores.wholes.aged(Shelf.ERASED, before=10**15, limit=9)


def test_a_whole_match_is_all_that_was_appended(stores: Stores) -> None:
    assert stores.wholes.whole("m_a") is None
    assert ended(stores) == Whole(
        match="m_a",
        game="tic-tac-toe",
        status="ended",
        head=3,
        epochs={0: 7},
        events=(b"one", b"two", b"three"),
        commands={"k": CommandRecord("body", 201, 1, 1)},
        secret=SECRET,
        people={0: ANN, 2: Person("Bob")},
        thoughts=(b"[1,0,5]",),
        ended_at=1_000,
    )


def test_a_running_match_keeps_its_deadline(stores: Stores) -> None:
    stores.events.append(an_append("m_a", 0, due=1_700_000_000_123))
    whole = stores.wholes.whole("m_a")
    assert whole is not None
    assert (whole.due, whole.ended_at, whole.status) == (1_700_000_000_123, None, "running")


def test_what_is_put_back_elsewhere_is_the_same_match(stores: Stores) -> None:
    running = an_append("m_b", 0, b"one", key="k", due=5, people={1: ANN}, epochs={1: 3})
    stores.events.append(running)
    for whole in (ended(stores), stores.wholes.whole("m_b")):
        assert whole is not None
        assert not stores.wholes.put_back(whole), "it is here"
        there = msgspec.structs.replace(whole, match=whole.match + "2")
        assert stores.wholes.put_back(there)
        assert stores.wholes.whole(there.match) == there
        loaded = stores.events.load(there.match, command="k")
        assert loaded is not None
        assert loaded.record == CommandRecord("body", 201, 1, 1)
        assert stores.work.take(there.match, lease_ms=1), "a mark asks for its projections"
        assert there.match in stores.events.matches(partition(there.match))
    assert stores.work.overdue([partition("m_b2")], 6, limit=9, lease_ms=1)[0] == ["m_b2"]
    assert stores.wholes.aged(Shelf.ENDED, before=1_001, limit=9).count("m_a2") == 1


def test_a_long_match_is_taken_out_and_put_back_whole(stores: Stores) -> None:
    """Longer than what Lua's stack holds."""
    events = [b"%d" % n for n in range(20_000)]
    thoughts = [b"[%d,0,1]" % n for n in range(9_000)]
    stores.events.append(an_append("m_a", 0, *events, thoughts=thoughts))
    whole = stores.wholes.whole("m_a")
    assert whole is not None
    assert (list(whole.events), list(whole.thoughts)) == (events, thoughts)
    there = msgspec.structs.replace(whole, match="m_b")
    assert stores.wholes.put_back(there)
    assert stores.wholes.whole("m_b") == there
    assert stores.events.events("m_b") == events


def test_what_is_archived_leaves_a_tombstone(stores: Stores) -> None:
    before = ended(stores)
    stores.events.save_snapshot("m_a", Snapshot(3, 1, b"state"))
    assert shelved(stores) == {Shelf.ENDED: ["m_a"], Shelf.ARCHIVED: [], Shelf.NAMED: ["m_a"]}

    assert stores.wholes.archive("m_a", 3, "here/it is")

    loaded = stores.events.load("m_a", command="k")
    assert loaded is not None
    assert (loaded.head.version, loaded.head.status, loaded.head.epochs) == (3, "ended", {0: 7})
    assert (loaded.head.place, list(loaded.tail), loaded.snapshot) == ("here/it is", [], None)
    assert stores.wholes.place("m_a") == "here/it is"
    assert stores.events.events("m_a") == []
    assert stores.events.thoughts("m_a", after=0, limit=9) == []
    with pytest.raises(KeyError):
        stores.events.secret("m_a")
    assert stores.events.people("m_a") == before.people
    assert stores.events.matches(partition("m_a")) == ["m_a"]
    assert shelved(stores) == {Shelf.ENDED: [], Shelf.ARCHIVED: ["m_a"], Shelf.NAMED: ["m_a"]}
    assert stores.wholes.whole("m_a") == Whole(
        match="m_a",
        game="tic-tac-toe",
        status="ended",
        head=3,
        epochs={0: 7},
        people=before.people,
        ended_at=1_000,
        place="here/it is",
    )


def test_an_archived_match_takes_no_event_and_no_projection(stores: Stores) -> None:
    ended(stores)
    stores.wholes.archive("m_a", 3, "place")
    for expected in (0, 3):
        with pytest.raises(VersionConflict):
            stores.events.append(an_append("m_a", expected))
    assert stores.events.save_snapshot("m_a", Snapshot(3, 1, b"state")) is Written.YES
    loaded = stores.events.load("m_a")
    assert loaded is not None
    assert loaded.snapshot is None
    assert not stores.wholes.archive("m_a", 3, "place 2"), "it is there already"
    assert stores.wholes.place("m_a") == "place"


@pytest.mark.parametrize("why", ["it runs", "another head", "somebody works on it", "unknown"])
def test_what_is_not_at_rest_is_neither_archived_nor_removed(stores: Stores, why: str) -> None:
    if why != "unknown":
        ended(stores)
    if why == "it runs":
        stores.events.append(an_append("m_a", 3, status="running"))
        at_rest(stores, "m_a")
    if why == "somebody works on it":
        stores.work.mark("m_a")
    before = stores.wholes.whole("m_a")

    assert not stores.wholes.archive("m_a", 2 if why == "another head" else 3, "place")
    if why != "another head":
        assert not stores.wholes.remove("m_a")
    assert stores.wholes.whole("m_a") == before


def test_what_comes_back_from_the_archive_keeps_what_changed_meanwhile(stores: Stores) -> None:
    before = ended(stores)
    stores.wholes.archive("m_a", 3, "place")
    stores.events.raise_epoch("m_a", 0)
    stores.wholes.erase("m_a", {0: ANN})
    elsewhere = msgspec.structs.replace(before, head=4, events=(*before.events, b"four"))
    assert not stores.wholes.put_back(elsewhere), "the tombstone is of another version"

    assert stores.wholes.put_back(before)

    bob = {2: Person("Bob")}
    changed = msgspec.structs.replace(before, epochs={0: 8}, people=bob, erasures=1)
    assert stores.wholes.whole("m_a") == changed
    assert shelved(stores) == {Shelf.ENDED: ["m_a"], Shelf.ARCHIVED: [], Shelf.NAMED: ["m_a"]}
    at_rest(stores, "m_a")
    assert stores.wholes.archive("m_a", 3, "place again")


def test_a_tombstone_is_put_back_where_nothing_is(stores: Stores) -> None:
    ended(stores)
    stores.wholes.archive("m_a", 3, "place")
    tombstone = stores.wholes.whole("m_a")
    assert tombstone is not None
    assert not stores.wholes.put_back(tombstone)
    there = msgspec.structs.replace(tombstone, match="m_b")
    assert stores.wholes.put_back(there)
    assert stores.wholes.whole("m_b") == there
    assert "m_b" in shelved(stores)[Shelf.ARCHIVED]
    with pytest.raises(VersionConflict):
        stores.events.append(an_append("m_b", 0))


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


def test_names_get_no_younger_by_coming_back_from_the_archive(stores: Stores) -> None:
    before = ended(stores, at=1_000)
    for again in (5_000, 9_000):
        stores.wholes.archive("m_a", 3, "place")
        stores.wholes.put_back(msgspec.structs.replace(before, ended_at=again))
        assert stores.wholes.aged(Shelf.ENDED, before=again, limit=9) == []
        assert stores.wholes.aged(Shelf.NAMED, before=1_001, limit=9) == ["m_a"]
        at_rest(stores, "m_a")


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


def test_a_shelf_is_read_by_age_so_many_of_each_partition(stores: Stores) -> None:
    for number in range(5):
        ended(stores, f"m_{number}", at=number)
    assert stores.wholes.aged(Shelf.ENDED, before=0, limit=9) == []
    found = stores.wholes.aged(Shelf.ENDED, before=3, limit=9)
    assert sorted(found) == ["m_0", "m_1", "m_2"]
    same = [m for m in (f"m_x{n}" for n in range(3_000)) if partition(m) == 5][:3]
    for age, match in enumerate(same):
        ended(stores, match, at=age)
    few = stores.wholes.aged(Shelf.ENDED, before=99, limit=2)
    assert [match for match in few if match in same] == same[:2]


def test_a_shelf_is_read_whole_by_partitions(stores: Stores) -> None:
    for number in range(30):
        ended(stores, f"m_{number}", at=100 - number)
    stores.wholes.archive("m_0", 3, "place")
    kept = [stores.wholes.shelved(Shelf.ENDED, number) for number in range(PARTITIONS)]
    assert sorted(match for part in kept for match in part) == sorted(
        f"m_{number}" for number in range(1, 30)
    )
    for number, part in enumerate(kept):
        assert {partition(match) for match in part} <= {number}
        assert part == sorted(part, key=lambda match: -int(match[2:])), "the longest there first"
    assert stores.wholes.shelved(Shelf.ARCHIVED, partition("m_0")) == ["m_0"]


def test_a_shelf_is_counted_by_age(stores: Stores) -> None:
    for number in range(3):
        ended(stores, f"m_{number}", at=number)
    stores.wholes.archive("m_0", 3, "place")
    assert [stores.wholes.count(shelf) for shelf in BY_END] == [2, 1, 3]
    assert [stores.wholes.count(shelf, before=2) for shelf in BY_END] == [1, 1, 2]


@pytest.mark.parametrize("named", [True, False])
def test_what_an_older_build_ended_is_put_on_its_shelves_once(stores: Stores, named: bool) -> None:
    people = {0: ANN} if named else {}
    stores.events.append(an_append("m_a", 0, people=people, status="ended"))
    at_rest(stores, "m_a")
    assert stores.wholes.aged(Shelf.ENDED, before=10**15, limit=9) == []

    stores.wholes.note_ended("m_a", 5)
    stores.wholes.note_ended("m_a", 7)

    names = ["m_a"] if named else []
    assert shelved(stores) == {Shelf.ENDED: ["m_a"], Shelf.ARCHIVED: [], Shelf.NAMED: names}
    assert stores.wholes.count(Shelf.ENDED, before=6) == 1, "the first time stands"


@pytest.mark.parametrize("why", ["it runs", "archived", "removed", "unknown"])
def test_what_is_not_over_and_here_is_put_on_no_shelf(stores: Stores, why: str) -> None:
    if why == "it runs":
        stores.events.append(an_append("m_a", 0))
    elif why != "unknown":
        ended(stores)
    if why == "archived":
        stores.wholes.archive("m_a", 3, "place")
    if why == "removed":
        stores.wholes.remove("m_a")
        stores.wholes.forget("m_a")
    before = stores.wholes.whole("m_a")
    stores.wholes.note_ended("m_a", 5)
    assert stores.wholes.whole("m_a") == before
    assert shelved(stores)[Shelf.ENDED] == []


def test_a_match_without_names_is_on_no_shelf_for_them(stores: Stores) -> None:
    stores.events.append(an_append("m_a", 0, status="ended", ended_at=5))
    assert shelved(stores) == {Shelf.ENDED: ["m_a"], Shelf.ARCHIVED: [], Shelf.NAMED: []}


def test_a_whole_that_cannot_be_read_is_corrupt(any_redis: Any) -> None:
    stores, keys = over(any_redis), match_keys("m_a")
    ended(stores)
    any_redis.hset(keys.people, "0", "{")
    with pytest.raises(Corrupt):
        stores.wholes.whole("m_a")
    any_redis.hdel(keys.people, "0")
    any_redis.hset(keys.meta, "head", 4)
    with pytest.raises(Corrupt):
        stores.wholes.whole("m_a")


def test_a_store_has_a_time_of_its_own(stores: Stores) -> None:
    first = stores.wholes.now()
    eventually(lambda: stores.wholes.now() > first)
