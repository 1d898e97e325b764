"""Repeats and races: one event for one intention, whatever the network does."""

import threading

import msgspec
import pytest

from services.matches.committing import RETRIES
from shared.errors import Conflict, PreconditionRequired, Unprocessable
from shared.store import VersionConflict
from tests.services.world import OWNER, PERSON, World, bot, key

PLACE = {"type": "place", "at": 4}


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def match(world) -> str:
    return world.create(PERSON, PERSON, chance={"first": 0})


def answer(world, done, seat=0):
    return msgspec.json.encode(world.tycoon.queries.done(done, world.holder(done.id, seat)))


def test_neither_version_nor_key_is_refused(world, match):
    with pytest.raises(PreconditionRequired):
        world.move(match, 0, PLACE, expected=None)


def test_a_stale_version_is_refused_with_the_head(world, match):
    with pytest.raises(Conflict) as info:
        world.move(match, 0, PLACE, expected=2)
    assert (info.value.code, info.value.extra["version"]) == ("match.stale-version", 3)


def test_a_repeat_writes_nothing_and_gets_the_same_answer(world, match):
    once = world.move(match, 0, PLACE, key=key("k1"))
    head = world.match(match).version
    again = world.move(match, 0, PLACE, key=key("k1"))
    assert again.replayed
    assert answer(world, again) == answer(world, once)
    assert world.match(match).version == head


def test_a_repeat_gets_the_answer_of_its_own_time(world, match):
    once = world.move(match, 0, PLACE, key=key("k1"))
    world.move(match, 1, {"type": "place", "at": 0})
    again = world.move(match, 0, PLACE, key=key("k1"))
    assert answer(world, again) == answer(world, once)


def test_a_repeat_in_another_process_finds_the_record(world, match):
    once = world.move(match, 0, PLACE, key=key("k1"))
    world.tycoon = world.build()
    again = world.move(match, 0, PLACE, key=key("k1"))
    assert again.replayed
    assert answer(world, again) == answer(world, once)


def test_a_key_with_another_body_is_refused(world, match):
    world.move(match, 0, PLACE, key=key("k1", "one"))
    with pytest.raises(Unprocessable) as info:
        world.move(match, 0, PLACE, key=key("k1", "two"))
    assert info.value.code == "request.key-reused"


def test_a_refusal_is_not_recorded(world, match):
    world.move(match, 0, PLACE)
    with pytest.raises(Unprocessable):
        world.move(match, 1, PLACE, key=key("k2"))
    world.move(match, 1, {"type": "place", "at": 0}, key=key("k2"))


def test_a_repeated_create_is_one_match(world):
    once = world.created(PERSON, bot(), key=key("new"))
    again = world.created(PERSON, bot(), key=key("new"))
    assert again.id == once.id
    assert again.replayed
    assert answer(world, again) == answer(world, once)
    with pytest.raises(Unprocessable):
        world.created(PERSON, bot(), key=key("new", "another body"))
    assert world.created(PERSON, bot(), key=key("newer")).id != once.id


class Rival:
    """Appends first, so often as it is told."""

    def __init__(self, world, match, times, act):
        self.store, self.left = world.stores.events, times
        self.real, self.act = self.store.append, act
        self.store.append = self

    def __call__(self, append):
        if self.left:
            self.left -= 1
            self.store.append = self.real
            self.act()
            self.store.append = self
        return self.real(append)


def test_a_keyed_move_is_decided_again_while_the_seat_is_asked_the_same(world):
    match = world.create(PERSON, PERSON, PERSON, PERSON, game="daifugo")
    seat = world.active(match)[0]
    other = next(s for s in range(4) if s != seat)
    doc = world.tycoon.queries.moves(match, world.holder(match, seat), preview=False)
    move = msgspec.to_builtins(doc.moves[0].move)
    Rival(
        world,
        match,
        1,
        lambda: world.build().commands.resign(match, world.holder(match, other), None),
    )
    done = world.move(match, seat, move, expected=None, key=key("k"))
    assert done.first == 6


def test_a_keyed_move_is_given_up_when_the_question_changed(world, match):
    Rival(world, match, 1, lambda: world.build().timekeeper.time_out(match))
    world.settings = msgspec.structs.replace(world.settings, idle_days=0)
    with pytest.raises(Conflict) as info:
        world.move(match, 0, PLACE, expected=None, key=key("k"))
    assert info.value.code == "match.over"


def test_a_command_is_decided_again_only_so_often(world, match):
    tries = []

    def lose(append):
        tries.append(append)
        raise VersionConflict(append.expected)

    world.stores.events.append = lose
    with pytest.raises(Conflict):
        world.move(match, 0, PLACE, expected=None, key=key("k"))
    assert len(tries) == 1 + RETRIES


def test_of_eight_moves_at_one_version_exactly_one_wins(world, match):
    outcomes, start = [], threading.Barrier(8)

    def race(cell):
        tycoon = world.build()
        start.wait()
        try:
            tycoon.commands.move(
                match, world.holder(match, 0), {"type": "place", "at": cell}, expected=3, key=None
            )
            outcomes.append("won")
        except Conflict as lost:
            outcomes.append(lost.code)

    threads = [threading.Thread(target=race, args=(cell,)) for cell in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["match.stale-version"] * 7 + ["won"]
    assert world.match(match).version == 4


def test_another_process_cache_never_decides_on_old_truth(world, match):
    other = world.build()
    other.queries.match(match, OWNER)
    world.move(match, 0, PLACE)
    with pytest.raises(Unprocessable):
        other.commands.move(match, world.holder(match, 1), PLACE, expected=4, key=None)


def test_the_append_says_what_it_wrote(world, match):
    seen = []
    real = world.stores.events.append
    world.stores.events.append = lambda append: seen.append(append) or real(append)
    world.move(match, 0, PLACE, key=key("k"))
    (append,) = seen
    assert append.command[1].first == append.command[1].last == 4
    assert append.holder == (0, 0)
