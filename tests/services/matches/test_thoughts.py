"""How long bots thought and why: kept beside the match, told after its end."""

import msgspec
import pytest

from services.bots.levels import exact_policy_for
from services.matches import thoughts
from services.matches.access import NOBODY, Caller
from services.matches.playing import Player
from services.matches.thoughts import Answer
from shared.errors import Conflict, Corrupt, Malformed
from shared.game import Policy
from tests.services.world import OWNER, PERSON, World, bot
from tests.toys import tictactoe


@pytest.fixture
def world():
    return World()


def all_of(world, match, caller=OWNER):
    return world.tycoon.queries.thoughts(match, caller, cursor=None, limit=200)


def moves_of(world, match):
    """(version, seat) of every move in the log."""
    stored = [msgspec.json.decode(raw) for raw in world.stores.events.events(match)]
    return [(n, e["seat"]) for n, e in enumerate(stored, 1) if "move" in e or "fault" in e["event"]]


def test_every_move_of_a_bot_has_its_time_and_a_search_its_reasons(world):
    match = world.create(bot("search-30"), bot("greedy"), chance={"first": 0})
    world.advance(match)
    assert world.match(match).status == "ended"
    document = all_of(world, match)
    assert [(item.version, item.seat) for item in document.items] == moves_of(world, match)
    assert (document.next, document.as_of) == (None, world.match(match).version)
    stored = [msgspec.json.decode(raw) for raw in world.stores.events.events(match)]
    for item in document.items:
        assert item.took_ms == 0.25
        if item.seat == 1:
            assert (item.level, item.leading) == ("greedy", ())
            assert item.iterations is msgspec.UNSET
            continue
        assert item.level == "search-30"
        assert item.iterations in (0, 30), "none for a forced move"
        assert [one.move for one in item.leading[:1]] in (
            [stored[item.version - 1]["move"]],
            [],
        )
        assert sum(one.visits for one in item.leading) <= 30


def test_nobody_is_told_before_the_end(world):
    match = world.create(PERSON, bot("search-30"), chance={"first": 1}, pace_ms=0)
    world.advance(match)
    assert world.stores.events.thoughts(match, after=0, limit=9)
    for caller in (OWNER, NOBODY, Caller("operator"), world.holder(match, 0)):
        with pytest.raises(Conflict) as refused:
            all_of(world, match, caller)
        assert refused.value.code == "match.not-over"
    world.tycoon.commands.cancel(match, OWNER, None)
    assert len(all_of(world, match, NOBODY).items) == 1


def test_a_long_thought_and_a_fault_are_kept_too(world):
    match = world.create(bot("illegal"), bot("search-250ms"), chance={"first": 1})
    world.advance(match)
    assert world.thoughts == [(match, 3)]
    assert world.tycoon.thinker.think(match, 3)
    world.advance(match)
    while world.match(match).status == "running":
        world.tycoon.thinker.think(match, world.match(match).version)
        world.advance(match)
    document = all_of(world, match)
    assert [(item.version, item.seat) for item in document.items] == moves_of(world, match)
    assert [item.seat for item in document.items][:2] == [1, 0]
    assert document.items[0].iterations > 0
    assert document.items[1].iterations is msgspec.UNSET


def test_a_stand_in_is_told_by_its_level(world):
    match = world.create(PERSON, PERSON, PERSON, PERSON, game="daifugo", pace_ms=0)
    seat = world.active(match)[0]
    world.tycoon.commands.resign(match, world.holder(match, seat), None)
    world.advance(match)
    world.tycoon.commands.cancel(match, OWNER, None)
    first = all_of(world, match).items[0]
    assert (first.seat, first.level) == (seat, "greedy")


def test_pages_follow_each_other(world):
    match = world.create(bot("random"), bot("random"))
    world.advance(match)
    whole = all_of(world, match).items
    found, cursor = [], None
    while True:
        page = world.tycoon.queries.thoughts(match, OWNER, cursor=cursor, limit=2)
        found += page.items
        cursor = page.next
        if cursor is None:
            break
        assert len(page.items) == 2
    assert tuple(found) == whole
    for cursor in ("-1", "x", "1.5", "²", "9" * 10):
        with pytest.raises(Malformed) as refused:
            world.tycoon.queries.thoughts(match, OWNER, cursor=cursor, limit=2)
        assert refused.value.code == "request.bad-cursor"


def test_the_log_and_the_transcript_know_nothing_of_it(world):
    match = world.create(bot("search-30"), bot("search-30"))
    world.advance(match)
    transcript = b"".join(world.tycoon.queries.export(match, OWNER))
    assert b"visits" not in transcript
    assert b"took" not in transcript
    again = world.tycoon.importer.import_match(transcript, "host")
    assert all_of(world, again.id).items == ()


def test_a_level_without_reasons_takes_few_bytes():
    assert thoughts.write(12, 1, Answer(tictactoe.Place(3), took_us=35)) == b"[12,1,35]"


def test_damage_is_told_as_damage(world):
    match = world.create(bot(), bot())
    world.advance(match)
    for raw in (b"{}", b"", b"[1]", b"[1,99,1]", b'[1,"0",1]'):
        with pytest.raises(Corrupt):
            thoughts.read(world.match(match), [raw])


def test_a_player_finds_its_policies_where_it_is_told(world):
    asked = []

    def lookup(game, level):
        asked.append(level)
        return Policy(choose=lambda view, moves, chance: moves[-1])

    times = iter([10, 35])
    player = Player(world.tycoon.advancer._player._limit, policy=lookup, stopwatch=times.__next__)
    match = world.create(bot("greedy"), bot("random"), chance={"first": 0})
    committer = world.tycoon.advancer._committer
    answer = player.answer(committer.draft(committer.load(match)), 0, bytes(32))
    assert answer == Answer(tictactoe.Place(8), 25, None)
    assert asked == ["greedy"]
    assert exact_policy_for(tictactoe.GAME, "search-400").budget_ms == 0
