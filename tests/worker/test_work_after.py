"""What tasks do for what is over, and what they tell."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
import structlog
from celery import Celery

from services.erasing.files import Rewriter
from services.matches.access import NOBODY
from services.matches.creation import NewMatch, NewSeat
from services.series.cleaning import LATE_MS
from services.series.spec import NewSeries
from shared.correlation import HEADER, correlated
from shared.settings import Settings
from shared.store_files import Rewriting
from shared.tasks import Sender, broker_app
from shared.whole_store import Shelf
from tests.toys.breaking import EXTRA_GAMES
from tests.worker.working import bots, queued, requests
from worker.app import make_app
from worker.process import now_ms


class TestWork:
    def test_what_a_deleted_series_left_is_removed(
        self, app: Celery, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("services.series.cleaning.LATE_MS", -LATE_MS)
        tycoon, _ = bots(settings, "greedy", "greedy")
        new = NewSeries(game="tictactoe", bots=("greedy", "random"), matches=4)
        series = tycoon.series.create(new, "me", None).doc.id
        tycoon.series.delete(series, "me")
        with structlog.testing.capture_logs() as lines:
            app.tasks["clean"]()
            app.tasks["clean"]()
        found = [(line["command"], line["series"]) for line in lines if line["event"] == "task"]
        assert found == [("clean", 1), ("clean", 0)]

    def test_what_is_due_is_archived_and_more_is_asked_for_while_there_is(
        self,
        app: Celery,
        settings: Settings,
        real_redis: Any,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr("services.archive.retention.TASK_MS", 0)  # then at most one a look
        monkeypatch.setattr("services.archive.retention.DAY_MS", -1)  # whatever is over is due
        tycoon, first = bots(settings, "greedy", "greedy")
        _, second = bots(settings, "greedy", "greedy")
        app.tasks["advance"]([first, second])
        until = now_ms() + 60_000
        with structlog.testing.capture_logs() as lines:
            app.tasks["retain"](until)
        assert [line["archived"] for line in lines if line["event"] == "task"] == [0]
        assert queued(real_redis, "series") == [], "nothing came of it"

        monkeypatch.setattr("services.archive.retention.BATCH", 1)
        monkeypatch.setattr("services.archive.retention.TASK_MS", 5_000)
        with structlog.testing.capture_logs() as lines:
            app.tasks["retain"](until)
        assert [line["archived"] for line in lines if line["event"] == "task"] == [2]
        assert tycoon.stores.wholes.count(Shelf.ARCHIVED) == 2
        assert queued(real_redis, "series") == [], "nothing more is due"

    def test_erased_names_leave_the_rows_and_the_files(
        self,
        app: Celery,
        settings: Settings,
        real_redis: Any,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr("services.erasing.erasing.LATE_MS", -LATE_MS)
        tycoon, _ = bots(settings, "greedy", "greedy")
        seats = (NewSeat(kind="person", name="Zebedee", ref="user-1"), NewSeat(kind="open"))
        new = NewMatch(game="tictactoe", seats=seats)
        match = tycoon.commands.create(new, "me", None).id
        tycoon.eraser.erase_player("me", "user-1", limit=9)
        with structlog.testing.capture_logs() as lines:
            app.tasks["sweep"]()
            app.tasks["erase"]()
        assert queued(real_redis, "series") == [[]]
        [line] = [line for line in lines if line.get("command") == "erase"]
        assert (line["erased"], line["settled"], line["files"]) == (0, 1, "begun")
        assert match not in str(lines)

    def test_a_store_that_does_not_let_us_write_its_files_anew_is_told_of(
        self, app: Celery, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Rewriter, "work", lambda self: Rewriting.REFUSED)
        with structlog.testing.capture_logs() as lines:
            app.tasks["erase"]()
        told = [(line["event"], line["log_level"]) for line in lines]
        assert told == [("files not written anew", "warning"), ("task", "info")]

    def test_a_match_of_a_series_that_breaks_off_is_told_with_where_alone(
        self, settings: Settings
    ) -> None:
        app = make_app(msgspec.structs.replace(settings, extra_games=EXTRA_GAMES))
        tycoon, _ = bots(msgspec.structs.replace(settings, extra_games=EXTRA_GAMES), "greedy", "")
        new = NewSeries(game="raising", bots=("random", "random"), matches=100, seed="5e" * 32)
        series = tycoon.series.create(new, "me", None).doc.id
        with structlog.testing.capture_logs() as lines:
            app.tasks["series"](series)
        told = [line for line in lines if line["event"] == "series failed"]
        assert len(told) == tycoon.series_queries.get(series, "me").progress.failed > 0
        for line in told:
            assert (line["series"], line["error"]) == (series, "Defect")
            assert isinstance(line["match"], int)
            assert line["where"][-1].endswith(" _fail")
            assert "hidden" not in str(line)

    def test_every_task_has_a_line_that_tells_no_content(
        self, app: Celery, settings: Settings
    ) -> None:
        tycoon, match = bots(settings, "greedy", "greedy")
        with structlog.testing.capture_logs() as lines:
            app.tasks["advance"]([match])
            app.tasks["think"](match, 3)
        *appends, advance, think = lines
        assert (advance["event"], advance["command"]) == ("task", "advance")
        assert (advance["match"], advance["looked_at"]) == (match, 1)
        assert (think["command"], think["match"], think["version"]) == ("think", match, 3)
        assert [line["event"] for line in appends] == ["append"] * len(appends)
        assert {(line["match"], line["command"]) for line in appends} == {(match, "advance")}
        last = tycoon.queries.find(match, NOBODY)[0].match.version
        assert appends[-1]["version"] == last
        assert all(line["duration_ms"] >= 0 for line in (*appends, advance))
        assert "duration_ms" not in think, "how long a bot thinks is told after the match"
        assert all("correlation" in line for line in lines)

    def test_one_id_leads_from_a_task_to_those_that_follow(
        self, app: Celery, settings: Settings, real_redis: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tests.toys.tictactoe.THINKING_S", 0.01)
        _, one = bots(settings, "slow", "slow")
        _, other = bots(settings, "slow", "slow")
        sender = Sender(broker_app(settings))
        with correlated("request-1", {other: "request-2"}):
            sender.advance([one, other])
        [advance] = requests(real_redis, "advance")
        assert (advance["root_id"], advance[HEADER]) == ("request-1", {other: "request-2"})

        with structlog.testing.capture_logs() as lines:
            # As the message's headers reach it in a worker.
            app.tasks["advance"].push_request(root_id="request-1", **{HEADER: advance[HEADER]})
            app.tasks["advance"].run([one, other])

        thoughts = requests(real_redis, "think")
        assert {thought["root_id"] for thought in thoughts} == {"request-1", "request-2"}
        [line] = [line for line in lines if line["event"] == "task"]
        assert line["correlations"] == ["request-1", "request-2"]

    def test_a_hint_is_thought_for_its_own_request(
        self, app: Celery, settings: Settings, real_redis: Any
    ) -> None:
        sender = Sender(broker_app(settings))
        with correlated("request-1", {}):
            sender.hint("m_a", 0, 3)
        [behind] = real_redis.keys("think*")  # a list of its own, for its priority
        assert behind in ("think:9", b"think:9")
        [message] = requests(real_redis, behind)
        assert message["root_id"] == "request-1"
        with structlog.testing.capture_logs() as lines:
            app.tasks["hint"].push_request(root_id="request-1")
            app.tasks["hint"].run("m_a", 0, 3)
        [line] = lines
        assert (line["command"], line["match"], line["version"]) == ("hint", "m_a", 3)
        assert line["correlation"] == "request-1"
        assert "duration_ms" not in line, "how long is thought at a match no log tells"
