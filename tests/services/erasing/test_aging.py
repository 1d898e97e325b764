"""Names are erased so many days after the end, whatever hinders the work."""

from __future__ import annotations

import pytest

from shared.clocks import DAY_MS
from shared.errors import Corrupt, Unavailable
from shared.store import Person
from shared.whole_store import Shelf
from tests.services.erasing.between import between
from tests.services.erasing.player import NAME, REF, ZEB, every_kind
from tests.services.world import OPEN, OWNER, World


def test_names_are_erased_so_many_days_after_the_end() -> None:
    world = World(names_days=30)
    waiting, running, custom, over = every_kind(world)
    world.tycoon.commands.cancel(custom, OWNER, None)
    world.advance(custom)
    assert not world.tycoon.eraser.is_due()
    world.now += 30 * DAY_MS - 60_000
    assert world.tycoon.eraser.work() == (0, 0)
    world.now += 61_000

    assert world.tycoon.eraser.is_due()
    assert world.tycoon.eraser.work() == (2, 0)

    for match in (custom, over):
        assert world.stores.events.people(match) == {}
    assert sorted(world.listed(REF)) == sorted([waiting, running])
    assert world.stores.wholes.aged(Shelf.NAMED, before=world.now, limit=9) == []


def test_a_clock_that_jumps_ahead_erases_nothing_before_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World(names_days=30)
    every_kind(world)
    monkeypatch.setattr(world, "clock", lambda: world.now + 1_000 * DAY_MS)
    jumped = world.build().eraser
    assert not jumped.is_due()
    assert jumped.work() == (0, 0)


def test_without_the_setting_names_stay(world: World) -> None:
    over = every_kind(world)[3]
    world.now += 10_000 * DAY_MS
    assert not world.tycoon.eraser.is_due()
    assert world.tycoon.eraser.work() == (0, 0)
    assert world.stores.events.people(over) == {0: Person(NAME, REF)}


def test_one_broken_match_does_not_keep_the_others() -> None:
    world = World(names_days=1)
    matches = [world.create(ZEB, OPEN) for _ in range(3)]
    for match in matches:
        world.tycoon.commands.cancel(match, OWNER, None)
        world.advance(match)
    world.now += 2 * DAY_MS

    def broken() -> None:
        raise Corrupt("a part can't be read")

    between(world, "events", "people", broken)
    assert world.tycoon.eraser.work() == (2, 0)
    assert len(world.reports) == 1
    assert world.build().eraser.work()[0] == 1


def test_a_store_that_is_away_stops_the_work() -> None:
    world = World(names_days=1)
    match = world.create(ZEB, OPEN)
    world.tycoon.commands.cancel(match, OWNER, None)
    world.now += 2 * DAY_MS

    def away() -> None:
        raise Unavailable("store.unavailable", "The store does not answer.")

    between(world, "events", "people", away)
    with pytest.raises(Unavailable):
        world.tycoon.eraser.work()


def test_a_task_ends_in_time_and_the_next_goes_on() -> None:
    world = World(names_days=1)
    for _ in range(4):
        match = world.create(ZEB, OPEN)
        world.tycoon.commands.cancel(match, OWNER, None)
        world.advance(match)
    world.now += 2 * DAY_MS
    between(world, "events", "people", lambda: world.wait(6_000))
    assert world.tycoon.eraser.work() == (1, 0)
    assert world.build().eraser.work() == (3, 0)
