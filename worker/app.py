"""The worker's Celery app, from settings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from celery import Celery

from services.bootstrap import Stores, check_levels, redis_stores
from services.registry import games
from services.series.made_by import this_build
from shared.settings import Settings
from shared.tasks import Sender, broker_app
from worker import tasks
from worker.metrics import Metrics
from worker.process import Process
from worker.transport import mend


def make_app(
    settings: Settings,
    *,
    heartbeat: Path | None = None,
    stopping: Callable[[], bool] = lambda: False,
    metrics: Metrics | None = None,
) -> Celery:
    """The app with all its tasks; no connection is opened.

    Args:
        heartbeat: a file that is touched after every task; its age tells whether this worker
            still gets its tasks, which it may not though its process lives.
        stopping: whether the worker was asked to end; long tasks then end early.
        metrics: what its processes count.

    Raises:
        SettingsError: a setting that can't be used.
    """
    settings.check()
    hosted = games(settings)  # loaded before the fork
    check_levels(settings, hosted)
    app = broker_app(settings)
    mend(app)
    this_build()  # what runs, not what may be put in its place while it does
    counted = Metrics() if metrics is None else metrics
    counted.expect(game.slug for game in hosted)

    def stores(settings: Settings) -> Stores:
        return redis_stores(settings, counted)

    process = Process(
        settings,
        Sender(app),
        stores,
        heartbeat=heartbeat,
        stopping=stopping,
        metrics=counted,
    )
    tasks.register(app, process)
    app.finalize()
    return app
