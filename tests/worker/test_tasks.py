"""The tasks as Celery sees them, and what they do on a real store."""

from __future__ import annotations

import ast
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import structlog
from celery import Celery
from celery.exceptions import Reject

import worker
from services.bootstrap import Stores, Tycoon, build, redis_stores
from services.erasing import erasing
from services.erasing.files import Rewriter
from services.matches.access import NOBODY, Caller
from services.matches.creation import NewMatch, NewSeat
from services.series import working
from services.series.cleaning import LATE_MS
from services.series.playing import PATIENCE_MS
from services.series.spec import NewSeries
from shared import ids
from shared.correlation import HEADER, correlated
from shared.errors import Unavailable
from shared.settings import Settings, SettingsError
from shared.store import PARTITIONS
from shared.store_files import Rewriting
from shared.tasks import HARD_LIMIT_S, QUEUES, VISIBILITY_TIMEOUT_S, Sender, broker_app, lists
from shared.whole_store import Shelf
from tests.toys.breaking import EXTRA_GAMES
from worker import tasks
from worker.app import make_app
from worker.process import Process, now_ms
from worker.stopping import Stopping

KEY = "k" * 32
LATE = 10**12
"""A clock that stands so far behind now that everything it set is overdue."""


@pytest.fixture
def settings(real_redis: Any, redis_url: str, tmp_path: Path) -> Settings:
    return Settings(
        events_url=redis_url,
        broker_url=redis_url,
        server_key=KEY,
        extra_games="tests.toys.tictactoe:GAME",
        archive_url=str(tmp_path / "archive"),
    )


@pytest.fixture
def app(settings: Settings) -> Celery:
    return make_app(settings)


def ours(app: Celery) -> dict[str, Any]:
    return {name: task for name, task in app.tasks.items() if not name.startswith("celery.")}


def services(settings: Settings, clock: Callable[[], int] = now_ms) -> Tycoon:
    return build(
        settings,
        redis_stores(settings),
        clock=clock,
        wake=lambda match: None,
        think=lambda match, version: None,
        report=lambda match, broken: None,
    )


def bots(settings: Settings, *levels: str, clock: Callable[[], int] = now_ms) -> Any:
    """A stored match of bots, and the services that see it."""
    tycoon = services(settings, clock)
    seats = tuple(NewSeat(kind="bot" if level else "open", level=level or None) for level in levels)
    return tycoon, tycoon.commands.create(NewMatch(game="tictactoe", seats=seats), "me", None).id


def queued(real_redis: Any, queue: str) -> list[list[Any]]:
    """Arguments of the tasks that wait in a queue, the oldest first."""
    import base64

    messages = [json.loads(message) for message in real_redis.lrange(queue, 0, -1)]
    return [json.loads(base64.b64decode(m["body"]))[0] for m in reversed(messages)]


def requests(real_redis: Any, queue: str) -> list[dict[str, Any]]:
    """Headers of the tasks that wait in a queue."""
    return [json.loads(message)["headers"] for message in real_redis.lrange(queue, 0, -1)]


class TestSettings:
    def test_every_task_survives_its_process_and_ends_in_time(self, app: Celery) -> None:
        assert set(ours(app)) == set(QUEUES)
        for name, task in ours(app).items():
            assert task.acks_late, name
            assert task.reject_on_worker_lost, name
            assert task.ignore_result, name
            assert task.time_limit == HARD_LIMIT_S[QUEUES[name]], name
            assert 0 < task.soft_time_limit < task.time_limit, name

    def test_no_task_is_delivered_again_while_it_runs(self, app: Celery) -> None:
        options = app.conf.broker_transport_options
        assert options["visibility_timeout"] == VISIBILITY_TIMEOUT_S
        for limit_s in HARD_LIMIT_S.values():
            assert limit_s < VISIBILITY_TIMEOUT_S / 2
        # What a dead worker held comes back this long after its time is over.
        assert options["unacked_restore_interval"] * options["unacked_restore_throttle"] <= 10

    def test_a_task_of_series_has_time_for_all_that_it_has_patience_with(
        self, app: Celery, settings: Settings
    ) -> None:
        store_ms = settings.store_timeout_ms
        needed = working.TASK_MS + PATIENCE_MS + working.INSIST_MS + working.AGAIN_MS + 2 * store_ms
        assert needed / 1000 <= ours(app)["series"].soft_time_limit
        assert 1000 * HARD_LIMIT_S["series"] < LATE_MS, "a deleted series is cleaned after that"
        assert 1000 * max(HARD_LIMIT_S.values()) < erasing.LATE_MS, "and what is erased, settled"

    def test_a_build_is_that_of_the_process_s_start(
        self, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked: list[bool] = []
        monkeypatch.setattr("worker.app.this_build", lambda: asked.append(True))
        make_app(settings)
        assert asked == [True]

    def test_every_task_has_its_queue(self, app: Celery) -> None:
        routes = {name: route["queue"] for name, route in app.conf.task_routes.items()}
        assert routes == QUEUES
        assert set(QUEUES.values()) == set(HARD_LIMIT_S)
        assert app.conf.worker_prefetch_multiplier == 1

    def test_nothing_is_ever_sent_for_later(self) -> None:
        """A task that waits longer than the visibility timeout would be carried out many times."""
        root = Path(worker.__file__).parents[1]
        sources = [
            p
            for part in ("api", "services", "shared", "worker")
            for p in (root / part).rglob("*.py")
        ]
        assert len(sources) > 50
        for source in sources:
            for node in ast.walk(ast.parse(source.read_text())):
                if isinstance(node, ast.keyword):
                    assert node.arg not in ("eta", "countdown"), f"{source}:{node.lineno}"

    def test_a_cluster_is_refused_as_the_broker(self) -> None:
        with pytest.raises(SettingsError, match="TYCOON_BROKER_URL must be a single server"):
            broker_app(Settings(broker_url="redis://somewhere:6379/0?cluster=1"))
        broker_app(Settings(broker_url="redis://cluster-broker:6379/0"))

    def test_a_game_that_cannot_be_imported_is_refused_at_once(self, settings: Settings) -> None:
        with pytest.raises(SettingsError, match="TYCOON_EXTRA_GAMES: can't import 'nowhere:GAME'"):
            make_app(Settings(server_key=KEY, extra_games="nowhere:GAME"))

    def test_a_level_that_a_game_has_not_is_refused_at_once(self) -> None:
        with pytest.raises(SettingsError, match="TYCOON_STAND_IN_LEVEL can't be used"):
            make_app(Settings(server_key=KEY, stand_in_level="grandmaster"))

    def test_no_connection_is_made_before_the_first_task(self, settings: Settings) -> None:
        made: list[Settings] = []

        def stores(settings: Settings) -> Stores:
            made.append(settings)
            return redis_stores(settings)

        app = broker_app(settings)
        tasks.register(app, Process(settings, Sender(app), stores))
        app.finalize()
        assert made == []
        app.tasks["advance"](["m_none"])
        app.tasks["advance"](["m_none"])
        assert made == [settings]


class TestWork:
    def test_advance_plays_bots_to_the_end(self, app: Celery, settings: Settings) -> None:
        tycoon, match = bots(settings, "greedy", "random")
        app.tasks["advance"]([match])
        found, _ = tycoon.queries.find(match, NOBODY)
        assert found.match.status == "ended"
        assert tycoon.stores.work.busy(now_ms()) == []

    def test_a_long_thought_is_asked_for_and_thought(
        self, app: Celery, settings: Settings, real_redis: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tests.toys.tictactoe.THINKING_S", 0.01)
        tycoon, match = bots(settings, "slow", "slow")
        app.tasks["advance"]([match])
        [asked] = queued(real_redis, "think")
        assert asked == [match, tycoon.queries.find(match, NOBODY)[0].match.version]
        app.tasks["think"](*asked)
        found, _ = tycoon.queries.find(match, NOBODY)
        assert found.match.version == asked[1] + 1
        assert queued(real_redis, "advance") == [[[match]]]
        app.tasks["think"](*asked)
        assert tycoon.queries.find(match, NOBODY)[0].match.version == asked[1] + 1

    def test_a_hint_is_thought(self, app: Celery, settings: Settings, real_redis: Any) -> None:
        tycoon = services(settings)
        person = NewSeat(kind="person")
        new = NewMatch(game="tictactoe", seats=(person, person), chance={"first": 0})
        match = tycoon.commands.create(new, "me", None).id
        token = ids.seat_token(KEY.encode(), match, 0, 0)
        caller = Caller("seat", token)
        asked, seat, send = tycoon.hints.ask(match, caller, "search-50ms")
        assert (asked.status, seat, send) == ("thinking", 0, True)
        with structlog.testing.capture_logs() as lines:
            app.tasks["hint"](match, 0, asked.version)
            app.tasks["hint"](match, 0, asked.version)
        ready = tycoon.hints.get(match, caller)
        assert ready.status == "ready"
        assert ready.iterations > 0
        assert [line["answered"] for line in lines] == [True, False]
        for line in lines:
            assert set(line) <= {
                *("event", "command", "match", "version", "answered", "correlation", "log_level"),
            }

    def test_a_bots_thought_comes_before_hints_that_wait(
        self, app: Celery, settings: Settings, real_redis: Any
    ) -> None:
        """As a worker takes them: the list of the first priority, then that of the last."""
        sender = Sender(app)
        for seat in range(5):
            sender.hint("m_hints", seat, 3)
        sender.think("m_bots", 7)
        assert sender.queued("think") == 6
        with app.connection_for_read() as connection, connection.SimpleQueue("think") as queue:
            taken = []
            for _ in range(6):
                message = queue.get(timeout=5)
                taken.append(message.payload[0])
                message.ack()
        assert taken[0] == ["m_bots", 7]
        assert taken[1:] == [["m_hints", seat, 3] for seat in range(5)]

    @pytest.mark.parametrize("queue", sorted(set(QUEUES.values())))
    def test_tasks_wait_in_the_lists_that_we_name(
        self, app: Celery, settings: Settings, real_redis: Any, queue: str
    ) -> None:
        """Whoever counts tasks from outside asks for these."""
        sender = Sender(app)
        mine = [task for task, on in QUEUES.items() if on == queue]
        for task in mine:
            sender.send(task)
        waiting = {key: real_redis.llen(key) for key in lists(queue)}
        assert sum(waiting.values()) == sender.queued(queue) == len(mine)
        assert 0 not in waiting.values()

    def test_what_an_older_build_left_in_the_broker_stops_nobody(
        self, app: Celery, settings: Settings, real_redis: Any
    ) -> None:
        """Its lists and bindings have other names."""
        older = broker_app(settings)
        for option in ("sep", "priority_steps"):
            del older.conf.broker_transport_options[option]
        with older.connection_for_read() as connection, connection.SimpleQueue("think"):
            Sender(older).hint("m_a", 0, 3)
        sender = Sender(app)
        sender.think("m_b", 7)
        with app.connection_for_read() as connection, connection.SimpleQueue("think") as queue:
            message = queue.get(timeout=5)
            assert message.payload[0] == ["m_b", 7]
            message.requeue()
            message = queue.get(timeout=5)
            message.ack()
        assert sender.queued("think") == 0

    def test_what_the_sweep_finds_is_timed_out(
        self, app: Celery, settings: Settings, real_redis: Any
    ) -> None:
        tycoon, match = bots(settings, "", "greedy", clock=lambda: LATE)
        app.tasks["sweep"]()
        assert queued(real_redis, "ops") == [[[match]]]
        app.tasks["time_out"]([match, "m_unknown"])
        found, _ = tycoon.queries.find(match, NOBODY)
        assert found.match.result.reason == "expired"

    def test_a_match_that_cannot_be_read_is_told_and_holds_up_nobody(
        self, app: Celery, settings: Settings, real_redis: Any
    ) -> None:
        _, broken = bots(settings, "", "greedy", clock=lambda: LATE)
        tycoon, match = bots(settings, "", "greedy", clock=lambda: LATE)
        [stream] = real_redis.keys(f"*{broken}:ev")
        real_redis.delete(stream)
        real_redis.xadd(stream, {"e": "{}"}, id="0-1")
        with structlog.testing.capture_logs() as lines:
            app.tasks["time_out"]([broken, match])
            app.tasks["advance"]([broken, match])
        told = [line["match"] for line in lines if line["log_level"] == "error"]
        assert told == [broken, broken]
        assert tycoon.queries.find(match, NOBODY)[0].match.result.reason == "expired"

    def test_a_rebuild_goes_from_partition_to_partition_and_ends(
        self, app: Celery, settings: Settings, real_redis: Any
    ) -> None:
        tycoon, _ = bots(settings, "greedy", "greedy")
        generation, _ = tycoon.rebuilding.begin()
        app.tasks["rebuild"](generation, PARTITIONS - 2)
        assert queued(real_redis, "ops") == [[generation, PARTITIONS - 1, "", 0, 0]]
        for partition in range(PARTITIONS):
            app.tasks["rebuild"](generation, partition)
        progress = tycoon.rebuilding.progress(generation)
        assert (progress.finished, progress.matches, progress.failed) == (True, 1, 0)

    def test_a_rebuild_that_was_given_up_stops(
        self, app: Celery, settings: Settings, real_redis: Any
    ) -> None:
        tycoon, _ = bots(settings, "greedy", "greedy")
        given_up, _ = tycoon.rebuilding.begin()
        tycoon.stores.lists.begin_rebuild()
        app.tasks["rebuild"](given_up, 0)
        assert queued(real_redis, "ops") == []
        assert tycoon.rebuilding.progress(given_up).partitions_done == 0

    def test_series_plays_chunks_and_asks_for_more(
        self, app: Celery, settings: Settings, real_redis: Any
    ) -> None:
        tycoon, _ = bots(settings, "greedy", "greedy")
        new = NewSeries(game="tictactoe", bots=("greedy", "random"), matches=4)
        series = tycoon.series.create(new, "me", None).doc.id
        app.tasks["sweep"]()
        assert [series] in queued(real_redis, "series")
        real_redis.delete("series")
        app.tasks["series"](series)
        assert tycoon.series_queries.get(series, "me").status == "done"
        assert queued(real_redis, "series") == [[series]]
        with structlog.testing.capture_logs() as lines:
            app.tasks["series"](series)
        assert queued(real_redis, "series") == [[series]], "nothing is left to ask for"
        assert [line["log_level"] for line in lines] == ["debug"]

    def test_who_is_asked_to_stop_asks_for_no_more(
        self, settings: Settings, real_redis: Any
    ) -> None:
        stopping = Stopping()
        app = make_app(settings, stopping=stopping)
        tycoon, _ = bots(settings, "greedy", "greedy")
        new = NewSeries(game="tictactoe", bots=("greedy", "random"), matches=4)
        series = tycoon.series.create(new, "me", None).doc.id
        stopping.ask(sig="SIGTERM")
        app.tasks["series"](series)
        assert tycoon.series_queries.get(series, "me").progress.done == 0
        assert queued(real_redis, "series") == []

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


class TestWithoutServers:
    @pytest.fixture
    def lost(self, settings: Settings) -> Celery:
        app = broker_app(settings)

        def away(settings: Settings) -> Stores:
            raise Unavailable("store.unavailable", "The store does not answer.")

        tasks.register(app, Process(settings, Sender(app), away))
        app.finalize()
        return app

    def test_a_store_that_is_away_is_told_once(self, lost: Celery) -> None:
        with structlog.testing.capture_logs() as lines:
            for _ in range(3):
                lost.tasks["sweep"]()
            lost.tasks["advance"](["m_a"])
        assert [(line["event"], line["log_level"]) for line in lines] == [
            ("server away", "warning")
        ]

    def test_a_rebuild_goes_back_to_its_queue(
        self, lost: Celery, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tasks, "AGAIN_S", 0)
        with pytest.raises(Reject) as rejected:
            lost.tasks["rebuild"](2, 0)
        assert rejected.value.requeue

    def test_it_still_counts_as_a_sign_of_life(self, settings: Settings, tmp_path: Path) -> None:
        app = make_app(settings, heartbeat=tmp_path / "beat")
        app.tasks["sweep"]()
        assert (tmp_path / "beat").exists()


class TestSending:
    def test_what_is_asked_for_again_expires_and_nothing_else(
        self, settings: Settings, real_redis: Any
    ) -> None:
        sender = Sender(broker_app(settings))
        sender.sweep()
        sender.advance(["m_a"])
        sender.think("m_a", 3)
        sender.rebuild(1, 0)
        rebuild = json.loads(real_redis.lindex("ops", 0))["headers"]
        assert (rebuild["task"], rebuild["expires"]) == ("rebuild", None)
        expires = {
            queue: json.loads(real_redis.lindex(queue, -1))["headers"]["expires"]
            for queue in ("ops", "advance", "think")
        }
        assert all(expires.values())

    def test_a_queue_knows_its_length(self, settings: Settings) -> None:
        sender = Sender(broker_app(settings))
        assert sender.queued("advance") == 0
        sender.advance(["m_a"])
        sender.advance(["m_b"])
        assert sender.queued("advance") == 2


def test_logs_are_lines_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    from services.watching import logs

    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        logs.set_up("info")
        structlog.stdlib.get_logger("worker").info("advance", match="m_a", version=3)
        logging.getLogger("celery").info("a task was received")
        logging.getLogger("celery").warning("connection lost")
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        structlog.reset_defaults()
    ours, theirs = map(json.loads, capsys.readouterr().err.splitlines())
    assert (ours["event"], ours["match"], ours["version"]) == ("advance", "m_a", 3)
    assert (theirs["event"], theirs["logger"]) == ("connection lost", "celery")
