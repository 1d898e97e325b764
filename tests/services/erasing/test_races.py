"""Erased names are gone from every place, whoever writes at the same time."""

from __future__ import annotations

import msgspec
import pytest

from services.projections.projector import LOBBY
from services.projections.rebuilding import Part
from shared import ids
from shared.store import PARTITIONS, Person
from tests.services.erasing.between import between
from tests.services.erasing.player import (
    ANN,
    REF,
    ZEB,
    erase,
    every_kind,
    kept,
    nothing_left,
    row_of,
)
from tests.services.world import OPEN, OWNER, World


@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.parametrize(
    ("port", "method"),
    [("events", "seated_many"), ("lists", "generations"), ("lists", "upsert_many")],
)
def test_an_erasure_while_a_worker_projects(
    world: World, port: str, method: str, listed: bool, moved: bool
) -> None:
    match = world.create(ZEB, OPEN, ANN, ANN, game="secrets")
    if listed:
        world.advance(match)
    if moved:
        world.tycoon.commands.leave(match, world.holder(match, 2), None)
    other = world.build()
    between(world, port, method, lambda: other.eraser.erase_player("host", REF, limit=9))

    world.stores.work.mark(match)
    world.advance(match)

    assert nothing_left(world)
    row = row_of(world, LOBBY, "secrets", match)
    assert row is not None
    shown = msgspec.json.decode(row)
    assert shown["version"] == world.match(match).shown, "no row is stuck on an older version"
    assert "Ann" in row.decode()


@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize(
    ("port", "method"),
    [
        ("wholes", "erase"),
        ("lists", "generations"),
        ("lists", "entry"),
        ("lists", "upsert"),
        ("work", "marked"),
        ("lists", "page"),
    ],
)
@pytest.mark.parametrize("after", [False, True])
def test_a_worker_that_projects_while_names_are_erased(
    world: World, port: str, method: str, listed: bool, after: bool
) -> None:
    match = world.create(ZEB, OPEN, ANN, ANN, game="secrets")
    if listed:
        world.advance(match)
        world.tycoon.commands.leave(match, world.holder(match, 2), None)
    other = world.build()
    between(world, port, method, lambda: other.advancer.advance([match]), after=after)

    assert erase(world) == (1, 0)

    other.advancer.advance([match])
    assert nothing_left(world)
    row = row_of(world, LOBBY, "secrets", match)
    assert row is not None
    assert msgspec.json.decode(row)["version"] == world.match(match).shown


def test_who_takes_the_seat_meanwhile_keeps_their_name(world: World) -> None:
    match = world.create(ZEB, OPEN)
    world.advance(match)
    other = world.build()

    def change_places() -> None:
        other.commands.leave(match, world.holder(match, 0), None)
        join = {"seat": 0, "code": None, "kind": "person", "client_seed": None, "key": None}
        other.commands.join(match, OWNER, person=Person("New"), **join)

    between(world, "events", "seated_many", change_places)
    assert erase(world) == (1, 1), "its row does not know yet that the player left"
    world.advance(match)
    assert erase(world) == (0, 0)
    assert world.stores.events.people(match) == {0: Person("New")}
    assert nothing_left(world)
    assert "'New'" in kept(world)


def test_both_generations_of_a_rebuild(world: World) -> None:
    matches = every_kind(world)
    generation, part = world.tycoon.rebuilding.begin()
    for _ in range(PARTITIONS // 2):
        assert part is not None
        part = world.tycoon.rebuilding.rebuild(generation, part)
    erase(world)
    assert nothing_left(world)
    while part is not None:
        part = world.tycoon.rebuilding.rebuild(generation, part)
    assert nothing_left(world)
    assert world.stores.lists.generations() == (generation,)
    assert all(world.stores.lists.entry(LOBBY, "tictactoe", generation, m) for m in matches)


def test_a_rebuild_that_read_the_names_before(world: World) -> None:
    match = world.create(ZEB, OPEN)
    world.advance(match)
    generation, _ = world.tycoon.rebuilding.begin()
    other = world.build()
    between(world, "events", "seated_many", lambda: other.eraser.erase_player("host", REF, limit=9))
    world.tycoon.rebuilding.rebuild(generation, Part(ids.partition(match)))
    assert nothing_left(world)
    assert world.stores.lists.entry(LOBBY, "tictactoe", generation, match)
