"""Lists, results and their rebuild: always to be had again from the log alone."""

import msgspec
import pytest

from services.projections.generation import Generation
from services.projections.lists import read_cursor, write_cursor
from services.projections.rebuilding import Part
from shared.errors import Conflict, Malformed
from shared.ids import partition
from shared.memory_lists import MemoryLists
from shared.store import Snapshot
from tests.services.world import OPEN, OWNER, PERSON, World, bot


@pytest.fixture
def world() -> World:
    return World()


def listed(world, *, owner="host", scope="mine", limit=50, cursor=None, **more):
    given = {"game": None, "status": None, "player": None, **more}
    return world.tycoon.lists.matches(
        owner=owner, scope=scope, cursor=cursor, limit=limit, now=world.now, **given
    )


def ids_of(page):
    return [row.id for row in page.items]


def test_a_match_stands_in_the_lists_of_its_owner_status_and_visibility(world):
    mine = world.create(PERSON, OPEN)
    public = world.create(PERSON, OPEN, visibility="public")
    world.advance(mine)
    world.advance(public)
    assert set(ids_of(listed(world))) == {mine, public}
    assert ids_of(listed(world, scope="public")) == [public]
    assert ids_of(listed(world, owner=None)) == [public]
    assert ids_of(listed(world, owner="other")) == []
    assert set(ids_of(listed(world, status="waiting"))) == {mine, public}
    assert ids_of(listed(world, status="running")) == []
    assert ids_of(listed(world, game="daifugo")) == []
    world.tycoon.commands.cancel(mine, OWNER, None)
    world.advance(mine)
    assert ids_of(listed(world, status="waiting")) == [public]
    assert ids_of(listed(world, status="ended")) == [mine]
    assert world.tycoon.lists.open_matches("host") == 1


def test_a_hosts_player_is_found_by_reference_and_the_reference_is_in_no_row(world):
    seat = msgspec.structs.replace(PERSON, name="Ada", ref="user-1")
    match = world.create(seat, bot())
    world.advance(match)
    page = listed(world, player="user-1")
    assert ids_of(page) == [match]
    assert ids_of(listed(world, player="user-2")) == []
    assert ids_of(listed(world, owner="other", player="user-1")) == []
    assert b"user-1" not in msgspec.json.encode(page)
    assert page.items[0].seats[0].name == "Ada"


def test_pages_go_through_all_games_by_creation_then_id(world):
    made = []
    for number in range(10):
        made.append((world.now, world.create(PERSON, OPEN)))
        made.append((world.now, world.create(*[OPEN] * 4, game="daifugo")))
        world.now += number % 2
    for _, match in made:
        world.advance(match)
    seen, cursor = [], None
    while True:
        page = listed(world, limit=3, cursor=cursor)
        seen += ids_of(page)
        cursor = page.next
        if cursor is None:
            break
    assert seen == [match for _, match in sorted(made)]


@pytest.mark.parametrize(
    "cursor", ["", "x", "bm9wZQ==", "????", "\u00e9", write_cursor(1, "m")[:-2]]
)
def test_a_cursor_that_was_never_given_out_is_refused(cursor):
    with pytest.raises(Malformed):
        read_cursor(cursor)


def test_only_completed_and_resigned_matches_count(world):
    ended = {}
    for reason, seats, more in [
        ("completed", (bot(), bot()), {}),
        ("custom", (bot(), bot()), {"chance": {"first": 1}}),
        ("cancelled", (PERSON, bot()), {}),
        ("resigned", (PERSON, PERSON), {}),
    ]:
        match = world.create(*seats, **more)
        if reason == "cancelled":
            world.tycoon.commands.cancel(match, OWNER, None)
        if reason == "resigned":
            world.tycoon.commands.resign(match, world.holder(match, 0), None)
        world.advance(match)
        ended[reason] = match
    page = world.tycoon.lists.results(
        owner="host", scope="mine", game="tictactoe", cursor=None, limit=50, now=world.now
    )
    assert set(ids_of(page)) == {ended["completed"], ended["resigned"]}


def rebuild(world):
    """Part by part, as the tasks do it."""
    rebuilding = world.tycoon.rebuilding
    generation, part = rebuilding.begin()
    while part is not None:
        assert not rebuilding.progress(generation).finished
        part = rebuilding.rebuild(generation, part)
    return rebuilding.progress(generation)


def test_a_rebuild_makes_every_projection_again_from_the_streams(world):
    matches = [world.create(bot(), bot()) for _ in range(5)]
    for match in matches:
        world.advance(match)
    before = listed(world)
    world.stores.lists._rows.clear()
    for match in matches:
        # a projection that some defect left wrong
        wrong = world.tycoon.hall["tictactoe"].write_snapshot(
            msgspec.structs.replace(world.match(match), commitment="wrong")
        )
        world.stores.events.save_snapshot(match, Snapshot(99, 1, wrong))
    progress = rebuild(world)
    assert (progress.matches, progress.failed, progress.finished) == (5, 0, True)
    assert listed(world) == before
    world.now += 2_000
    fresh = world.build()
    assert all(fresh.queries.match(m, OWNER).commitment != "wrong" for m in matches)


def test_a_move_during_a_rebuild_is_in_the_new_projections(world):
    match = world.create(PERSON, PERSON, chance={"first": 0})
    world.advance(match)
    generation, _ = world.tycoon.rebuilding.begin()
    world.tycoon.rebuilding.rebuild(generation, Part(partition(match)))
    world.tycoon.commands.cancel(match, OWNER, None)
    world.advance(match)
    late = world.create(PERSON, OPEN)
    world.advance(late)
    for number in range(256):
        world.tycoon.rebuilding.rebuild(generation, Part(number))
    assert set(ids_of(listed(world))) == {match, late}
    assert ids_of(listed(world, status="ended")) == [match]
    snapshot = world.stores.events.load(match).snapshot
    assert (snapshot.version, snapshot.generation) == (4, generation)


def test_beginning_again_goes_on_where_a_task_was_lost(world):
    generation, part = world.tycoon.rebuilding.begin()
    for _ in range(7):
        part = world.tycoon.rebuilding.rebuild(generation, part)
    assert world.tycoon.rebuilding.begin() == (generation, Part(7))


def test_a_part_ends_after_a_while_and_the_next_one_keeps_its_counts(world):
    matches = [world.create(PERSON, OPEN) for _ in range(30)]
    rebuilding = world.tycoon.rebuilding
    generation, part = rebuilding.begin()
    real = world.stores.events.load_many

    def slow(looks):
        world.now += 2_000
        return real(looks)

    world.stores.events.load_many = slow
    parts = 0
    while part is not None:
        part, parts = rebuilding.rebuild(generation, part), parts + 1
    assert parts > 256 - 1
    progress = rebuilding.progress(generation)
    assert (progress.matches, progress.finished) == (len(matches), True)


def test_one_match_that_cannot_be_folded_is_counted_and_stops_nothing(world):
    good, bad = world.create(PERSON, OPEN), world.create(PERSON, OPEN)
    real = world.stores.events.load_many

    def broken(looks):
        if looks[0].match == bad:
            raise KeyError("whatever a defect raises")
        return real(looks)

    world.stores.events.load_many = broken
    progress = rebuild(world)
    assert (progress.matches, progress.failed, progress.finished) == (1, 1, True)
    assert [match for match, _ in world.reports] == [bad]
    assert ids_of(listed(world)) == [good]


def test_a_rebuild_that_was_overtaken_cannot_finish(world):
    first = world.stores.lists.begin_rebuild()
    second = world.stores.lists.begin_rebuild()
    assert second > first
    with pytest.raises(Conflict):
        world.stores.lists.finish_rebuild(first)


def test_an_older_fold_never_overwrites_a_newer_one(world):
    match = world.create(PERSON, PERSON, chance={"first": 0})
    found, _ = world.build().queries.find(match, OWNER)
    world.move(match, 0, {"type": "place", "at": 0})
    world.advance(match)
    world.tycoon.commands.cancel(match, OWNER, None)
    world.advance(match)
    world.build().advancer._projector.project([found])
    assert world.stores.events.load(match).snapshot.version == 5
    assert listed(world).items[0].status == "ended"


def test_a_rebuild_is_seen_by_who_looked_last_at_a_wrong_clock():
    lists, now = MemoryLists(), 3_600_000
    generation = Generation(lists, lambda: now)
    assert generation.target() == 1
    lists.begin_rebuild()
    assert generation.target() == 1
    now = 0
    assert generation.target() == 2
