"""Two builds at once over one store: what the newer one wrote is left alone, and never skipped."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

import msgspec
import pytest

from services import hosted
from services.matches.advancing import NEWER_MS
from services.projections.rebuilding import Part
from shared.errors import Corrupt, Newer
from shared.ids import partition
from tests.services.world import OWNER, PERSON, World, bot
from tests.toys import tictactoe, tictactoe_next

CURRENT = hosted.SNAPSHOT_SCHEMA


class Both(World):
    """A world with two builds: `tycoon` is the current one, `newer` folds by the next schema."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, game: bool = False) -> None:
        super().__init__()
        self.monkeypatch = monkeypatch
        self.newer = self.build()
        if game:
            settings = self.settings
            name = f"{tictactoe_next.__name__}:GAME"
            self.settings = msgspec.structs.replace(settings, extra_games=name)
            self.newer = self.build()
            self.settings = settings

    def as_newer(self, do: Callable[[], Any]) -> Any:
        with self.monkeypatch.context() as patch:
            patch.setattr(hosted, "SNAPSHOT_SCHEMA", CURRENT + 1)
            return do()

    def advance_newer(self, match: str) -> None:
        self.as_newer(lambda: self.newer.advancer.advance([match]))

    def stored(self, match: str) -> tuple[int, int]:
        """Schema and version of the stored projection."""
        snapshot = self.stores.events.load(match).snapshot
        return snapshot.schema, snapshot.version

    def row(self, match: str) -> tuple[int, int]:
        """The same of its row in the lobby."""
        entry = self.stores.lists._rows["lobby", "tictactoe", 1][match]
        return entry.schema, entry.version

    def offered(self) -> list[str]:
        work = self.stores.work
        return list(chain(*work.offer(range(256), limit=9, lease_ms=60_000)))


def test_an_older_worker_leaves_what_a_newer_one_wrote_and_leaves_the_mark(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = Both(monkeypatch)
    match = world.create(PERSON, PERSON, chance={"first": 0})
    world.advance_newer(match)
    assert (world.stored(match), world.row(match)) == ((CURRENT + 1, 3), (CURRENT + 1, 2))
    world.move(match, 0, {"type": "place", "at": 4})
    world.tycoon.commands.cancel(match, OWNER, None)

    world.advance(match)

    assert (world.stored(match), world.row(match)) == ((CURRENT + 1, 3), (CURRENT + 1, 2))
    assert world.reports == [(match, "its projections are left to a newer build")]
    # Whoever asks has the head all the same, of either build.
    assert world.build().queries.match(match, OWNER).version == 5
    assert world.as_newer(lambda: world.newer.queries.match(match, OWNER).version) == 5
    # The mark waits for a newer worker, and is removed by it.
    assert world.offered() == []
    world.now += NEWER_MS
    assert world.offered() == [match]
    world.advance_newer(match)
    assert (world.stored(match), world.row(match)) == ((CURRENT + 1, 5), (CURRENT + 1, 5))
    world.now += 60_000
    assert world.offered() == []


def test_an_older_worker_plays_the_bots_of_such_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    world = Both(monkeypatch)
    match = world.create(bot(), bot(), pace_ms=50)
    world.advance_newer(match)
    for _ in range(20):
        world.now += 50
        world.advance(match)
    assert world.match(match).status == "ended"
    assert world.stored(match)[0] == CURRENT + 1
    assert len(world.reports) == 1, "one line for each process"
    world.now += NEWER_MS
    assert world.offered() == [match]


def test_a_newer_worker_takes_over_what_an_older_one_wrote(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = Both(monkeypatch)
    match = world.create(PERSON, PERSON)
    world.advance(match)
    assert world.stored(match) == (CURRENT, 3)
    world.stores.work.mark(match)
    world.advance_newer(match)
    assert (world.stored(match), world.row(match)) == ((CURRENT + 1, 3), (CURRENT + 1, 2))


def test_a_newer_worker_that_is_late_takes_no_version_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = Both(monkeypatch)
    match = world.create(PERSON, PERSON, chance={"first": 0})
    (seen,) = world.newer.advancer._committer.load_many([match])
    world.move(match, 0, {"type": "place", "at": 4})
    world.advance(match)
    world.as_newer(lambda: world.newer.advancer._projector.project([seen]))
    assert world.stored(match) == (CURRENT, 4)


def test_a_rebuild_begins_anew_after_a_roll_back(monkeypatch: pytest.MonkeyPatch) -> None:
    world = Both(monkeypatch)
    match = world.create(PERSON, PERSON)
    world.advance_newer(match)
    generation, _ = world.tycoon.rebuilding.begin()
    for number in range(256):
        world.tycoon.rebuilding.rebuild(generation, Part(number))
    assert world.stored(match) == (CURRENT, 3)
    assert world.stores.events.load(match).snapshot.generation == generation
    world.now += 2_000
    world.stores.work.mark(match)
    world.advance(match)
    assert world.offered() == []


def test_an_event_of_the_next_version_is_reported_left_and_then_folded_by_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = Both(monkeypatch, game=True)
    match = world.create(PERSON, bot(), chance={"first": 0}, pace_ms=0)
    holder, move = world.holder(match, 0), {"type": "place", "at": 4}
    world.newer.commands.move(match, holder, move, expected=3, key=None)
    log = world.log(match)
    assert "tictactoe.applauded" in log

    world.advance(match)

    assert [m for m, _ in world.reports] == [match]
    assert world.log(match) == log, "no bot has moved on a state that was folded by half"
    assert world.stores.events.load(match).snapshot is None
    with pytest.raises(Newer):
        world.tycoon.queries.match(match, OWNER)
    with pytest.raises(Newer):
        world.tycoon.commands.move(match, holder, {"type": "place", "at": 0}, expected=5, key=None)
    assert world.log(match) == log
    world.now += NEWER_MS
    assert world.offered() == [match]
    world.advance_newer(match)
    assert world.stored(match) == (CURRENT + 1, len(world.log(match)))
    assert len(world.log(match)) > len(log), "its bot has moved"


def test_what_a_rebuild_could_not_read_is_listed_by_the_next_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = Both(monkeypatch, game=True)
    match = world.create(PERSON, PERSON, chance={"first": 0})
    holder, move = world.holder(match, 0), {"type": "place", "at": 4}
    world.newer.commands.move(match, holder, move, expected=3, key=None)
    world.advance_newer(match)
    world.tycoon = world.build()
    generation, _ = world.tycoon.rebuilding.begin()
    for number in range(256):
        world.tycoon.rebuilding.rebuild(generation, Part(number))
    assert world.tycoon.rebuilding.progress(generation).failed == 1
    assert match not in world.stores.lists._rows["lobby", "tictactoe", generation]
    assert match in world.stores.work.offer([partition(match)], limit=9, lease_ms=0)[0]
    world.now += 2_000
    world.advance_newer(match)
    assert match in world.stores.lists._rows["lobby", "tictactoe", generation]


def test_a_match_of_a_game_that_only_the_next_version_hosts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World()
    match = world.create(PERSON, PERSON)
    world.settings = msgspec.structs.replace(world.settings, extra_games="")
    older = world.build()
    older.advancer.advance([match])
    assert [m for m, _ in world.reports] == [match]
    with pytest.raises(Newer, match=tictactoe.GAME.slug):
        older.queries.match(match, OWNER)
    assert issubclass(Newer, Corrupt)
