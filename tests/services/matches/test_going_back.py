"""A store that lost its last versions (to a replica, or to a copy) is believed, and so is its log.

`world.tycoon` saw what was lost; `other` is a process that did not.
"""

import copy

import pytest

from services.matches.access import NOBODY
from services.matches.state import fold
from shared.errors import Conflict, IllegalMove
from tests.services.world import PERSON, World, bot


class Lost:
    """Takes the store back to where it was when this was made; the lists stay as they are."""

    def __init__(self, world):
        self.store = world.stores.events
        self.kept = copy.deepcopy((self.store.kept, self.store.snapshots))

    def now(self):
        self.store.kept, self.store.snapshots = copy.deepcopy(self.kept)


@pytest.fixture
def world():
    return World()


@pytest.fixture
def other(world):
    return world.build()


@pytest.fixture
def match(world):
    """At version 4 by now, but once its second move was made, at 0."""
    match = world.create(PERSON, PERSON, chance={"first": 0})
    place(world, world.tycoon, match, at=4, expected=3)
    lost = Lost(world)
    place(world, world.tycoon, match, at=0, expected=4)
    lost.now()
    return match


def place(world, process, match, *, at, expected):
    holder = world.holder(match, expected % 2 ^ 1)
    move = {"type": "place", "at": at}
    return process.commands.move(match, holder, move, expected=expected, key=None)


def state(process, match):
    return process.queries.find(match, NOBODY)[0].match


def folded(world, match):
    """What the log alone says."""
    hosted = world.tycoon.hall["tictactoe"]
    return fold(hosted.game, None, hosted.read(world.stores.events.events(match)))


def test_who_saw_the_lost_version_is_refused_and_told_of_the_head(world, match):
    with pytest.raises(Conflict) as refused:
        place(world, world.tycoon, match, at=8, expected=5)
    assert refused.value.extra["version"] == 4
    assert place(world, world.tycoon, match, at=0, expected=4).match.version == 5


def test_a_log_that_went_on_otherwise_is_not_folded_onto_what_was_lost(world, other, match):
    place(world, other, match, at=8, expected=4)
    place(world, other, match, at=1, expected=5)
    assert state(world.tycoon, match) == folded(world, match)


def test_nothing_is_decided_on_what_was_lost(world, other, match):
    place(world, other, match, at=8, expected=4)

    with pytest.raises(IllegalMove):  # on the table that was lost, 8 was free, and 0 was not
        place(world, world.tycoon, match, at=8, expected=5)

    place(world, world.tycoon, match, at=0, expected=5)
    assert state(world.tycoon, match) == folded(world, match)


def test_nor_does_a_bot_play_on_it(world, other):
    match = world.create(PERSON, bot("random"), chance={"first": 0}, pace_ms=0)
    place(world, world.tycoon, match, at=4, expected=3)
    world.advance(match)
    lost = Lost(world)
    first, *_, last = free(world.tycoon, match)
    place(world, world.tycoon, match, at=first, expected=5)
    assert state(world.tycoon, match).version == 6
    lost.now()
    place(world, other, match, at=last, expected=5)

    world.advance(match)

    assert (world.reports, state(world.tycoon, match).version) == ([], 7)
    assert state(world.tycoon, match) == folded(world, match)


def free(process, match):
    cells = state(process, match).table.cells
    return [number for number, held in enumerate(cells) if held is None]


def test_a_row_of_a_lost_version_stands_until_a_rebuild(world):
    match = world.create(PERSON, PERSON, chance={"first": 0})
    world.advance(match)
    lost = Lost(world)
    world.tycoon.commands.resign(match, world.holder(match, 0), None)
    world.advance(match)
    lost.now()
    place(world, world.tycoon, match, at=0, expected=3)
    world.advance(match)
    running = world.tycoon.lists.open_by_status
    assert running("tictactoe")["running"] == 0, "rows do not lie where their match lies"

    generation, part = world.tycoon.rebuilding.begin()
    while part is not None:
        part = world.tycoon.rebuilding.rebuild(generation, part)

    assert running("tictactoe")["running"] == 1
