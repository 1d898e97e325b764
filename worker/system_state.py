"""The state of the whole system, looked up by the ticker alone when its metrics are asked for.

Other processes count what they do themselves. What is the same for all (how old the oldest mark is,
how long the queues are) would be asked for by each of them at once; and the ticker is one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from threading import Lock

from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from services.hosted import Hall
from services.projections.lists import Lists
from shared.errors import Unavailable
from shared.redis_client import Memory, connect, memory
from shared.redis_lists import RedisLists
from shared.redis_series import RedisSeries
from shared.redis_wholes import RedisWholes
from shared.redis_work import RedisWork
from shared.series_store import SeriesStore
from shared.settings import Settings
from shared.tasks import HARD_LIMIT_S, Sender, Unsent
from shared.whole_store import Shelf, WholeStore
from shared.work_queue import WorkQueue

FRESH_S = 5.0
"""So long an answer is good for: several scrapers cost no more than one."""

TIMEOUT_MS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Events:
    """What is asked of the events store."""

    work: WorkQueue
    lists: Lists
    series: SeriesStore
    wholes: WholeStore
    memory: Callable[[], Memory]


class SystemState(Collector):
    """Marks, queues, open matches, series, and both servers.

    Args:
        events: connects to the events store; may raise `Unavailable`, and is asked again then.
        broker: the broker's memory; may raise `Unavailable`.
        games: slugs.
        queued: tasks that wait in a queue; may raise `Unsent`.
        now: seconds, of a clock that never goes back.
    """

    def __init__(
        self,
        *,
        events: Callable[[], Events],
        broker: Callable[[], Memory],
        games: Sequence[str],
        queued: Callable[[str], int],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._connect = events
        self._broker = broker
        self._games = games
        self._queued = queued
        self._now = now
        self._lock = Lock()
        self._events: Events | None = None
        self._kept: list[Metric] = []
        self._until = float("-inf")

    def collect(self) -> Iterable[Metric]:
        with self._lock:
            if self._now() >= self._until:
                self._kept = list(self._look())
                self._until = self._now() + FRESH_S
            return self._kept

    def _look(self) -> Iterator[Metric]:
        """What can't be looked up now is left out: an old number would pass for a good one."""
        up = _gauge("tycoon_store_up", "Whether a server answers: events or broker.")
        used = _gauge("tycoon_store_memory_used_bytes", "Memory that a server's data take.")
        bound = _gauge(
            "tycoon_store_memory_max_bytes", "Memory that a server may take, where it is bounded."
        )
        for server, look in (("events", self._of_events), ("broker", self._of_broker)):
            try:
                memory, found = look()
            except (Unavailable, Unsent):
                up.add_metric((server,), 0)
                continue
            up.add_metric((server,), 1)
            used.add_metric((server,), memory.used)
            if memory.bound:
                bound.add_metric((server,), memory.bound)
            yield from found
        yield from (up, used, bound)

    def _of_events(self) -> tuple[Memory, list[Metric]]:
        if self._events is None:
            self._events = self._connect()
        lag = GaugeMetricFamily(
            "tycoon_projection_lag_seconds",
            "Age of the oldest work mark that is ready and not handed out.",
            self._events.work.oldest() / 1000,
        )
        matches = GaugeMetricFamily(
            "tycoon_open_matches", "Matches that are not over.", labels=("game", "status")
        )
        for game in self._games:
            for status, count in self._events.lists.open_by_status(game).items():
                matches.add_metric((game, status), count)
        chunks = GaugeMetricFamily(
            "tycoon_series_chunks_waiting",
            "Chunks of running series that could be taken now and that nobody holds.",
            sum(room for _, room in self._events.series.active()),
        )
        over = GaugeMetricFamily(
            "tycoon_matches_over",
            "Matches that are over: ended in the store, archived, or either with names.",
            labels=("shelf",),
        )
        for shelf in (Shelf.ENDED, Shelf.ARCHIVED, Shelf.NAMED):
            over.add_metric((shelf.value,), self._events.wholes.count(shelf))
        return self._events.memory(), [lag, matches, chunks, over]

    def _of_broker(self) -> tuple[Memory, list[Metric]]:
        length = GaugeMetricFamily(
            "tycoon_queue_length", "Tasks that wait in a queue.", labels=("queue",)
        )
        memory = self._broker()
        for queue in HARD_LIMIT_S:
            length.add_metric((queue,), self._queued(queue))
        return memory, [length]


def system_state(settings: Settings, hall: Hall, sender: Sender) -> SystemState:
    """The state of the system that the settings name; nothing is asked yet."""
    broker = connect(settings.broker_url, timeout_ms=TIMEOUT_MS)

    def events() -> Events:
        client = connect(settings.events_url, timeout_ms=TIMEOUT_MS)
        return Events(
            work=RedisWork(client),
            lists=Lists(RedisLists(client), hall, settings.server_key.encode()),
            series=RedisSeries(client),
            wholes=RedisWholes(client),
            memory=lambda: memory(client),
        )

    return SystemState(
        events=events,
        broker=lambda: memory(broker),
        games=[hosted.game.slug for hosted in hall],
        queued=sender.queued,
    )


def _gauge(name: str, text: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, text, labels=("server",))
