"""Rows, lists, cursors and rebuilds, held by every adapter."""

from __future__ import annotations

import dataclasses
import threading
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared.errors import Conflict
from shared.list_store import Entry
from shared.store import Written
from tests.shared.conftest import Stores, over

LOBBY, GAME = "lobby", "tic-tac-toe"


def row(match: str, version: int, *lists: str, at: int = 1_000, data: bytes = b"") -> Entry:
    written = data or b"%s at %d" % (match.encode(), version)
    return Entry(match=match, version=version, created_at=at, data=written, lists=frozenset(lists))


def write(stores: Stores, entry: Entry, game: str = GAME) -> list[Written]:
    return [stores.lists.upsert(LOBBY, game, g, entry) for g in stores.lists.generations()]


def listed(stores: Stores, name: str, game: str = GAME) -> list[str]:
    rows = stores.lists.page(LOBBY, game, name, after=None, limit=1000)
    assert stores.lists.counts([(LOBBY, game, name)]) == [len(rows)]
    return [match for _, match, _ in rows]


def test_a_row_stands_in_its_lists_and_moves_with_them(stores: Stores) -> None:
    write(stores, row("m_a", 1, "waiting", "all"))
    write(stores, row("m_b", 1, "all", at=900))
    assert listed(stores, "all") == ["m_b", "m_a"]
    assert listed(stores, "waiting") == ["m_a"]

    write(stores, row("m_a", 2, "running", "all"))
    assert listed(stores, "waiting") == []
    assert listed(stores, "running") == ["m_a"]
    assert listed(stores, "all") == ["m_b", "m_a"]
    assert stores.lists.page(LOBBY, GAME, "running", after=None, limit=9) == [
        (1_000, "m_a", b"m_a at 2")
    ]
    write(stores, row("m_a", 3))
    assert listed(stores, "running") == []


def test_games_projections_and_lists_are_apart(stores: Stores) -> None:
    write(stores, row("m_a", 1, "run"))
    write(stores, row("m_b", 1, "run"), game="daifugo")
    write(stores, row("m_c", 1, "running", "ru", "run-"))
    stores.lists.upsert("results", GAME, 1, row("m_d", 1, "run"))
    assert listed(stores, "run") == ["m_a"]
    assert listed(stores, "ru") == ["m_c"]
    assert listed(stores, "r") == []
    assert listed(stores, "run", game="daifugo") == ["m_b"]


def test_an_older_version_is_refused_and_an_equal_one_written_again(stores: Stores) -> None:
    assert write(stores, row("m_a", 5, "ended")) == [Written.YES]
    assert write(stores, row("m_a", 4, "running")) == [Written.BEHIND]
    assert write(stores, row("m_a", 5, "ended", data=b"again")) == [Written.YES]
    assert listed(stores, "running") == []
    assert stores.lists.page(LOBBY, GAME, "ended", after=None, limit=9) == [
        (1_000, "m_a", b"again")
    ]


def test_an_older_schema_never_overwrites_a_newer_one_and_a_newer_one_no_newer_version(
    stores: Stores,
) -> None:
    newer = [
        dataclasses.replace(row("m_a", version, status), schema=2)
        for version, status in [(4, "running"), (5, "ended")]
    ]
    assert write(stores, newer[0]) == [Written.YES]
    assert write(stores, row("m_a", 6, "old")) == [Written.OUTDATED]
    assert (listed(stores, "running"), listed(stores, "old")) == (["m_a"], [])
    assert write(stores, newer[1]) == [Written.YES]
    write(stores, row("m_b", 9, "ended"))
    late = dataclasses.replace(row("m_b", 8, "running"), schema=2)
    assert write(stores, late) == [Written.BEHIND]
    assert stores.lists.upsert_many(
        [("lobby", GAME, 1, newer[0]), ("lobby", GAME, 1, row("m_a", 9)), ("x", GAME, 1, newer[0])]
    ) == [Written.BEHIND, Written.OUTDATED, Written.YES]
    # A rebuild begins anew, by whichever build: so a roll back ends.
    generation = stores.lists.begin_rebuild()
    assert stores.lists.upsert("lobby", GAME, generation, row("m_a", 6, "old")) is Written.YES


@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # each example has its own game
)
@given(data=st.data())
def test_in_whatever_order_rows_come_the_newest_stands(stores: Stores, data: st.DataObject) -> None:
    final = {}
    updates = []
    for match in ("m_a", "m_b", "m_c"):
        for version in range(1, 4):
            lists = data.draw(st.sets(st.sampled_from(["x", "y", "z"])))
            updates.append(row(match, version, *lists, at=ord(match[-1]) // 2))
            final[match] = updates[-1]
    game = f"game-{data.draw(st.integers(0, 2**60))}"
    for entry in data.draw(st.permutations(updates)):
        write(stores, entry, game)
    for name in ("x", "y", "z"):
        there = [e for e in final.values() if name in e.lists]
        expected = sorted((e.created_at, e.match, e.data) for e in there)
        assert stores.lists.page(LOBBY, game, name, after=None, limit=9) == expected


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 50])
def test_pages_follow_each_other_without_gap_or_repeat(stores: Stores, limit: int) -> None:
    at = [5, 5, 5, 5, 1_764_449_000_000, 7, 7, 12, 0, 5]
    rows = [row(f"m_{n}", 1, "all", at=created) for n, created in enumerate(at)]
    for entry in rows:
        write(stores, entry)

    seen: list[tuple[int, str]] = []
    cursor = None
    while page := stores.lists.page(LOBBY, GAME, "all", after=cursor, limit=limit):
        assert len(page) <= limit
        seen += [(created, match) for created, match, _ in page]
        cursor = seen[-1]
    assert seen == sorted((entry.created_at, entry.match) for entry in rows)


def test_a_cursor_holds_though_its_row_is_gone(stores: Stores) -> None:
    for match in ("m_a", "m_b", "m_c"):
        write(stores, row(match, 1, "waiting"))
    write(stores, row("m_b", 2, "running"))
    rest = stores.lists.page(LOBBY, GAME, "waiting", after=(1_000, "m_b"), limit=9)
    assert [match for _, match, _ in rest] == ["m_c"]


@pytest.mark.parametrize("name", ["", "two words"])
def test_a_name_that_would_mix_lists_up_is_refused(stores: Stores, name: str) -> None:
    with pytest.raises(ValueError, match="space"):
        write(stores, row("m_a", 1, name))
    with pytest.raises(ValueError, match="space"):
        stores.lists.page(LOBBY, GAME, name, after=None, limit=1)


def test_a_rebuild_is_seen_when_it_is_finished_and_not_before(stores: Stores) -> None:
    lists = stores.lists
    write(stores, row("m_a", 1, "all", data=b"wrong"))
    write(stores, row("m_gone", 1, "all"))
    assert lists.generations() == (1,)
    generation = lists.begin_rebuild()
    assert lists.generations() == (1, generation)

    lists.upsert(LOBBY, GAME, generation, row("m_a", 1, "all", data=b"right"))
    assert listed(stores, "all") == ["m_a", "m_gone"]
    write(stores, row("m_live", 1, "all"))
    lists.finish_rebuild(generation)

    assert lists.generations() == (generation,)
    assert lists.page(LOBBY, GAME, "all", after=None, limit=9) == [
        (1_000, "m_a", b"right"),
        (1_000, "m_live", b"m_live at 1"),
    ]


def test_a_rebuild_that_was_overtaken_is_not_made_current(stores: Stores) -> None:
    first, second = stores.lists.begin_rebuild(), stores.lists.begin_rebuild()
    assert first < second
    with pytest.raises(Conflict):
        stores.lists.finish_rebuild(first)
    stores.lists.finish_rebuild(second)
    with pytest.raises(Conflict):
        stores.lists.finish_rebuild(second)
    assert stores.lists.begin_rebuild() > second


def test_updates_and_readers_go_on_during_rebuilds(stores: Stores) -> None:
    """Rows only gain versions while three rebuilds copy them; no reader sees one missing."""
    matches = [f"m_{n}" for n in range(8)]
    newest = dict.fromkeys(matches, 1)
    for match in matches:
        write(stores, row(match, 1, "all"))
    done = threading.Event()
    faults: list[object] = []

    def update() -> None:
        for version in range(2, 12):
            for match in matches:
                newest[match] = version  # as an append does: first the log, then the rows
                write(stores, row(match, version, "all", "odd" if version % 2 else "even"))

    def look() -> None:
        while not done.is_set():
            rows = stores.lists.page(LOBBY, GAME, "all", after=None, limit=50)
            if [match for _, match, _ in rows] != matches or None in [data for *_, data in rows]:
                faults.append(rows)
                return

    reader, writer = threading.Thread(target=look), threading.Thread(target=update)
    reader.start()
    writer.start()
    try:
        for _ in range(3):
            generation = stores.lists.begin_rebuild()
            for match in matches:
                version = newest[match]
                lists = ("all", "odd" if version % 2 else "even") if version > 1 else ("all",)
                stores.lists.upsert(LOBBY, GAME, generation, row(match, version, *lists))
            stores.lists.finish_rebuild(generation)
    finally:
        writer.join()
        done.set()
        reader.join()
    assert faults == []
    assert listed(stores, "odd") == matches
    assert listed(stores, "even") == []
    rows = stores.lists.page(LOBBY, GAME, "all", after=None, limit=50)
    assert [data for *_, data in rows] == [b"%s at 11" % match.encode() for match in matches]


def test_a_look_into_a_generation_that_is_deleted_meanwhile_is_repeated(any_redis: Any) -> None:
    stores = over(any_redis)
    write(stores, row("m_a", 1, "all"))
    generation = stores.lists.begin_rebuild()
    write(stores, row("m_a", 1, "all"))

    class FinishingFirst:
        """A client whose first look at a list comes after the end of the rebuild."""

        def __getattr__(self, name: str) -> Any:
            if (
                name in ("zrangebylex", "zlexcount")
                and generation in stores.lists.generations()[1:]
            ):
                stores.lists.finish_rebuild(generation)
            return getattr(any_redis, name)

    rows = over(FinishingFirst()).lists.page(LOBBY, GAME, "all", after=None, limit=9)
    assert [match for _, match, _ in rows] == ["m_a"]
    assert stores.lists.generations() == (generation,)


def test_nothing_is_left_of_older_generations(any_redis: Any) -> None:
    stores = over(any_redis)
    write(stores, row("m_a", 1, "all"))
    given_up = stores.lists.begin_rebuild()
    write(stores, row("m_a", 2, "all"))
    generation = stores.lists.begin_rebuild()
    write(stores, row("m_a", 3, "all"))
    over(any_redis).lists.finish_rebuild(generation)  # another process than the writers'

    left = {key for key in any_redis.scan_iter() if key.startswith(b"{lobby:")}
    assert given_up < generation
    assert left == {
        b"{lobby:tic-tac-toe}:%d:%s" % (generation, part) for part in (b"rows", b"places", b"order")
    }


def data_of(stores: Stores, match: str) -> bytes | None:
    [found] = stores.lists.entries([(LOBBY, GAME, match)])
    return None if found is None else found.data


def test_a_name_that_was_erased_does_not_come_back_from_an_older_look(stores: Stores) -> None:
    before, after = row("m_a", 5, "run"), row("m_a", 5, "run", data=b"nameless")
    write(stores, before)
    assert write(stores, dataclasses.replace(after, erasures=1)) == [Written.YES]
    assert write(stores, before) == [Written.BEHIND]
    assert write(stores, dataclasses.replace(before, version=6)) == [Written.BEHIND]
    assert data_of(stores, "m_a") == b"nameless"
    newer = dataclasses.replace(after, version=6, erasures=1, data=b"newer")
    assert write(stores, newer) == [Written.YES]
    assert data_of(stores, "m_a") == b"newer"


def test_a_row_that_is_removed_is_in_no_list(stores: Stores) -> None:
    write(stores, row("m_a", 1, "run", "all"))
    write(stores, row("m_b", 1, "run"))
    stores.lists.remove(LOBBY, GAME, 1, "m_a")
    stores.lists.remove(LOBBY, GAME, 1, "m_unknown")
    assert data_of(stores, "m_a") is None
    assert listed(stores, "all") == []
    assert listed(stores, "run") == ["m_b"]
    assert write(stores, row("m_a", 1, "run")) == [Written.YES]
    assert listed(stores, "run") == ["m_a", "m_b"]


def test_a_row_is_read_as_it_was_written(stores: Stores) -> None:
    written = dataclasses.replace(row("m_a", 5, "run", "key:a:player:x"), schema=3, erasures=2)
    write(stores, written)
    assert stores.lists.entry(LOBBY, GAME, 1, "m_a") == written
    assert stores.lists.entry(LOBBY, GAME, 2, "m_a") is None
    assert stores.lists.entry(LOBBY, "daifugo", 1, "m_a") is None
    assert stores.lists.entry(LOBBY, GAME, 1, "m_b") is None


def test_a_row_of_a_build_without_schema_and_erasures_is_read(any_redis: Any) -> None:
    stores = over(any_redis)
    write(stores, row("m_a", 5, "run"))
    any_redis.hset("{lobby:tic-tac-toe}:1:places", "m_a", '[5,["run 0000000000001000 m_a"]]')
    assert stores.lists.entry(LOBBY, GAME, 1, "m_a") == row("m_a", 5, "run")


def test_what_is_written_late_into_an_older_generation_is_deleted(stores: Stores) -> None:
    write(stores, row("m_a", 1, "run"))
    stores.lists.tidy()
    generation = stores.lists.begin_rebuild()
    stores.lists.tidy()
    write(stores, row("m_a", 1, "run"))
    stores.lists.finish_rebuild(generation)
    stores.lists.upsert(LOBBY, GAME, 1, row("m_a", 1, "run"))

    stores.lists.tidy()

    assert stores.lists.entry(LOBBY, GAME, 1, "m_a") is None
    assert listed(stores, "run") == ["m_a"]


def test_rows_are_read_as_they_were_written_from_the_current_generation(stores: Stores) -> None:
    first = dataclasses.replace(row("m_a", 5, "run", "all"), schema=3, erasures=2)
    second = row("m_b", 1, "all")
    write(stores, first)
    write(stores, second)
    asked = [(LOBBY, GAME, match) for match in ("m_b", "m_unknown", "m_a")]
    assert stores.lists.entries(asked) == [second, None, first]
    assert stores.lists.entries([("results", GAME, "m_a")]) == [None]
    assert stores.lists.entries([]) == []
    generation = stores.lists.begin_rebuild()
    stores.lists.upsert(LOBBY, GAME, generation, dataclasses.replace(first, version=6))
    assert stores.lists.entries(asked[2:]) == [first]
    stores.lists.finish_rebuild(generation)
    assert stores.lists.entries(asked) == [None, None, dataclasses.replace(first, version=6)]
