"""`python -m worker --queues advance,ops --concurrency 2`: one worker, until it is ended.

SIGTERM ends it when its running tasks are done; those of series end early then.
"""

from __future__ import annotations

import os
import signal

if __name__ == "__main__":
    # The imports take seconds, and the first process of a container is ended by no signal that it
    # doesn't handle. There is nothing to finish yet.
    signal.signal(signal.SIGTERM, lambda number, frame: os._exit(0))

import argparse
import sys
import warnings
from pathlib import Path

from billiard import pool
from celery import signals
from celery.exceptions import CPendingDeprecationWarning, SecurityWarning

from services.watching import logs
from services.watching.folder import prepare_own
from shared.redis_broker import refuse_cluster
from shared.settings import SettingsError, from_env
from shared.tasks import HARD_LIMIT_S
from worker.app import make_app
from worker.metrics import Metrics
from worker.stopping import Stopping
from worker.watching import watch

UNREAD_TRIES = 20
"""Of 0.1 s each."""


def main() -> int:
    """Runs a worker; its exit code."""
    asked = _parser().parse_args()
    queues = [queue for queue in asked.queues.split(",") if queue]
    if unknown := sorted(set(queues) - set(HARD_LIMIT_S)):
        print(f"There is no queue {', '.join(unknown)}.", file=sys.stderr)
        return 1
    try:
        settings = from_env(os.environ)
        logs.set_up(settings.log_level)
        metrics = Metrics(prepare_own(os.environ) if settings.metrics_port else None)
        stopping = Stopping()
        refuse_cluster(settings)
        app = make_app(settings, heartbeat=asked.heartbeat, stopping=stopping, metrics=metrics)
    except (SettingsError, ValueError) as wrong:
        print(wrong, file=sys.stderr)
        return 1
    # It warns of running as root, for tasks that are pickled; ours are JSON.
    warnings.simplefilter("ignore", SecurityWarning)
    # It recommends to cancel tasks when the broker is lost: a thought would be lost for nothing.
    warnings.simplefilter("ignore", CPendingDeprecationWarning)
    # A process that ends waits until its last result was read: for 30 s, where the parent has just
    # given that task back to its queue and reads no more. It is repeated, which does no harm.
    pool.GUARANTEE_MESSAGE_CONSUMPTION_RETRY_LIMIT = UNREAD_TRIES
    os.nice(asked.nice)
    signals.worker_shutting_down.connect(stopping.ask)
    # Whoever listens here keeps Celery from setting up logging of its own.
    signals.setup_logging.connect(_leave_logging_alone)
    worker = app.Worker(
        hostname=f"{'-'.join(queues)}@%h",
        queues=queues,
        concurrency=asked.concurrency,
        pool_cls="prefork",
        optimization="fair",
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    try:
        if settings.metrics_port:
            watch(app, settings, metrics, queues, asked.concurrency)
    except SettingsError as wrong:
        print(wrong, file=sys.stderr)
        return 1
    worker.start()
    return worker.exitcode or 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m worker", description=__doc__)
    parser.add_argument("--queues", default=",".join(HARD_LIMIT_S), help="names with commas")
    parser.add_argument("--concurrency", type=int, default=1, help="processes that work")
    parser.add_argument("--nice", type=int, default=0, help="stand back behind others, 0 to 19")
    parser.add_argument("--heartbeat", type=Path, help="file that is touched with every task done")
    return parser


def _leave_logging_alone(**facts: object) -> None:
    """`logs.set_up` has done it."""


if __name__ == "__main__":
    sys.exit(main())
