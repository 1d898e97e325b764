"""The worker's Celery app, from settings."""

from __future__ import annotations

from pathlib import Path

from celery import Celery

from services.bootstrap import check_levels, games, redis_stores
from shared.settings import Settings
from shared.tasks import Sender, broker_app
from worker import tasks
from worker.process import Process


def make_app(settings: Settings, *, heartbeat: Path | None = None) -> Celery:
    """The app with all its tasks; no connection is opened.

    Args:
        heartbeat: a file that is touched after every task; its age tells whether this worker
            still gets its tasks, which it may not though its process lives.

    Raises:
        SettingsError: a setting that can't be used.
    """
    settings.check()
    check_levels(settings, games(settings))  # and loads the games before the fork
    app = broker_app(settings)
    tasks.register(app, Process(settings, Sender(app), redis_stores, heartbeat=heartbeat))
    app.finalize()
    return app
