"""Which logs are folded, from wherever they lie, and which can't be."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from services.upkeep.refolding import Refolded
from shared.errors import Corrupt, Unavailable
from tests.services.upkeep.full import Full, check, what
from tests.toys import tictactoe


@pytest.mark.parametrize(
    ("said", "damage"),
    [
        ("log: Corrupt", lambda events: events.__setitem__(2, b"{")),
        (
            "log: Newer",
            lambda events: events.__setitem__(2, b'{"event":{"type":"new"},"v":1,"at":1}'),
        ),
        ("log: Corrupt", lambda events: events.pop()),
        ("log: Corrupt", lambda events: events.pop(0)),
    ],
)
def test_a_log_that_can_not_be_folded_is_told_of(
    said: str, damage: Callable[[list[bytes]], Any]
) -> None:
    world = Full()
    damage(world.kept[world.won].events)
    (differing,), found = check(world.build())
    assert found.matches == 6
    assert (differing.match, differing.what[0].split(" at ")[0]) == (world.won, said)


def test_a_log_whose_place_in_the_archive_is_empty_is_told_of() -> None:
    world = Full()
    world.stores.wholes.archive(world.won, world.match(world.won).version, "nowhere")
    differing, found = check(world.build())
    assert [each.match for each in differing] == [world.won]
    assert differing[0].what[0].startswith("log: ")
    assert found.archived == 0, "of a file that can't be read nobody knows"


def test_an_archived_match_is_refolded_from_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    world = Full()
    [done] = world.tycoon.archive.archive([world.won]).items
    assert done.outcome == "archived"
    assert check(world.build()) == ([], Refolded(matches=6, archived=1))
    found = what(world.new_build(monkeypatch, outcome=lambda state: None))
    assert list(found) == [world.won]
    assert found[world.won][0].startswith("outcome")


class Away:
    """A store one of whose matches lies in an archive that is away."""

    def __init__(self, store: Any, match: str) -> None:
        self._store, self._match = store, match
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def load_many(self, looks: Any) -> list[Any]:
        self.asked += [look.match for look in looks]
        if [look.match for look in looks] == [self._match]:
            raise Unavailable("archive.unavailable", "The archive is away.")
        found = zip(looks, self._store.load_many(looks), strict=True)
        return [Corrupt("away") if look.match == self._match else each for look, each in found]


def test_an_archive_that_is_away_is_no_difference() -> None:
    world = Full()
    away = Away(world.stores.events, world.won)
    world.stores = dataclasses.replace(world.stores, events=away)
    with pytest.raises(Unavailable):
        check(world.build())


def test_a_log_without_a_projection_is_read_once() -> None:
    world = Full()
    del world.snapshots[world.won]
    counting = Away(world.stores.events, "nobody")
    world.stores = dataclasses.replace(world.stores, events=counting)
    assert check(world.build())[0] == []
    assert counting.asked.count(world.won) == 1
    assert counting.asked.count(world.running) == 2


def test_a_game_that_the_build_does_not_host_is_told_of() -> None:
    world = Full()
    world.settings = replace(world.settings, extra_games=f"{tictactoe.__name__}:GAME")
    assert what(world.build()) == {world.hidden: ("log: this build does not host the game",)}


def test_a_removed_match_is_none() -> None:
    world = Full()
    world.stores.wholes.remove(world.won)
    differing, found = check(world.build())
    assert (differing, found.matches) == ([], 5)
