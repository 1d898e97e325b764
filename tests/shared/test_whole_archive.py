"""What is left in the store of an archived match, and what comes back to it."""

from __future__ import annotations

import msgspec
import pytest

from shared.ids import partition
from shared.store import (
    Person,
    Snapshot,
    VersionConflict,
    Written,
)
from shared.whole_store import Shelf, Whole
from tests.shared.conftest import Stores, an_append
from tests.shared.whole_matches import ANN, at_rest, ended, shelved


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


def test_names_get_no_younger_by_coming_back_from_the_archive(stores: Stores) -> None:
    before = ended(stores, at=1_000)
    for again in (5_000, 9_000):
        stores.wholes.archive("m_a", 3, "place")
        stores.wholes.put_back(msgspec.structs.replace(before, ended_at=again))
        assert stores.wholes.aged(Shelf.ENDED, before=again, limit=9) == []
        assert stores.wholes.aged(Shelf.NAMED, before=1_001, limit=9) == ["m_a"]
        at_rest(stores, "m_a")
