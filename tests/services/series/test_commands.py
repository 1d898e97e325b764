"""What may be asked of a series: it is made, changes its status and is deleted."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.series.commands import Creation
from services.series.files import folder_of
from services.series.made_by import this_build
from shared.errors import Conflict, NotFound, Refused, TooMany, Unavailable, Unprocessable
from shared.series_store import Counts
from shared.settings import SettingsError
from tests.services.series.asking import asked, create, get, play
from tests.services.series.table import SEED
from tests.services.world import World, key


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


def test_an_archive_that_nothing_can_read_is_refused_at_the_start() -> None:
    with pytest.raises(SettingsError, match="TYCOON_ARCHIVE_URL"):
        World(archive_url="nosuchthing://bucket")


def test_every_refusal_has_a_sentence(world: World) -> None:
    with pytest.raises(Refused) as refused:
        create(world, matches=0)
    assert refused.value.detail == "A series has 1 to 100000 matches."
