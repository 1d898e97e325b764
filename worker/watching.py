"""`/metrics` and `/livez` of a worker, answered by the parent of its processes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from celery import Celery, signals
from celery.worker import state
from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from services.registry import games
from services.watching.build import Build
from services.watching.serving import serve
from shared.settings import Settings
from shared.tasks import Sender
from worker.metrics import Metrics
from worker.progress import Progress


class Pool(Collector):
    """How busy the processes of a worker are, seen from their parent."""

    def __init__(self, queues: Sequence[str], processes: int) -> None:
        self._queues = ",".join(sorted(queues))
        self._processes = processes
        self._taken = 0
        # Celery's signals hold a bound method weakly, and this object lives as long as they do.
        signals.task_received.connect(self._take)

    def free(self) -> bool:
        """Whether a process has nothing to do."""
        return len(state.active_requests) < self._processes

    def taken(self) -> int:
        """Tasks taken so far."""
        return self._taken

    def _take(self, **facts: object) -> None:
        self._taken += 1

    def collect(self) -> Iterable[Metric]:
        busy = len(state.active_requests)
        family = GaugeMetricFamily(
            "tycoon_worker_processes",
            "Processes of a worker, by its queues, that work (busy) or wait (free).",
            labels=("queues", "state"),
        )
        family.add_metric((self._queues, "busy"), busy)
        family.add_metric((self._queues, "free"), max(0, self._processes - busy))
        yield family
        taken = CounterMetricFamily(
            "tycoon_worker_taken",
            "Tasks that a worker has taken from its queues.",
            labels=("queues",),
        )
        taken.add_metric((self._queues,), self._taken)
        yield taken


def watch(
    app: Celery,
    settings: Settings,
    metrics: Metrics,
    queues: Sequence[str],
    processes: int,
) -> None:
    """Answers at the settings' port for as long as this process lives.

    Raises:
        SettingsError: the port can't be used.
    """
    sender = Sender(app)
    pool = Pool(queues, processes)
    progress = Progress(
        queued=lambda: sum(map(sender.queued, queues)), taken=pool.taken, free=pool.free
    )
    build = Build("worker", games(settings))
    serve(settings, metrics=lambda: metrics.text(build, pool), trouble=progress.trouble)
    progress.watch()
