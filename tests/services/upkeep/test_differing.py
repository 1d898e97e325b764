"""What was changed in the store is found, and nothing hidden is told of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from services import hosted
from services.upkeep.differing import where
from shared.store import Person
from tests.services.upkeep.full import Full, check, what
from tests.services.world import PERSON

CURRENT = hosted.SNAPSHOT_SCHEMA

CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "state: /table/cells/4": lambda data: data.replace(
        b'"cells":[null,null,null,null,0,', b'"cells":[null,null,null,null,1,'
    ),
    "state: /last_at": lambda data: data.replace(b'"last_at":1', b'"last_at":2'),
    "state: it can't be read": lambda data: data[:-9],
}


@pytest.mark.parametrize("said", CHANGES)
def test_a_projection_that_was_changed_in_the_store_is_found(said: str) -> None:
    world = Full()
    snapshot = world.snapshots[world.running]
    data = CHANGES[said](snapshot.data)
    assert data != snapshot.data
    world.snapshots[world.running] = dataclasses.replace(snapshot, data=data)
    assert what(world.build()) == {world.running: (said,)}


def test_a_projection_of_a_version_that_is_not_there_is_found() -> None:
    world = Full()
    snapshot = world.snapshots[world.running]
    for version in (0, 99):
        world.snapshots[world.running] = dataclasses.replace(snapshot, version=version)
        assert what(world.build()) == {world.running: ("state: /version",)}


def test_what_is_of_another_schema_shape_or_generation_is_counted_and_not_compared() -> None:
    world = Full()
    changed = dataclasses.replace(world.snapshots[world.running], data=b"{}")
    for other in (
        dataclasses.replace(changed, schema=CURRENT + 1),
        dataclasses.replace(changed, generation=0),
        dataclasses.replace(changed, data=b'{"schema":%d,"shape":"x","match":{}}' % CURRENT),
    ):
        world.snapshots[world.running] = other
        differing, found = check(world.build())
        assert (differing, found.passed_over) == ([], 1)
    row = world.rows("lobby")[world.won]
    world.rows("lobby")[world.won] = dataclasses.replace(row, schema=CURRENT + 1, data=b"?")
    assert check(world.build())[1].passed_over == 2


@pytest.mark.parametrize(
    ("said", "change"),
    [
        ("lobby: /status", lambda row: {"data": row.data.replace(b"running", b"waiting")}),
        ("lobby: /seats/0/name", lambda row: {"data": row.data.replace(b"Ann", b"Bob")}),
        ("lobby: it can't be read", lambda row: {"data": b"?"}),
        ("lobby: it stands in other lists", lambda row: {"lists": row.lists - {"all:running"}}),
        ("lobby: /version", lambda row: {"version": 99}),
    ],
)
def test_a_row_that_was_changed_in_the_store_is_found(
    said: str, change: Callable[[Any], dict[str, Any]]
) -> None:
    world = Full()
    rows = world.rows("lobby")
    changed = change(rows[world.running])
    rows[world.running] = dataclasses.replace(rows[world.running], **changed)
    assert what(world.build()) == {world.running: (said,)}


def test_a_row_that_is_missing_or_should_not_be_there_is_found() -> None:
    world = Full()
    world.rows("results")[world.cancelled] = world.rows("results").pop(world.won)
    del world.rows("lobby")[world.waiting]
    assert what(world.build()) == {
        world.won: ("results: it is missing",),
        world.cancelled: ("results: it should not be there",),
        world.waiting: ("lobby: it is missing",),
    }


def test_projections_that_lag_are_compared_at_their_own_version() -> None:
    world = Full()
    new = world.create(PERSON, PERSON)
    world.move(world.running, 1, {"type": "place", "at": 0})
    world.tycoon.commands.resign(world.running, world.holder(world.running, 0), None)
    assert check(world.build())[0] == []
    snapshot = world.snapshots[world.running]
    assert snapshot.version < world.match(world.running).version
    data = CHANGES["state: /table/cells/4"](snapshot.data)
    world.snapshots[world.running] = dataclasses.replace(snapshot, data=data)
    assert what(world.build()) == {world.running: ("state: /table/cells/4",)}
    world.advance(new)
    del world.rows("lobby")[new]
    assert what(world.build())[new] == ("lobby: it is missing",)


def test_names_that_were_erased_since_a_row_was_written_are_not_compared() -> None:
    world = Full()
    world.stores.wholes.erase(world.running, world.stores.events.people(world.running))
    assert check(world.build())[0] == []
    world.kept[world.waiting].people[0] = Person("Changed by hand")
    assert what(world.build()) == {
        world.waiting: ("lobby: /seats/0/name", "lobby: it stands in other lists")
    }


def test_what_was_about_to_change_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    world = Full()
    row = world.rows("lobby").pop(world.running)
    waits: list[int] = []

    def wait(ms: int) -> None:
        waits.append(ms)
        if len(waits) == 2:
            world.rows("lobby")[world.running] = row

    monkeypatch.setattr(world, "wait", wait)
    assert check(world.build())[0] == []
    assert len(waits) == 2


def test_what_is_hidden_is_never_told() -> None:
    world = Full()
    match = world.create(PERSON, PERSON, game="secrets")
    world.advance(match)
    snapshot = world.snapshots[match]
    stored = msgspec.json.decode(snapshot.data)
    hands = stored["match"]["table"]["hands"]
    hands[0], hands[1] = hands[1], hands[0]
    stored["match"]["owner"] = "somebody"
    data = msgspec.json.encode(stored)
    world.snapshots[match] = dataclasses.replace(snapshot, data=data)
    (said,) = what(world.build()).values()
    assert {each.split("/")[1] for each in said} == {"owner", "table"}
    cards = {card for hand in hands for card in hand}
    assert not any(card in each for card in cards for each in said)


def test_where_two_documents_differ() -> None:
    class Inner(msgspec.Struct):
        a: Any = 1
        b: Any = ()

    assert where(Inner(), Inner()) == []
    assert where(Inner(1, (1, Inner())), Inner(1, (2, Inner(5)))) == ["/b/0", "/b/1/a"]
    assert where(Inner({"secret": 1}), Inner({"secret": 2})) == ["/a"]
    assert where(Inner((1,)), Inner((1, 2))) == ["/a"]
    assert where(1, 2) == ["/"]
    assert where(Inner(b=(*range(9),)), Inner(b=(*range(1, 10),))) == [f"/b/{n}" for n in range(5)]
