"""Marks, bots and the pace: nothing a bot does stalls a match, nothing lost stays lost."""

from itertools import chain

import msgspec
import pytest

from services.bots.levels import policy_for
from services.matches.advancing import TRIES
from services.matches.limits import limit
from services.matches.playing import Stalled
from shared.errors import Corrupt
from shared.game import Thought
from shared.store import VersionConflict
from tests.services.world import OWNER, PERSON, World, bot
from tests.toys import tictactoe


@pytest.fixture
def world() -> World:
    return World()


def faults(world, match):
    stored = [msgspec.json.decode(raw) for raw in world.stores.events.events(match)]
    return [e["event"]["fault"] for e in stored if e["event"]["type"] == "match.fault_recorded"]


def test_bots_among_themselves_play_many_moves_in_one_append(world):
    match = world.create(bot("random"), bot("random"))
    appends = []
    real = world.stores.events.append
    world.stores.events.append = lambda append: appends.append(append) or real(append)
    world.advance(match)
    assert world.match(match).status == "ended"
    assert len(appends) == 1
    commands = [msgspec.json.decode(e) for e in appends[0].events]
    assert sum("command" in c for c in commands) > 4, "each move is its own command in the log"


def test_a_clock_that_is_set_back_makes_no_task_longer(world):
    match = world.create(bot("random"), bot("random"))
    real = world.stores.events.secret

    def jump(match):
        world.now -= 3_600_000
        return real(match)

    world.stores.events.secret = jump
    assert world.tycoon.advancer.advance([match]) == 1
    assert world.match(match).status == "running"
    world.stores.events.secret = real
    world.advance(match)
    assert world.match(match).status == "ended"


def test_the_projection_reaches_the_head_and_the_mark_is_gone(world):
    match = world.create(bot(), bot())
    world.advance(match)
    snapshot = world.stores.events.load(match).snapshot
    assert snapshot.version == world.match(match).version
    assert world.stores.work.take(match, lease_ms=1) is None


@pytest.mark.parametrize(
    ("level", "fault"), [("raises", "raised"), ("illegal", "illegal"), ("stalls", "stalled")]
)
def test_a_bad_bot_never_stalls_a_match(world, level, fault, monkeypatch):
    monkeypatch.setattr("services.matches.playing.limit_ms", lambda policy: 30)
    world.tycoon = world.build(limit)
    match = world.create(bot(level), bot("random"), chance={"first": 0})
    for _ in range(10):
        world.advance(match)
    assert world.match(match).status == "ended"
    assert set(faults(world, match)) == {fault}


def test_a_bot_that_swallows_exceptions_cannot_swallow_the_limit():
    assert not issubclass(Stalled, Exception)


def test_a_process_that_died_too_often_at_a_move_plays_the_default(world):
    match = world.create(bot("slow"), bot("random"), chance={"first": 0})
    for _ in range(TRIES):
        world.stores.work.take(match, lease_ms=100)  # and the process is gone
        world.now += 200
    assert world.stores.work.take(match, lease_ms=100).tries == TRIES + 1
    world.now += 200
    world.tycoon.thinker.think(match, 3)
    assert faults(world, match) == ["stalled"]


def test_a_killed_worker_is_replaced_when_its_lease_runs_out(world):
    match = world.create(bot(), bot())
    world.stores.work.take(match, lease_ms=6_000)
    world.advance(match)
    assert world.match(match).version == 3, "the mark is held by another"
    world.now += 6_001
    world.advance(match)
    assert world.match(match).status == "ended"


def test_a_worker_killed_between_projection_and_bot_loses_nothing(world):
    match = world.create(bot(), bot())

    class Killed(BaseException):
        pass

    def kill(*_, **__):
        raise Killed

    dying = world.build()
    dying.advancer._play = kill
    with pytest.raises(Killed):
        dying.advancer.advance([match])
    assert world.stores.events.load(match).snapshot.version == 3
    world.now += 6_001
    world.advance(match)
    assert world.match(match).status == "ended"


def test_an_append_that_slips_in_keeps_the_mark(world):
    match = world.create(PERSON, PERSON, chance={"first": 0})
    lease = world.stores.work.take(match, lease_ms=6_000)
    world.move(match, 0, {"type": "place", "at": 0})
    assert not world.stores.work.release(lease, done_at=3)
    world.advance(match)
    assert world.stores.events.load(match).snapshot.version == 4


def test_pace_is_a_fixed_time_from_the_event_before(world):
    match = world.create(PERSON, bot(), pace_ms=700, chance={"first": 1})
    begun = world.match(match).last_at
    for step in (0, 300, 399):
        world.now += step
        world.advance(match)
        assert world.match(match).version == 3
    world.now += 1
    world.advance(match)
    assert world.match(match).version == 4
    assert world.match(match).last_at == begun + 700


def thinking_for(world, monkeypatch, ms):
    """Every search thinks just so long."""

    def think(game, view, moves, chance, budget):
        world.now += ms
        return Thought(moves[0], 1, ())

    monkeypatch.setattr("services.bots.search.think", think)


@pytest.mark.parametrize("level", ["search-20", "search-100ms", "search", "search-2000ms"])
@pytest.mark.parametrize("pace", [50, 700, 3_000])
def test_where_people_sit_the_time_of_a_move_tells_nothing_of_the_thought(monkeypatch, level, pace):
    budget = policy_for(tictactoe.GAME, level).budget_ms
    hold = budget * 11 // 10
    for share in (0, 0.3, 1, 1.1):
        world = World()
        thinking_for(world, monkeypatch, int(budget * share))
        match = world.create(PERSON, bot(level), pace_ms=pace, chance={"first": 1})
        begun = world.now
        if pace > hold:
            world.now += pace - hold - 1
            world.advance(match)
            assert world.thoughts == []
            world.now += 1
        world.advance(match)
        assert world.thoughts == [(match, 3)], "it is never played while folding"
        assert world.tycoon.thinker.think(match, 3)
        assert world.match(match).last_at == begun + max(pace, hold), share


def test_a_thought_that_begins_late_takes_as_long_whatever_it_thinks(world, monkeypatch):
    for ms in (0, 200, 1_100):
        world = World()
        thinking_for(world, monkeypatch, ms)
        match = world.create(PERSON, bot("search-1000ms"), pace_ms=700, chance={"first": 1})
        world.now += 5_000
        late = world.now
        world.advance(match)
        assert world.tycoon.thinker.think(match, 3)
        assert world.match(match).last_at == late + 1_100


def test_a_thought_that_is_asked_for_too_early_is_not_thought(world, monkeypatch):
    thinking_for(world, monkeypatch, 10)
    match = world.create(PERSON, bot("search-100ms"), pace_ms=700, chance={"first": 1})
    assert not world.tycoon.thinker.think(match, 3)
    world.now += 590
    assert world.tycoon.thinker.think(match, 3)


def test_without_a_pace_a_short_search_is_played_while_folding(world):
    match = world.create(bot("search-20"), bot("search-200ms"), chance={"first": 0})
    world.advance(match)
    assert world.thoughts == []
    assert world.match(match).version > 3


def test_a_long_thought_is_handed_out_and_taken_once(world):
    match = world.create(bot("slow"), bot("random"), chance={"first": 0})
    world.advance(match)
    world.advance(match)
    assert world.thoughts[0] == (match, 3)
    lease = world.stores.work.take(match, lease_ms=6_000)
    assert not world.tycoon.thinker.think(match, 3), "somebody thinks already"
    world.stores.work.release(lease, done_at=None)
    assert not world.tycoon.thinker.think(match, 2), "a thought for another version"


def test_a_lost_race_leaves_the_mark(world):
    match = world.create(bot(), bot())
    real = world.stores.events.append

    def lose(append):
        world.stores.events.append = real
        raise VersionConflict(append.expected)

    world.stores.events.append = lose
    world.advance(match)
    assert world.match(match).version == 3
    world.advance(match)
    assert world.match(match).status == "ended"


def test_an_event_that_this_build_cannot_read_is_reported_and_left(world):
    match = world.create(bot(), bot())
    other = world.create(bot(), bot())
    events = world.stores.events
    real = events.load

    def newer(asked, **more):
        loaded = real(asked, **more)
        if asked != match:
            return loaded
        tail = [raw.replace(b'"match.started"', b'"match.transformed"') for raw in loaded.tail]
        return type(loaded)(loaded.head, None, tail, None)

    world.tycoon = world.build()
    events.load = newer
    world.tycoon.advancer.advance([match, other])
    assert [m for m, _ in world.reports] == [match]
    assert events.load(other).head.status == "ended"
    with pytest.raises(Corrupt):
        world.tycoon.queries.match(match, OWNER)
    events.load = real
    assert world.match(match).version == 3, "nothing was written"


def test_a_broker_that_is_away_costs_nothing_but_time(world):
    match = world.create(bot(), bot())
    world.woken.clear()  # the enqueue was lost
    world.now += 1_001
    offered = list(chain(*world.stores.work.offer(range(256), limit=10, lease_ms=5_000)))
    assert offered == [match]
