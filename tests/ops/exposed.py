"""What the processes expose, from their own registries after everything was counted once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import get_args

from prometheus_client.parser import text_string_to_metric_families

from api.metrics import Metrics as ApiMetrics
from services.watching.build import Build
from services.watching.summing import exposed
from shared.errors import Corrupt, Newer
from shared.observing import FAILED, OUTCOMES, Observer
from shared.redis_client import Memory
from shared.series_store import Answer, Counts
from shared.store import Append
from shared.tasks import QUEUES
from tests.services.world import World
from worker.metrics import Metrics as WorkerMetrics
from worker.system_state import Events, SystemState
from worker.ticker import Ticker
from worker.watching import Pool

Samples = dict[str, dict[str, set[str]]]
"""Name of a sample -> its labels -> the values that they had."""

GAME = "daifugo"
APPEND = Append(match="m_a", expected=0, events=[b"{}"], game=GAME, status="running")


def samples(*texts: bytes) -> Samples:
    """Everything that some scrapes show."""
    found: Samples = defaultdict(lambda: defaultdict(set))
    for text in texts:
        for family in text_string_to_metric_families(text.decode()):
            for sample in family.samples:
                labels = found[sample.name]
                for name, value in sample.labels.items():
                    labels[name].add(value)
    return found


def everything() -> Samples:
    """Of the API, a worker and the ticker."""
    return samples(*texts())


def at_start(games: Iterable[str]) -> Samples:
    """Of a worker and the ticker when they have counted nothing."""
    worker = WorkerMetrics()
    worker.expect(games)

    def sweep() -> None:
        pass

    return samples(worker.text(), exposed(Ticker(sweep).registry, None))


def texts() -> Iterable[bytes]:
    world = World()
    games = [hosted.game for hosted in world.tycoon.hall]

    api = ApiMetrics(None, Build("api", games))
    for status in (200, 201, 409, 422, 500, 503):
        api.request("POST", "/v1/matches", status, 0.1)
    for code in ("ok", "move.not-your-turn"):
        api.move(GAME, code)
    api.conflict("match.stale-version")
    api.wakes_lost(1)
    with api.command("move"):
        observe(api.play)
    yield api.text()

    worker = WorkerMetrics()
    observe(worker)
    for task in QUEUES:
        for result in ("done", "away", "failed", "again"):
            worker.task(task, result, 0.1)
    for broken in (ValueError(), Corrupt(), Newer()):
        worker.broken(broken)
    for became in get_args(Answer):
        worker.sliced(GAME, became, Counts(done=3, failed=1, moves=40))
    yield worker.text(Build("worker", games), Pool(["advance", "ops"], 2))

    def sweep() -> None:
        pass

    ticker = Ticker(sweep)
    ticker.tick()
    tycoon = world.tycoon
    events = Events(
        work=tycoon.stores.work,
        lists=tycoon.lists,
        series=tycoon.stores.series,
        wholes=tycoon.stores.wholes,
        memory=lambda: Memory(1, 2),
    )
    state = SystemState(
        events=lambda: events,
        broker=lambda: Memory(1, 2),
        games=[GAME],
        queued=lambda queue: 0,
    )
    yield exposed(ticker.registry, None, Build("ticker", games), state)


def observe(observer: Observer) -> None:
    """One of everything that an observer is told."""
    for outcome in (*OUTCOMES.values(), FAILED):
        observer.appended(APPEND, outcome, 0.1)
    for level in ("random", "greedy", "search-400", "extra"):
        observer.thought(GAME, level, 0.1)
    for kind in ("raised", "illegal", "stalled"):
        observer.fault(GAME, kind)
