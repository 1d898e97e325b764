"""How tasks are set up and sent, and what happens where a server is away."""

from __future__ import annotations

import ast
import json
import logging
from pathlib import Path
from typing import Any

import pytest
import structlog
from celery import Celery
from celery.exceptions import Reject

import worker
from services.bootstrap import Stores, redis_stores
from services.erasing import erasing
from services.series import working
from services.series.cleaning import LATE_MS
from services.series.playing import PATIENCE_MS
from shared.errors import Unavailable
from shared.settings import Settings, SettingsError
from shared.tasks import HARD_LIMIT_S, QUEUES, VISIBILITY_TIMEOUT_S, Sender, broker_app
from tests.worker.working import KEY, ours
from worker import tasks
from worker.app import make_app
from worker.process import Process


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
