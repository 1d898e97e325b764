"""Hints: from the asker's view alone, once for a version, for nobody else."""

from contextlib import contextmanager

import msgspec
import pytest

from services.matches import hinting
from services.matches.access import NOBODY, Caller
from services.matches.hinting import QUEUED_MS, THINKING_MS
from services.matches.playing import Stalled
from shared.chance import Chance
from shared.errors import Conflict, Forbidden, NotFound, TooMany, Unauthenticated, Unprocessable
from shared.game import Thought, is_listed
from shared.store import Secret, Snapshot
from tests.services.world import OPEN, OWNER, PERSON, World, bot
from tests.toys import tictactoe


@pytest.fixture
def world():
    return World()


@pytest.fixture
def match(world):
    return world.create(PERSON, PERSON, chance={"first": 0})


def ask(world, match, seat=0, level="search-30", epoch=0):
    return world.tycoon.hints.ask(match, world.holder(match, seat, epoch), level)


def get(world, match, seat=0, epoch=0):
    return world.tycoon.hints.get(match, world.holder(match, seat, epoch))


def think(world, match, seat=0):
    return world.tycoon.hinter.think(match, seat, world.match(match).version)


@contextmanager
def refused(code, kind):
    with pytest.raises(kind) as caught:
        yield caught
    assert caught.value.code == code


def test_a_hint_is_asked_for_thought_and_got(world, match):
    asked, seat, send = ask(world, match)
    assert (asked.version, asked.status, asked.level) == (3, "thinking", "search-30")
    assert (asked.move, asked.iterations, asked.leading) == (None, None, ())
    assert (seat, send) == (0, True)
    assert get(world, match) == asked
    assert think(world, match)
    ready = get(world, match)
    assert (ready.version, ready.status, ready.iterations) == (3, "ready", 30)
    assert ready.move == ready.leading[0].move
    moves = tictactoe.GAME.legal_moves(world.match(match).table, 0)
    assert is_listed(moves, tictactoe.Place(ready.move["at"]))
    assert sum(one.visits for one in ready.leading) <= 30


def test_it_is_thought_at_the_level_that_a_setting_says():
    world = World(hint_level="search-7")
    match = world.create(PERSON, PERSON, chance={"first": 0})
    assert ask(world, match, level=None)[0].level == "search-7"


def test_asked_again_at_the_same_version_it_is_not_thought_again(world, match):
    ask(world, match)
    assert ask(world, match, level="search-50")[1:] == (0, False)
    think(world, match)
    again, _, send = ask(world, match)
    assert not send
    assert again == get(world, match)
    assert again.level == "search-30"
    assert not think(world, match), "a doubled task finds it answered"


def test_once_it_is_there_another_level_can_be_asked(world, match):
    ask(world, match)
    think(world, match)
    deeper, _, send = ask(world, match, level="search-50")
    assert (deeper.status, deeper.level, send) == ("thinking", "search-50", True)
    assert think(world, match)
    assert get(world, match).level == "search-50"


def test_a_hint_for_an_older_version_says_so_and_makes_way(world, match):
    ask(world, match)
    think(world, match)
    world.move(match, 0, {"type": "place", "at": 0})
    world.move(match, 1, {"type": "place", "at": 8})
    assert get(world, match).version == 3
    asked, _, send = ask(world, match)
    assert (asked.version, asked.status, send) == (5, "thinking", True)


def test_a_hint_that_nobody_waits_for_any_more_is_not_thought(world, match):
    ask(world, match)
    world.move(match, 0, {"type": "place", "at": 0})
    assert not world.tycoon.hinter.think(match, 0, 3)
    with refused("hint.none", NotFound):
        get(world, match)


def test_one_is_in_work_for_a_seat_at_a_time(world, match):
    ask(world, match)
    world.move(match, 0, {"type": "place", "at": 0})
    world.move(match, 1, {"type": "place", "at": 8})
    with refused("hint.in-work", TooMany) as caught:
        ask(world, match)
    assert caught.value.extra["retry_after"] == 1
    world.tycoon.hinter.think(match, 0, 3)
    assert ask(world, match)[2]


def test_a_lost_task_is_sent_again(world, match):
    ask(world, match)
    world.now += QUEUED_MS - 1
    assert not ask(world, match)[2]
    world.now += 1
    assert ask(world, match)[2]
    assert world.stores.hints.take(match, 0, 3, lease_ms=THINKING_MS)  # and the worker is gone
    world.now += THINKING_MS - 1
    assert not ask(world, match)[2]
    world.now += 1
    assert ask(world, match)[2]
    assert think(world, match)


def test_only_who_has_to_move_may_ask(world, match):
    with refused("move.not-your-turn", Conflict):
        ask(world, match, seat=1)
    with refused("auth.no-seat", Forbidden):
        world.tycoon.hints.ask(match, OWNER, None)
    with refused("auth.no-seat", Forbidden):
        world.tycoon.hints.get(match, Caller("operator"))
    with refused("auth.required", Unauthenticated):
        world.tycoon.hints.ask(match, NOBODY, None)
    with refused("auth.bad-token", Unauthenticated):
        ask(world, match, epoch=1)
    waiting = world.create(PERSON, OPEN)
    with refused("match.not-started", Conflict):
        ask(world, waiting)
    world.tycoon.commands.cancel(match, OWNER, None)
    with refused("match.over", Conflict):
        ask(world, match)


def test_nobody_else_gets_it(world, match):
    ask(world, match)
    think(world, match)
    with refused("hint.none", NotFound):
        get(world, match, seat=1)
    for caller in (OWNER, Caller("operator")):
        with refused("auth.no-seat", Forbidden):
            world.tycoon.hints.get(match, caller)


def test_who_takes_over_the_seat_neither_gets_it_nor_waits_for_it(world, match):
    ask(world, match)
    epoch = world.stores.events.raise_epoch(match, 0)
    with refused("hint.none", NotFound):
        get(world, match, epoch=epoch)
    assert ask(world, match, epoch=epoch)[2]
    assert think(world, match)
    assert get(world, match, epoch=epoch).status == "ready"
    with refused("auth.bad-token", Unauthenticated):
        get(world, match)


def test_a_hint_whose_asker_is_gone_is_not_thought(world, match):
    ask(world, match)
    epoch = world.stores.events.raise_epoch(match, 0)
    assert not think(world, match)
    assert ask(world, match, epoch=epoch)[2]


def test_who_left_gets_no_more_hints(world):
    match = world.create(PERSON, PERSON, bot(), bot(), game="daifugo", chance={"dealer": 0})
    seat = world.active(match)[0]
    if seat > 1:
        world.now += 1_000
        world.advance(match)
        seat = world.active(match)[0]
    world.tycoon.commands.resign(match, world.holder(match, 0), None)
    for call in (lambda: ask(world, match), lambda: get(world, match)):
        with refused("seat.resigned", Conflict):
            call()


@pytest.mark.parametrize(
    ("level", "code"),
    [
        ("greedy", "match.unknown-level"),
        ("searching", "match.unknown-level"),
        ("search-0", "match.unknown-level"),
        ("search-5001ms", "match.bad-budget"),
        ("search-1001", "match.bad-budget"),
        ("search-99999", "match.bad-budget"),
    ],
)
def test_only_a_short_search_gives_hints(world, match, level, code):
    with refused(code, Unprocessable):
        ask(world, match, level=level)
    with refused("hint.none", NotFound):
        get(world, match)


def test_a_setting_switches_hints_off():
    world = World(hint_level="")
    match = world.create(PERSON, PERSON, chance={"first": 0})
    with refused("hint.off", Forbidden):
        ask(world, match)


def test_the_match_knows_nothing_of_hints(world, match):
    before = world.stores.events.events(match)
    ask(world, match)
    think(world, match)
    assert world.stores.events.events(match) == before
    assert world.stores.events.thoughts(match, after=0, limit=9) == []


def test_it_follows_from_the_view_and_from_nothing_else(world, monkeypatch):
    """With another seed and other hidden hands the search is given the very same."""
    given = []

    def think(game, view, moves, chance, budget):
        given.append((view, moves, chance.one("search", 2**32)))
        return Thought(moves[0], 0, ())

    monkeypatch.setattr("services.bots.search.think", think)
    match = world.create(PERSON, PERSON, PERSON, PERSON, game="daifugo")
    seat, held = world.active(match)[0], world.stores.events.kept[match]
    ask(world, match, seat=seat)
    assert world.tycoon.hinter.think(match, seat, world.match(match).version)
    game, found = world.tycoon.hall["daifugo"].game, world.match(match)
    view = game.view(found.table, seat)
    other = msgspec.structs.replace(found, table=game.resample(view, Chance(bytes(32))))
    assert other.table != found.table
    data = world.tycoon.hall["daifugo"].write_snapshot(other)
    world.stores.events.save_snapshot(match, Snapshot(found.version, 99, data))
    held.secret = Secret("00" * 32)
    world.stores.hints._held.clear()
    ask(world, match, seat=seat)
    assert world.build().hinter.think(match, seat, found.version)
    assert given[1] == given[0]
    assert given[0][0] == view


def test_a_search_that_does_not_come_back_makes_way(world, match):
    @contextmanager
    def limit(ms):
        yield
        raise Stalled

    hinter = world.build(limit).hinter
    ask(world, match)
    assert not hinter.think(match, 0, 3)
    with refused("hint.none", NotFound):
        get(world, match)
    assert ask(world, match)[2]


def test_a_worker_may_take_longer_than_any_limit_of_a_hint():
    from services.bots.levels import HINT_MS, policy_for
    from services.matches.playing import limit_ms

    slowest = policy_for(tictactoe.GAME, f"search-{HINT_MS}ms")
    assert limit_ms(slowest) < hinting.THINKING_MS
