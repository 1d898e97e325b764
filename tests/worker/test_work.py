"""What each task does for matches and series."""

from __future__ import annotations

from typing import Any

import pytest
import structlog
from celery import Celery

from services.matches.access import NOBODY, Caller
from services.matches.creation import NewMatch, NewSeat
from services.series.spec import NewSeries
from shared import ids
from shared.settings import Settings
from shared.store import PARTITIONS
from shared.tasks import QUEUES, Sender, broker_app, lists
from tests.worker.working import KEY, LATE, bots, queued, services
from worker.app import make_app
from worker.process import now_ms
from worker.stopping import Stopping


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
