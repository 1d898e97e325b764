"""How long what is over is kept."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from services.archive import retention
from services.archive.files import Archive
from services.bootstrap import build
from services.erasing.erasing import LATE_MS
from services.projections.generation import Generation
from services.projections.projector import LOBBY, Projector
from services.projections.rebuilding import Part
from services.series.spec import NewSeries
from shared.clocks import DAY_MS
from shared.errors import NotFound, Unavailable
from shared.store import PARTITIONS
from shared.whole_store import REMOVED, Shelf
from tests.services.world import OWNER, PERSON, SERVER_KEY, World, bot

OFF = {"archive_days": 0, "remove_days": 0, "series_days": 0}


def played(world: World, count: int = 1, **more: Any) -> list[str]:
    """Matches of bots that are over and at rest."""
    matches = [world.create(bot(), bot(), **more) for _ in range(count)]
    for match in matches:
        world.advance(match)
    return matches


def places(world: World, matches: list[str]) -> list[bool]:
    return [world.stores.wholes.place(match) is not None for match in matches]


def listed(world: World) -> set[str]:
    return set(world.listed())


def rebuilt(world: World) -> None:
    rebuilding = world.tycoon.rebuilding
    generation, _ = rebuilding.begin()
    for partition in range(PARTITIONS):
        rebuilding.rebuild(generation, Part(partition))
    assert rebuilding.progress(generation).failed == 0


def test_what_is_over_so_long_is_archived() -> None:
    world = World(**{**OFF, "archive_days": 2})
    old = played(world, 3)
    running = world.create(PERSON, PERSON)
    world.now += DAY_MS
    young = played(world)
    assert not world.tycoon.retention.is_due()
    world.now += DAY_MS + 1
    assert world.tycoon.retention.is_due()

    assert world.tycoon.retention.carry_out() == {"archived": 3, "removed": 0, "deleted": 0}

    assert places(world, [*old, *young, running]) == [True] * 3 + [False] * 2
    assert not world.tycoon.retention.is_due()
    assert listed(world) >= {*old, *young}


def test_nothing_happens_where_all_days_are_0() -> None:
    world = World(**OFF)
    matches = played(world, 2)
    world.now += 10_000 * DAY_MS
    assert not world.tycoon.retention.is_due()
    assert not any(world.tycoon.retention.carry_out().values())
    assert places(world, matches) == [False, False]


def test_a_task_ends_in_time_and_the_next_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(**{**OFF, "archive_days": 1})
    matches = played(world, 5)
    world.now += 2 * DAY_MS
    monkeypatch.setattr(world.tycoon.retention, "_clock", lambda: world.wait(1_500) or world.now)
    archived = [world.tycoon.retention.carry_out()["archived"] for _ in range(3)]
    assert sum(archived) == 5
    assert 0 < archived[0] < 5
    assert all(places(world, matches))


@pytest.mark.parametrize("archived", [True, False])
def test_what_is_over_longer_is_removed_for_good(archived: bool) -> None:
    world = World(**{**OFF, "archive_days": 1 if archived else 0, "remove_days": 3})
    matches = played(world, 3)
    world.now += 2 * DAY_MS
    world.tycoon.retention.carry_out()
    assert places(world, matches) == [archived] * 3
    world.now += 2 * DAY_MS

    assert world.tycoon.retention.carry_out()["removed"] == 3

    for match in matches:
        with pytest.raises(NotFound):
            world.build().queries.match(match, OWNER)
        kept = world.stores.wholes.whole(match)
        assert kept is not None
        assert kept.status == REMOVED
    assert listed(world) == set()
    assert files(world) == []
    assert not world.tycoon.retention.is_due()
    rebuilt(world)
    assert listed(world) == set()


def files(world: World) -> list[str]:
    """All paths of the archive."""
    import fsspec

    fs, root = fsspec.url_to_fs(world.settings.archive_url)
    return [path for path in fs.find(root) if "/matches/" in path]


def test_what_is_to_be_removed_is_not_archived_before() -> None:
    world = World(**{**OFF, "archive_days": 1, "remove_days": 1})
    played(world, 2)
    world.now += 2 * DAY_MS
    assert world.tycoon.retention.carry_out() == {"archived": 0, "removed": 2, "deleted": 0}


def test_all_files_of_a_removed_match_go() -> None:
    world = World(**{**OFF, "remove_days": 1})
    [match] = played(world)
    world.tycoon.archive.archive([match])
    world.tycoon.archive.restore([match])
    world.advance(match)
    world.stores.events.raise_epoch(match, 0)
    world.tycoon.archive.archive([match])
    assert len(files(world)) == 2
    world.now += 2 * DAY_MS
    assert world.tycoon.retention.carry_out()["removed"] == 1
    assert files(world) == []


@pytest.mark.parametrize("late", [False, True])
def test_what_is_removed_while_a_rebuild_runs_is_in_no_list(late: bool) -> None:
    """Neither where it was listed already nor where somebody had folded it and writes a row yet."""
    world = World(**{**OFF, "remove_days": 1})
    [match] = played(world)
    world.now += 2 * DAY_MS
    generation, _ = world.tycoon.rebuilding.begin()
    found = world.tycoon.queries.find(match, OWNER)[0]
    lists = world.stores.lists
    projector = Projector(
        world.stores.events, lists, Generation(lists, world.clock), SERVER_KEY.encode()
    )
    if not late:
        projector.rebuild(found, generation)

    assert world.tycoon.retention.carry_out()["removed"] == 1

    if late:
        projector.rebuild(found, generation)
        assert lists.entry(LOBBY, "tictactoe", generation, match) is not None
        world.stores.work.mark(match)  # as of one that could not be read
        world.now += LATE_MS + 1
        world.tycoon.eraser.work()
    world.advance(match)
    assert world.stores.work.marked() == []
    rebuilt(world)
    assert lists.generations() == (generation,)
    assert listed(world) == set()


@pytest.mark.parametrize("rule", ["archive_days", "remove_days"])
def test_what_somebody_works_on_waits(rule: str) -> None:
    world = World(**{**OFF, rule: 1})
    [match] = played(world)
    world.now += 2 * DAY_MS
    world.stores.work.mark(match)
    lease = world.stores.work.take(match, lease_ms=60_000)
    assert lease is not None
    assert not any(world.tycoon.retention.carry_out().values())
    assert listed(world) == {match}
    world.stores.work.release(lease, done_at=world.match(match).version)
    assert sum(world.tycoon.retention.carry_out().values()) == 1


def test_what_is_removed_while_it_is_archived_leaves_no_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World(**{**OFF, "remove_days": 1})
    [match] = played(world)
    world.now += 2 * DAY_MS
    write = Archive.write

    def removed_meanwhile(archive: Archive, *given: Any) -> str:
        assert world.build().retention.carry_out()["removed"] == 1
        return write(archive, *given)

    monkeypatch.setattr(Archive, "write", removed_meanwhile)
    [told] = world.tycoon.archive.archive([match]).items
    assert told.outcome == "unknown"
    assert files(world) == []


def test_names_that_came_back_from_the_archive_are_as_old_as_they_were() -> None:
    world = World(**{**OFF, "names_days": 3})
    match = world.create(msgspec.structs.replace(PERSON, name="Ann"), PERSON)
    world.tycoon.commands.cancel(match, OWNER, None)
    world.advance(match)
    world.tycoon.archive.archive([match])
    world.now += 2 * DAY_MS
    world.tycoon.archive.restore([match])
    world.advance(match)
    assert world.stores.events.people(match)
    world.now += DAY_MS + 1
    assert world.tycoon.eraser.work()[0] == 1
    assert world.stores.events.people(match) == {}


def test_a_broken_match_stops_no_other_and_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH", 1)
    world = World(**{**OFF, "archive_days": 1})
    broken, *others = sorted(played(world, 4), key=lambda m: world.match(m).last_at)
    store: Any = world.stores.events
    store.kept[broken].events[1] = b"{}"
    monkeypatch.setattr("shared.memory_wholes.ids.partition", lambda match: 0)  # all in one line
    world.now += 2 * DAY_MS
    done = [world.tycoon.retention.carry_out()["archived"] for _ in range(6)]
    assert sum(done) == 3
    assert all(places(world, others))
    assert [match for match, _ in world.reports] == [broken]
    assert not world.tycoon.retention.is_due()
    assert world.build().retention.is_due(), "another process tries it, too"


def test_a_broken_match_is_removed_like_any_other() -> None:
    """Its mark, which it would have for ever, does not hold that up."""
    world = World(**{**OFF, "remove_days": 1})
    [match] = played(world)
    store: Any = world.stores.events
    store.kept[match].events[1] = b"{}"
    store.snapshots.clear()
    world.stores.work.mark(match)
    world.build().advancer.advance([match])
    assert [each for each, _ in world.reports] == [match]
    world.now += 2 * DAY_MS
    assert world.tycoon.retention.carry_out()["removed"] == 1
    assert world.stores.events.load(match) is None


def test_an_archive_that_is_away_stops_it_all(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(**{**OFF, "archive_days": 1})
    matches = played(world, 2)
    world.now += 2 * DAY_MS

    def away(*given: object) -> None:
        raise OSError("no credentials")

    monkeypatch.setattr("fsspec.implementations.memory.MemoryFileSystem.pipe_file", away)
    with pytest.raises(Unavailable) as refused:
        world.tycoon.retention.carry_out()
    assert refused.value.code == "archive.unavailable"
    assert places(world, matches) == [False, False]
    assert world.reports == []


def test_matches_that_ended_under_an_older_build_come_by_a_rebuild() -> None:
    world = World(**{**OFF, "archive_days": 1})
    [old] = played(world)
    store: Any = world.stores.events
    store.kept[old].ended_at = None
    world.now += 2 * DAY_MS
    assert not world.tycoon.retention.is_due()
    rebuilt(world)
    assert world.stores.wholes.aged(Shelf.ENDED, before=world.now - DAY_MS, limit=9) == [old]
    assert world.tycoon.retention.carry_out()["archived"] == 1


def test_the_operator_archives_what_ended_under_an_older_build_with_its_own_time() -> None:
    world = World()
    [old] = played(world)
    ended = world.match(old).last_at
    store: Any = world.stores.events
    store.kept[old].ended_at = None
    world.now += 2 * DAY_MS
    world.tycoon.archive.archive([old])
    assert world.stores.wholes.aged(Shelf.ARCHIVED, before=ended, limit=9) == []
    assert world.stores.wholes.aged(Shelf.ARCHIVED, before=ended + 1, limit=9) == [old]


def test_a_restored_match_stays_for_as_long_again() -> None:
    world = World(**{**OFF, "archive_days": 3})
    [match] = played(world)
    world.now += 4 * DAY_MS
    world.tycoon.retention.carry_out()
    world.tycoon.archive.restore([match])
    world.advance(match)
    world.now += 2 * DAY_MS
    assert not world.tycoon.retention.is_due()
    world.now += 2 * DAY_MS
    assert world.tycoon.retention.carry_out()["archived"] == 1


def test_series_that_are_over_so_long_are_deleted() -> None:
    world = World(**{**OFF, "series_days": 2})
    new = NewSeries(game="tictactoe", bots=("greedy", "random"), matches=4)
    over, running = (world.tycoon.series.create(new, "host", None).doc.id for _ in range(2))
    world.tycoon.series.cancel(over, "host")
    world.now += DAY_MS
    assert not world.tycoon.retention.is_due()
    world.now += DAY_MS + 1
    assert world.tycoon.retention.carry_out()["deleted"] == 1
    assert world.stores.series.get(over) is None
    assert world.stores.series.get(running) is not None
    assert not world.tycoon.retention.is_due()


def test_a_clock_that_jumps_ahead_removes_nothing_before_its_time() -> None:
    world = World(**{**OFF, "archive_days": 1, "remove_days": 3, "series_days": 1})
    played(world)
    jumped = build(
        world.settings,
        world.stores,
        clock=lambda: world.now + 1_000 * DAY_MS,
        wake=lambda match: None,
        think=lambda match, version: None,
        report=lambda match, broken: None,
    )
    assert not jumped.retention.is_due()
    assert not any(jumped.retention.carry_out().values())
