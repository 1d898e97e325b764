"""What may be asked of a series and what can be seen of it, over the fake world."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from services.matches.events import Fault
from services.series.commands import Creation
from services.series.documents import BudgetDoc, SeriesDoc
from services.series.files import folder_of
from services.series.made_by import this_build
from services.series.reporting import series_doc
from services.series.rows import Row
from services.series.spec import NewSeries
from services.series.tally import Sums
from shared.errors import (
    Conflict,
    Malformed,
    NotFound,
    Refused,
    TooMany,
    Unavailable,
    Unprocessable,
)
from shared.series_store import Counts
from shared.settings import SettingsError
from tests.services.series.table import HALL, SEED, a_spec, all_rows
from tests.services.world import World, key
from tests.toys.breaking import EXTRA_GAMES

FAULTS = get_args(Fault)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(archive_url=str(tmp_path))


def asked(**more: Any) -> NewSeries:
    given = {"game": "tictactoe", "bots": ("greedy", "random"), "matches": 6, "seed": SEED}
    return NewSeries(**{**given, **more})


def create(world: World, **more: Any) -> SeriesDoc:
    return world.tycoon.series.create(asked(**more), "host", None).doc


def get(world: World, series: str) -> SeriesDoc:
    return world.tycoon.series_queries.get(series, "host")


def play(world: World, series: str) -> SeriesDoc:
    world.tycoon.series_worker.work(series)
    return get(world, series)


class TestCreating:
    def test_a_new_series_runs_and_shows_all_of_itself(self, world: World) -> None:
        doc = create(world, keep="sample", at_once=3)
        assert doc.id.startswith("s_")
        assert len(doc.id) == 28
        assert (doc.status, doc.game, doc.options) == ("running", "tictactoe", {"size": 3})
        assert (doc.bots, doc.matches, doc.rotation) == (("greedy", "random"), 6, "cyclic")
        assert (doc.paired, doc.seed, doc.at_once, doc.keep) == (True, SEED, 3, "sample")
        assert doc.reproducible
        assert (doc.made_by.build, doc.made_by.rules) == (this_build(), 1)
        assert [(bot.level, bot.version, bot.budget) for bot in doc.made_by.bots] == [
            ("greedy", 1, None),
            ("random", 1, None),
        ]
        assert (doc.started_at, doc.ended_at) == (None, None)
        assert (doc.progress.queued, doc.progress.done) == (6, 0)
        assert doc.progress.matches_per_s is None
        assert doc.results.lengths is None
        assert doc == get(world, doc.id)

    def test_a_seed_is_made_where_none_is_given(self, world: World) -> None:
        seeds = {create(world, seed=None).seed for _ in range(3)}
        assert len(seeds) == 3

    def test_a_repeat_gives_the_same_series(self, world: World) -> None:
        first = world.tycoon.series.create(asked(seed=None), "host", key("k"))
        again = world.tycoon.series.create(asked(seed=None), "host", key("k"))
        assert again == Creation(first.doc, repeated=True)
        assert not first.repeated
        other = world.tycoon.series.create(asked(), "another", key("k"))
        assert other.doc.id != first.doc.id

    def test_a_key_with_another_body_is_refused(self, world: World) -> None:
        world.tycoon.series.create(asked(), "host", key("k"))
        with pytest.raises(Unprocessable) as refused:
            world.tycoon.series.create(asked(matches=7), "host", key("k", body="other"))
        assert refused.value.code == "request.key-reused"

    def test_a_refused_series_does_not_exist(self, world: World) -> None:
        with pytest.raises(Unprocessable):
            create(world, matches=0)
        assert world.tycoon.series_queries.page("host", cursor=None, limit=9).items == ()

    def test_too_many_at_the_same_time_are_refused(self, tmp_path: Path) -> None:
        world = World(archive_url=str(tmp_path), series_limit=2)
        first = create(world)
        create(world)
        with pytest.raises(TooMany) as refused:
            create(world)
        assert refused.value.code == "series.too-many"
        world.tycoon.series.cancel(first.id, "host")
        create(world)


class TestStatus:
    @pytest.mark.parametrize(
        ("before", "command", "after"),
        [
            ("running", "pause", "paused"),
            ("running", "resume", "running"),
            ("running", "cancel", "cancelled"),
            ("paused", "pause", "paused"),
            ("paused", "resume", "running"),
            ("paused", "cancel", "cancelled"),
            ("cancelled", "pause", None),
            ("cancelled", "resume", None),
            ("cancelled", "cancel", "cancelled"),
            ("done", "pause", None),
            ("done", "resume", None),
            ("done", "cancel", None),
        ],
    )
    def test_which_changes_there_are(
        self, world: World, before: str, command: str, after: str | None
    ) -> None:
        series = create(world).id
        {
            "running": lambda: None,
            "paused": lambda: world.tycoon.series.pause(series, "host"),
            "cancelled": lambda: world.tycoon.series.cancel(series, "host"),
            "done": lambda: play(world, series),
        }[before]()
        assert get(world, series).status == before
        if after is None:
            with pytest.raises(Conflict) as refused:
                getattr(world.tycoon.series, command)(series, "host")
            assert refused.value.code == "series.over"
            assert get(world, series).status == before
        else:
            assert getattr(world.tycoon.series, command)(series, "host").status == after
            assert get(world, series).status == after

    def test_a_series_that_is_over_says_when(self, world: World) -> None:
        series = create(world).id
        world.now += 5_000
        doc = play(world, series)
        assert doc.status == "done"
        assert doc.created_at < (doc.started_at or "") <= (doc.ended_at or "")

    def test_a_deleted_series_is_gone_with_its_files(self, world: World, tmp_path: Path) -> None:
        kept, gone = create(world, keep="all").id, create(world, keep="all").id
        for series in (kept, gone):
            play(world, series)
        world.tycoon.series.delete(gone, "host")
        with pytest.raises(NotFound):
            get(world, gone)
        assert [path.name.split("-")[0] for path in tmp_path.glob("series/*")] == [kept]
        with pytest.raises(NotFound):
            world.tycoon.series.delete(gone, "host")

    def test_what_cannot_be_deleted_now_can_be_deleted_again(
        self, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        series = create(world, keep="all").id
        held = world.stores.series.take(series, lease_ms=60_000)
        assert held is not None
        files = world.tycoon.series._files
        files.write_transcript(folder_of(series, held.born), 0, "ab" * 32, [b"1"])

        def away(series: str) -> None:
            raise Unavailable("series.files-unavailable", "away")

        with monkeypatch.context() as broken:
            broken.setattr(files, "remove", away)
            for _ in range(2):
                with pytest.raises(Unavailable):
                    world.tycoon.series.delete(series, "host")
        assert get(world, series).status == "cancelled"
        assert world.stores.series.finish(held, b"", Counts()) == "lost", "nobody plays it on"
        world.tycoon.series.delete(series, "host")
        assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
        with pytest.raises(NotFound):
            get(world, series)

    @pytest.mark.parametrize("series", ["another's", "unknown"])
    def test_another_keys_series_is_as_unknown_as_none(self, world: World, series: str) -> None:
        name = create(world).id if series == "another's" else "s_none"
        queries, commands = world.tycoon.series_queries, world.tycoon.series
        for ask in (
            queries.get,
            commands.pause,
            commands.resume,
            commands.cancel,
            commands.delete,
            lambda name, owner: queries.results(name, owner, "csv"),
            lambda name, owner: queries.transcript(name, owner, 0),
        ):
            with pytest.raises(NotFound) as refused:
                ask(name, "stranger")
            assert (refused.value.code, refused.value.detail) == (
                "series.unknown",
                "There is no such series.",
            )


class TestPages:
    def test_they_lead_on_from_the_oldest(self, world: World) -> None:
        made = []
        for _ in range(5):
            made.append(create(world).id)
            world.now += 1
        world.tycoon.series.create(asked(), "another", None)
        seen: list[str] = []
        cursor = None
        while True:
            page = world.tycoon.series_queries.page("host", cursor=cursor, limit=2)
            seen += [item.id for item in page.items]
            cursor = page.next
            if cursor is None:
                break
        assert seen == made

    def test_a_row_tells_how_far_it_is(self, world: World) -> None:
        play(world, create(world).id)
        [row] = world.tycoon.series_queries.page("host", cursor=None, limit=9).items
        assert (row.status, row.done, row.failed, row.matches) == ("done", 6, 0, 6)
        assert row.ended_at is not None

    def test_a_cursor_that_is_none_of_ours_is_refused(self, world: World) -> None:
        with pytest.raises(Malformed):
            world.tycoon.series_queries.page("host", cursor="?", limit=9)


class TestResults:
    def test_json_lines_are_the_rows_in_order(self, world: World) -> None:
        series = create(world).id
        play(world, series)
        lines = list(world.tycoon.series_queries.results(series, "host", "jsonl"))
        rows = [msgspec.json.decode(line, type=Row) for line in lines]
        assert rows == all_rows(a_spec("greedy", "random", matches=6))
        assert all(line.endswith(b"\n") for line in lines)

    def test_csv_has_a_column_for_each_seat(self, world: World) -> None:
        series = create(world, game="tictactoe", bots=("raises", "random")).id
        play(world, series)
        text = b"".join(world.tycoon.series_queries.results(series, "host", "csv")).decode()
        found = list(csv.DictReader(io.StringIO(text, newline="")))
        rows = all_rows(a_spec("raises", "random", matches=6))
        assert len(found) == len(rows)
        for line, row in zip(found, rows, strict=True):
            assert int(line["match"]) == row.match
            assert line["digest"] == row.digest
            assert [line["bot_0"], line["bot_1"]] == list(row.bots)
            assert [int(line["faults_0"]), int(line["faults_1"])] == list(row.faults)
            for seat, kinds in enumerate(row.fault_kinds):
                told = {kind: int(line[f"{kind}_{seat}"]) for kind in FAULTS}
                assert told == {**dict.fromkeys(FAULTS, 0), **kinds}
            places = {line["place_0"], line["place_1"]}
            assert places == ({"1", "2"} if len(row.ranking or ()) == 2 else {"1.5"})

    def test_what_was_played_so_far_can_be_had(self, world: World) -> None:
        series = create(world, matches=600).id
        store = world.stores.series
        looks = iter(range(10**6))
        worker = world.tycoon.series_worker
        worker._stopping = lambda: next(looks) > 30
        worker.work(series)
        doc = world.tycoon.series.cancel(series, "host")
        done = len(list(world.tycoon.series_queries.results(series, "host", "jsonl")))
        assert doc.progress.done == done > 0
        assert any(not finished for _, finished, _ in store.sums(series))
        assert doc.progress.left_s is None

    def test_rates_are_over_the_time_it_ran(self, world: World) -> None:
        series = create(world).id
        held = world.stores.series.take(series, lease_ms=60_000)
        assert held is not None
        world.now += 2_000
        world.stores.series.release(held)
        world.tycoon.series_worker.work(series)
        progress = get(world, series).progress
        assert progress.matches_per_s == 3.0
        assert progress.moves_per_s == pytest.approx(progress.moves / 2)
        assert progress.left_s is None

    def test_the_time_that_is_left_is_estimated_by_what_was_played(self) -> None:
        world = World()
        series = create(world, matches=256, paired=False).id
        store = world.stores.series
        first = store.take(series, lease_ms=60_000)
        assert first is not None
        world.now += 1_000
        store.release(first)
        looks = iter(range(10**6))
        world.tycoon.series_worker._stopping = lambda: next(looks) > 200
        world.tycoon.series_worker.work(series)
        progress = get(world, series).progress
        assert 0 < progress.done < 256
        assert progress.left_s == pytest.approx((256 - progress.done) / progress.done)


class TestTranscripts:
    def test_a_kept_one_can_be_had(self, world: World) -> None:
        series = create(world, keep="all").id
        play(world, series)
        lines = list(world.tycoon.series_queries.transcript(series, "host", 4))
        assert b'"tycoon-match/1"' in lines[0]
        done = world.tycoon.importer.import_match(b"".join(lines), "host")
        assert done.id.startswith("m_")

    def test_one_that_was_not_kept_names_the_command_that_makes_it_again(
        self, world: World
    ) -> None:
        series = create(world).id
        play(world, series)
        with pytest.raises(NotFound) as refused:
            world.tycoon.series_queries.transcript(series, "host", 4)
        assert refused.value.code == "series.not-kept"
        assert f"`tycoon series match {series} 4`" in refused.value.detail

    @pytest.mark.parametrize("match", [-1, 6, 10**9])
    def test_there_is_none_of_a_match_that_does_not_exist(self, world: World, match: int) -> None:
        series = create(world, keep="all").id
        play(world, series)
        with pytest.raises(NotFound) as refused:
            world.tycoon.series_queries.transcript(series, "host", match)
        assert refused.value.code == "series.no-match"

    def test_nor_of_one_that_was_not_played_yet(self, world: World) -> None:
        series = create(world, keep="all").id
        with pytest.raises(NotFound) as refused:
            world.tycoon.series_queries.transcript(series, "host", 0)
        assert refused.value.code == "series.no-match"

    def test_nor_of_one_that_failed(self, tmp_path: Path) -> None:
        world = World(archive_url=str(tmp_path), extra_games=EXTRA_GAMES)
        new = {"game": "raising", "bots": ("random", "random"), "matches": 60, "keep": "all"}
        series = create(world, **new).id
        doc = play(world, series)
        assert doc.results.errors == {"Defect": doc.progress.failed}
        lines = world.tycoon.series_queries.results(series, "host", "jsonl")
        failed = next(r.match for r in map(msgspec.json.Decoder(Row).decode, lines) if r.failed)
        with pytest.raises(NotFound) as refused:
            world.tycoon.series_queries.transcript(series, "host", failed)
        assert refused.value.code == "series.not-kept"
        assert "failed (Defect)" in refused.value.detail


class TestCitation:
    def test_another_build_that_played_along_is_named(self, world: World) -> None:
        record = world.stores.series.get(create(world).id)
        assert record is not None
        spec = a_spec("greedy", "random")
        for builds, exact in (({spec.build: 3}, True), ({spec.build: 3, "old": 1}, False)):
            doc = series_doc(record, spec, Sums(builds=builds), HALL["tictactoe"])
            assert doc.made_by.builds == tuple(sorted(builds))
            assert doc.reproducible == exact

    @pytest.mark.parametrize(
        ("sums", "exact"),
        [
            (Sums(faults={"raised": 2, "illegal": 1}), True),
            (Sums(faults={"raised": 2, "stalled": 1}), False),
            (Sums(failed=1, errors={"Defect": 1}), True),
            (Sums(failed=1, errors={"process-died": 1}), False),
        ],
    )
    def test_what_the_time_or_a_death_ended_cannot_be_made_again(
        self, world: World, sums: Sums, exact: bool
    ) -> None:
        record = world.stores.series.get(create(world).id)
        assert record is not None
        doc = series_doc(record, a_spec("greedy", "random"), sums, HALL["tictactoe"])
        assert doc.reproducible == exact
        assert doc.results.faults == sums.faults

    def test_budgets_are_told(self, world: World) -> None:
        record = world.stores.series.get(create(world).id)
        assert record is not None
        levels = ("search-400", "search-250ms", "search", "greedy")
        spec = msgspec.structs.replace(
            a_spec("greedy", "random"), bots=levels, versions=dict.fromkeys(levels, 2)
        )
        doc = series_doc(record, spec, Sums(), HALL["tictactoe"])
        assert [bot.budget for bot in doc.made_by.bots] == [
            BudgetDoc(iterations=400),
            BudgetDoc(ms=250),
            BudgetDoc(iterations=200),
            None,
        ]
        assert [bot.version for bot in doc.made_by.bots] == [2] * 4
        assert not doc.reproducible


def test_an_archive_that_nothing_can_read_is_refused_at_the_start() -> None:
    with pytest.raises(SettingsError, match="TYCOON_ARCHIVE_URL"):
        World(archive_url="nosuchthing://bucket")


def test_every_refusal_has_a_sentence(world: World) -> None:
    with pytest.raises(Refused) as refused:
        create(world, matches=0)
    assert refused.value.detail == "A series has 1 to 100000 matches."
