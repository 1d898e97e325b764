"""Erased names are gone from every place in memory, whoever writes at the same time or dies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from services.erasing.erasing import DAY_MS, LATE_MS
from services.matches.access import NOBODY, Caller
from services.matches.creation import NewMatch, NewSeat
from services.projections.projector import LOBBY, RESULTS
from services.projections.rebuilding import Part
from shared import ids
from shared.errors import Corrupt, Forbidden, NotFound, Unauthenticated, Unavailable
from shared.store import PARTITIONS, Person
from shared.whole_store import Shelf
from tests.services.world import OPEN, OWNER, SERVER_KEY, World, bot

NAME, REF = "Zebedee Q. Quux", "ref-zebedee-77"
ZEB = NewSeat(kind="person", name=NAME, ref=REF)
ANN = NewSeat(kind="person", name="Ann", ref="ref-ann")
OPERATOR = Caller("operator", "operator")


@pytest.fixture
def world() -> World:
    return World()


def kept(world: World) -> str:
    """Everything that is stored anywhere, as text."""
    store: Any = world.stores.events
    lists: Any = world.stores.lists
    return repr((store.kept, store.snapshots, dict(lists._rows)))


def player_mark(ref: str = REF) -> str:
    """What the names of a player's lists have in them."""
    return ids.derive(SERVER_KEY.encode(), "ref", "host", ref, length=26)


def nothing_left(world: World) -> bool:
    return not any(trace in kept(world) for trace in (NAME, REF, player_mark()))


def erased_in(world: World, match: str) -> bool:
    return Person(NAME, REF) not in world.stores.events.people(match).values()


def erase(world: World, ref: str = REF, limit: int = 500) -> tuple[int, int]:
    done = world.tycoon.eraser.erase_player("host", ref, limit=limit)
    return done.erased, done.left


def of_player(world: World, ref: str = REF) -> list[str]:
    page = world.tycoon.lists.matches(
        owner="host",
        scope="mine",
        game=None,
        status=None,
        player=ref,
        cursor=None,
        limit=200,
        now=world.now,
    )
    return [row.id for row in page.items]


def row_of(world: World, name: str, game: str, match: str) -> bytes | None:
    [found] = world.stores.lists.entries([(name, game, match)])
    return None if found is None else found.data


def every_kind(world: World) -> list[str]:
    """Matches with the player: one waits, one runs, one is over and counts, one is custom."""
    waiting = world.create(ZEB, OPEN)
    running = world.create(ANN, ZEB, visibility="private")
    custom = world.create(ZEB, ANN, chance={"first": 1}, visibility="public")
    over = world.create(ZEB, bot())
    for match in (waiting, running, custom, over):
        world.advance(match)
    while world.match(over).status == "running":
        if world.active(over) == [0]:
            world.play_first(over, 0)
        world.now += 1_000
        world.advance(over)
    return [waiting, running, custom, over]


def test_a_player_leaves_every_match_and_list_and_no_event_changes(world: World) -> None:
    matches = every_kind(world)
    other = world.create(ANN, OPEN)
    world.advance(other)
    logs = {match: world.stores.events.events(match) for match in (*matches, other)}
    assert NAME in kept(world)
    assert REF in kept(world)
    assert player_mark() in kept(world)
    assert sorted(of_player(world)) == sorted(matches)

    assert erase(world) == (4, 0)

    assert nothing_left(world)
    assert of_player(world) == []
    assert sorted(of_player(world, "ref-ann")) == sorted([*matches[1:3], other])
    assert kept(world).count("'Ann'") > 0
    assert {match: world.stores.events.events(match) for match in logs} == logs
    assert erase(world) == (0, 0)


def test_rows_are_what_a_rebuild_would_make_of_them(world: World) -> None:
    every_kind(world)
    erase(world)
    lists: Any = world.stores.lists
    before = {key: dict(rows) for key, rows in lists._rows.items() if rows}

    generation, part = world.tycoon.rebuilding.begin()
    while part is not None:
        part = world.tycoon.rebuilding.rebuild(generation, part)

    after = {(name, game, 1): dict(rows) for (name, game, _), rows in lists._rows.items() if rows}
    assert after == before


def test_only_so_many_at_once_and_the_rest_is_left(world: World) -> None:
    for _ in range(5):
        world.advance(world.create(ZEB, OPEN))
    assert erase(world, limit=2) == (2, 3)
    assert erase(world, limit=2) == (2, 1)
    assert erase(world, limit=2) == (1, 0)
    assert nothing_left(world)


def test_what_is_not_listed_yet_is_found_by_its_mark(world: World) -> None:
    matches = [world.create(ZEB, OPEN) for _ in range(3)]
    assert of_player(world) == []
    assert erase(world, limit=2) == (2, 1)
    assert erase(world, limit=2) == (1, 0)
    for match in matches:
        world.advance(match)
    assert nothing_left(world)


def test_another_keys_player_of_the_same_reference_stays(world: World) -> None:
    new = NewMatch(game="tictactoe", seats=(ZEB, OPEN))
    listed, unlisted = (world.tycoon.commands.create(new, "other", None).id for _ in range(2))
    world.advance(listed)
    assert erase(world) == (0, 0)
    for match in (listed, unlisted):
        assert world.stores.events.people(match) == {0: Person(NAME, REF)}


def test_who_sits_down_afterwards_keeps_their_name(world: World) -> None:
    match = world.create(ZEB, OPEN)
    world.advance(match)
    erase(world)
    world.tycoon.commands.join(
        match,
        OWNER,
        seat=1,
        code=None,
        kind="person",
        person=Person("Zoe", REF),
        client_seed=None,
        key=None,
    )
    world.advance(match)
    assert world.stores.events.people(match) == {1: Person("Zoe", REF)}
    assert of_player(world) == [match]
    assert "'Zoe'" in kept(world)


@pytest.mark.parametrize("listed", [False, True])
def test_a_running_match_plays_on_without_the_name(world: World, listed: bool) -> None:
    match = world.create(ZEB, ANN)
    if listed:
        world.advance(match)
    erase(world)
    world.play_first(match, world.active(match)[0])
    world.play_first(match, world.active(match)[0])
    world.advance(match)
    assert nothing_left(world)


# -- races: something happens between a read and a write -----------------------------------------


class Between:
    """A port on which something happens once, right before or after a method."""

    def __init__(self, port: Any, method: str, happens: Callable[[], Any], *, after: bool) -> None:
        self._port, self._method, self._happens, self._after = port, method, happens, after

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._port, name)
        if name != self._method or self._happens is None:
            return real

        def call(*args: Any, **kwargs: Any) -> Any:
            happens, self._happens = self._happens, None
            if not self._after and happens is not None:
                happens()
            answer = real(*args, **kwargs)
            if self._after and happens is not None:
                happens()
            return answer

        return call


def between(
    world: World, port: str, method: str, happens: Callable[[], Any], *, after: bool = True
) -> None:
    """Another process of the world in which something happens once at a method of a port."""
    changed = Between(getattr(world.stores, port), method, happens, after=after)
    honest = world.stores
    world.stores = replace(honest, **{port: changed})
    world.tycoon = world.build()
    world.stores = honest


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


# -- whoever dies in between ---------------------------------------------------------------------


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
    assert match not in of_player(world)
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


# -- matches of all kinds ------------------------------------------------------------------------


def archived(world: World) -> str:
    match = every_kind(world)[3]
    head = world.match(match).version
    lease = world.stores.work.take(match, lease_ms=1)
    if lease is not None:
        world.stores.work.release(lease, done_at=head)
    assert world.stores.wholes.archive(match, head, "somewhere")
    return match


def test_a_match_in_the_archive_and_one_that_is_removed(world: World) -> None:
    match = archived(world)
    assert RESULTS in kept(world)
    assert erase(world) == (4, 0)
    assert nothing_left(world)
    assert world.stores.wholes.place(match) == "somewhere"
    assert world.stores.wholes.remove(match)
    assert erase(world) == (0, 0)


def test_a_removed_match_that_still_has_rows_leaves_them(world: World) -> None:
    match = archived(world)
    assert world.stores.wholes.remove(match)
    world.now += LATE_MS + 1
    assert world.tycoon.eraser.work() == (0, 1)
    for name in (LOBBY, RESULTS):
        assert row_of(world, name, "tictactoe", match) is None


def test_a_match_that_this_build_cannot_read(world: World) -> None:
    listed, unlisted = world.create(ZEB, OPEN), world.create(ZEB, OPEN)
    world.advance(listed)
    store: Any = world.stores.events
    for match in (listed, unlisted):
        store.kept[match].events[0] = b"{"
        store.snapshots.pop(match, None)
    world.tycoon = world.build()
    assert erase(world) == (1, 0)
    assert store.people(listed) == {}
    assert store.people(unlisted) == {0: Person(NAME, REF)}, "nobody knows whose it is"


def test_a_row_of_a_newer_build_keeps_what_it_has(world: World) -> None:
    match = world.create(ZEB, ANN)
    world.advance(match)
    row = world.stores.lists.entry(LOBBY, "tictactoe", 1, match)
    assert row is not None
    newer = {**msgspec.json.decode(row.data), "mood": [1, {}]}
    stored = replace(row, schema=row.schema + 5, data=msgspec.json.encode(newer))
    world.stores.lists.upsert(LOBBY, "tictactoe", 1, stored)

    assert erase(world) == (1, 0)

    changed = world.stores.lists.entry(LOBBY, "tictactoe", 1, match)
    assert changed is not None
    assert changed.schema == row.schema + 5
    assert msgspec.json.decode(changed.data)["mood"] == [1, {}]
    assert nothing_left(world)


# -- one seat ------------------------------------------------------------------------------------


def test_who_may_erase_a_seat(world: World) -> None:
    private = world.create(ZEB, ANN, visibility="private")
    unlisted = world.create(ZEB, ANN)
    eraser = world.tycoon.eraser
    refusals: list[tuple[str, Caller, type[Exception]]] = [
        (private, Caller("key", "other"), NotFound),
        (private, NOBODY, NotFound),
        (unlisted, Caller("key", "other"), Forbidden),
        (unlisted, NOBODY, Unauthenticated),
        (unlisted, world.holder(unlisted, 1), Forbidden),
        (unlisted, world.holder(private, 0), Unauthenticated),
        ("m_" + "a" * 26, OWNER, NotFound),
    ]
    for match, caller, refusal in refusals:
        with pytest.raises(refusal):
            eraser.erase_seat(match, 0, caller)
    with pytest.raises(NotFound):
        eraser.erase_seat(private, 2, OWNER)
    assert world.stores.events.people(private)[0] == Person(NAME, REF)
    assert world.stores.events.people(unlisted)[0] == Person(NAME, REF)


@pytest.mark.parametrize("who", ["owner", "operator", "seat"])
def test_a_seat_is_erased_alone(world: World, who: str) -> None:
    match = world.create(ZEB, ANN, visibility="private")
    world.advance(match)
    caller = {"owner": OWNER, "operator": OPERATOR, "seat": world.holder(match, 0)}[who]
    first, again = (world.tycoon.eraser.erase_seat(match, 0, caller) for _ in range(2))
    assert (first.erased, first.left, again.erased, again.left) == (1, 0, 0, 0)
    assert nothing_left(world)
    assert world.stores.events.people(match) == {1: Person("Ann", "ref-ann")}


def test_a_token_that_is_void_meanwhile_erases_nobody(world: World) -> None:
    match = world.create(ZEB, OPEN)
    caller, other = world.holder(match, 0), world.build()

    def change_places() -> None:
        other.commands.leave(match, caller, None)
        join = {"seat": 0, "code": None, "kind": "person", "client_seed": None, "key": None}
        other.commands.join(match, OWNER, person=Person("New"), **join)

    between(world, "events", "seated_many", change_places)
    with pytest.raises(Unauthenticated):
        world.tycoon.eraser.erase_seat(match, 0, caller)
    assert world.stores.events.people(match) == {0: Person("New")}


# -- names that are too old ----------------------------------------------------------------------


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
    assert sorted(of_player(world)) == sorted([waiting, running])
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
