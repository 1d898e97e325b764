"""A restore brings back what is missing, and leaves and tells of what is there."""

from __future__ import annotations

import dataclasses

import msgspec
import pytest

from services.upkeep.backup import Truth
from services.upkeep.form import Reader
from services.upkeep.restoring import restore
from shared.series_store import NewRecord
from shared.store import PARTITIONS
from tests.services.upkeep.truth import (
    HOST,
    a_busy_world,
    all_of,
    empty,
    place,
    put_back,
    truth_of,
    written,
)
from tests.services.world import PERSON, World, bot, key


def test_a_restored_match_goes_on_and_knows_its_commands() -> None:
    world = World()
    match = world.create(PERSON, PERSON)
    (seat,) = world.active(match)
    first = place(world, match, 4, key=key("m"))
    lines = written(truth_of(world))

    other = World()
    put_back(truth_of(other), lines)
    again = other.move(match, seat, {"type": "place", "at": 4}, key=key("m"))
    assert again.replayed
    assert (again.first, again.envelopes) == (first.first, first.envelopes)
    assert other.log(match) == world.log(match)
    place(other, match, 0)
    assert other.match(match).version == world.match(match).version + 1


def test_restoring_again_changes_nothing(real: Truth) -> None:
    _, truth = a_busy_world()
    lines = written(truth)
    for elsewhere in (truth, real):
        put_back(elsewhere, lines)
        before = all_of(elsewhere)
        found = put_back(elsewhere, lines)
        assert found.restored == {"deleted": 1}, "which is known already"
        assert found.there == {"match": 5, "series": 2, "key": 2}
        assert found.differing == []
        assert all_of(elsewhere) == before


def test_what_was_stopped_half_way_is_done_by_doing_it_again() -> None:
    _, truth = a_busy_world()
    lines, elsewhere = written(truth), empty()

    class Killed(Exception):
        pass

    def killed(done: int, total: int) -> None:
        if done == 3:
            raise Killed

    with pytest.raises(Killed):
        restore(elsewhere, Reader(lines), 9, killed)
    found = put_back(elsewhere, lines)
    assert found.there == {"match": 3}
    assert {**all_of(elsewhere), "deleted": []} == {**all_of(truth), "deleted": []}


def test_a_match_that_went_on_is_left_and_one_that_went_elsewhere_is_told_of() -> None:
    world, here = World(), World()
    grown, other, behind, absent = (world.create(PERSON, PERSON) for _ in range(4))
    for match in (grown, other, behind):
        whole = world.stores.wholes.whole(match)
        assert whole is not None
        here.stores.wholes.put_back(whole)
    for match in (other, behind):
        place(world, match, 0)
    place(here, grown, 0)
    place(here, other, 8)
    before = all_of(truth_of(here))

    found = put_back(truth_of(here), written(truth_of(world)))

    assert (found.there, found.restored) == ({"match": 1}, {"match": 1})
    assert sorted(found.differing) == sorted([("match", other), ("match", behind)])
    after = all_of(truth_of(here))
    assert after == {**before, absent: after[absent]}


def test_what_was_removed_or_archived_meanwhile_stays_so() -> None:
    world = World()
    truth = truth_of(world)
    for _ in range(2):
        world.advance(world.create(bot(), bot()))
    lines = written(truth)
    gone, filed = [m for number in range(PARTITIONS) for m in truth.events.matches(number)]
    truth.wholes.remove(gone)
    truth.wholes.archive(filed, world.match(filed).version, "there")
    before = all_of(truth)
    assert put_back(truth, lines).there == {"match": 2}
    assert all_of(truth) == before


def test_a_series_that_has_the_id_of_another_one_is_told_of() -> None:
    _, truth = a_busy_world()
    lines, elsewhere = written(truth), empty()
    new = NewRecord(id="s_runs", owner="o", body="", spec=b"", chunks=1, at_once=1, created_at=1)
    for name in ("s_1", "s_2", "s_3"):
        elsewhere.series.create(dataclasses.replace(new, id=name), limit=9)
    elsewhere.series.create(new, limit=9)
    found = put_back(elsewhere, lines)
    assert found.differing == [("series", "s_runs")]
    kept = elsewhere.series.get("s_runs")
    assert kept is not None
    assert kept.owner == "o"


def test_a_key_that_was_revoked_does_not_come_back_to_life() -> None:
    _, truth = a_busy_world()
    lines, elsewhere = written(truth), empty()
    # The server has started on an empty store, and made the key of its settings.
    elsewhere.keys.add(msgspec.structs.replace(HOST, id="other", created_at=2))
    # And one of the same id that is another key.
    elsewhere.keys.add(msgspec.structs.replace(HOST, hash="x" * 64))
    found = put_back(elsewhere, lines)
    assert found.there == {"key": 1}
    assert found.differing == [("key", "host")]
    revoked, other = elsewhere.keys.get("other"), elsewhere.keys.get("host")
    assert revoked is not None
    assert revoked.revoked
    assert other is not None
    assert other.hash == "x" * 64
