"""What can be seen of a series: pages, results and transcripts."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from services.matches.events import Fault
from services.series.rows import Row
from shared.errors import Malformed, NotFound
from tests.services.series.asking import asked, create, get, play
from tests.services.series.table import a_spec, all_rows
from tests.services.world import World
from tests.toys.breaking import EXTRA_GAMES

FAULTS = get_args(Fault)


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
