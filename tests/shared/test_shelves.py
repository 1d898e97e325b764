"""Matches that are over stand on shelves, by age."""

from __future__ import annotations

import pytest

from shared.ids import partition
from shared.store import (
    PARTITIONS,
)
from shared.whole_store import Shelf
from tests.shared.conftest import Stores, an_append
from tests.shared.whole_matches import ANN, BY_END, at_rest, ended, shelved


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
