"""A player leaves every match and list of whatever kind, and nobody and nothing else does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from services.erasing.erasing import LATE_MS
from services.matches.creation import NewMatch
from services.projections.projector import LOBBY, RESULTS
from shared.store import Person
from tests.services.erasing.player import (
    ANN,
    NAME,
    REF,
    ZEB,
    erase,
    every_kind,
    kept,
    nothing_left,
    player_mark,
    row_of,
)
from tests.services.world import OPEN, OWNER, World


def test_a_player_leaves_every_match_and_list_and_no_event_changes(world: World) -> None:
    matches = every_kind(world)
    other = world.create(ANN, OPEN)
    world.advance(other)
    logs = {match: world.stores.events.events(match) for match in (*matches, other)}
    assert NAME in kept(world)
    assert REF in kept(world)
    assert player_mark() in kept(world)
    assert sorted(world.listed(REF)) == sorted(matches)

    assert erase(world) == (4, 0)

    assert nothing_left(world)
    assert world.listed(REF) == []
    assert sorted(world.listed("ref-ann")) == sorted([*matches[1:3], other])
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
    assert world.listed(REF) == []
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
    assert world.listed(REF) == [match]
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
