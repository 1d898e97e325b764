"""Erased names are gone from every place, whoever dies in between."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from services.erasing.erasing import LATE_MS
from services.projections.projector import LOBBY
from shared.store import Person
from shared.whole_store import Shelf
from tests.services.erasing.between import Between, between
from tests.services.erasing.player import NAME, REF, ZEB, erase, every_kind, nothing_left, row_of
from tests.services.world import OPEN, World


def erased_in(world: World, match: str) -> bool:
    return Person(NAME, REF) not in world.stores.events.people(match).values()


class Killed(BaseException):
    pass


def die() -> None:
    raise Killed


@pytest.mark.parametrize(
    ("port", "method", "after"),
    [
        ("wholes", "erase", True),
        ("lists", "generations", True),
        ("lists", "entry", True),
        ("lists", "upsert", False),
        ("lists", "upsert", True),
    ],
)
def test_whoever_asks_again_finds_what_was_left(
    world: World, port: str, method: str, after: bool
) -> None:
    every_kind(world)
    between(world, port, method, die, after=after)
    with pytest.raises(Killed):
        erase(world)
    world.tycoon = world.build()

    erased, left = erase(world)

    assert left == 0
    assert erased > 0
    assert nothing_left(world)


@pytest.mark.parametrize("method", ["erase", "generations", "entry", "upsert"])
def test_workers_finish_what_was_left(world: World, method: str) -> None:
    matches = every_kind(world)
    between(world, "wholes" if method == "erase" else "lists", method, die)
    with pytest.raises(Killed):
        erase(world)
    world.tycoon = world.build()
    assert world.tycoon.eraser.work() == (0, 0), "somebody may still write"

    world.now += LATE_MS + 1
    assert world.tycoon.eraser.is_due()
    assert world.tycoon.eraser.work() == (0, 1)

    [match] = [match for match in matches if erased_in(world, match)]
    assert NAME not in str(row_of(world, LOBBY, "tictactoe", match))
    assert match not in world.listed(REF)
    assert world.stores.wholes.aged(Shelf.ERASED, before=world.now + 1, limit=9) == []
    assert not world.tycoon.eraser.is_due()
    assert world.stores.files.look().noted == 1


def test_a_row_that_a_dying_worker_wrote_late_is_found(world: World) -> None:
    match = world.create(ZEB, OPEN)
    other = world.build()

    class Dying(Between):
        def upsert_many(self, rows: Any) -> Any:
            other.eraser.erase_player("host", REF, limit=9)
            self._port.upsert_many(rows)
            raise Killed

    honest = world.stores
    world.stores = replace(honest, lists=Dying(honest.lists, "", die, after=False))
    worker = world.build()
    world.stores = honest
    with pytest.raises(Killed):
        worker.advancer.advance([match])
    assert not nothing_left(world), "the row is there"

    world.now += LATE_MS + 1
    world.build().eraser.work()

    assert nothing_left(world)


def test_a_row_in_a_generation_that_is_gone(world: World) -> None:
    match = world.create(ZEB, OPEN)
    world.advance(match)
    stale = world.stores.lists.entry(LOBBY, "tictactoe", 1, match)
    assert stale is not None
    generation, part = world.tycoon.rebuilding.begin()
    while part is not None:
        part = world.tycoon.rebuilding.rebuild(generation, part)
    erase(world)
    world.stores.lists.upsert(LOBBY, "tictactoe", 1, stale)
    assert not nothing_left(world)

    world.now += LATE_MS + 1
    world.tycoon.eraser.work()

    assert nothing_left(world)
