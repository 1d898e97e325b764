"""Series: what they cost the store, and people who play beside them.

A worker with one process plays them at `nice` 10, as `tycoon up` starts it.
"""

from __future__ import annotations

import time

import psutil
import redis

from services.bootstrap import Tycoon
from services.series.spec import NewSeries
from tests.bench.commands import services
from tests.bench.harness import Row, alternate
from tests.bench.lengths import FEW, Crowd
from tests.bench.system import System, system

MATCHES, EARLY = 20_000, 2_000
BESIDE = NewSeries(game="daifugo", bots=("greedy", *["random"] * 4), matches=5_000)
OWNER = "bench"


def _memory(url: str) -> float:
    with redis.Redis.from_url(url) as client:
        return float(client.info("memory")["used_memory"])


def _resident(running: System) -> float:
    top = psutil.Process(running.processes["series"].pid)
    return float(sum(p.memory_info().rss for p in [top, *top.children(recursive=True)]))


def memory(running: System, tycoon: Tycoon) -> list[Row]:
    """Bytes of store and worker over a long series, beside those after its first tenth."""
    new = NewSeries(game="tictactoe", bots=("greedy", "random"), matches=MATCHES)
    series = tycoon.series.create(new, OWNER, None).doc.id
    while tycoon.series_queries.get(series, OWNER).progress.done < EARLY:
        time.sleep(0.5)
    early = _memory(running.events_url), _resident(running)
    store, worker = [early[0]], [early[1]]
    while tycoon.series_queries.get(series, OWNER).status == "running":
        store.append(_memory(running.events_url))
        worker.append(_resident(running))
        time.sleep(0.5)
    budget = f"<= 1.2 x of {EARLY:,} matches"
    return [
        Row(f"bytes of the store, most in {MATCHES:,} matches", [max(store)], [early[0]], budget),
        Row(f"bytes of the worker, most in {MATCHES:,} matches", [max(worker)], [early[1]], budget),
    ]


def beside_people(running: System, tycoon: Tycoon) -> Row:
    """p99 of POST move in matches with people, with a series running and with it paused."""
    crowd = Crowd(running, tycoon, FEW)
    series = tycoon.series.create(BESIDE, OWNER, None).doc.id

    def playing() -> float:
        tycoon.series.resume(series, OWNER)
        while not tycoon.series_queries.get(series, OWNER).progress.running:
            time.sleep(0.1)
        return crowd.p99()

    def idle() -> float:
        tycoon.series.pause(series, OWNER)
        while tycoon.series_queries.get(series, OWNER).progress.running:
            time.sleep(0.1)
        return crowd.p99()

    try:
        return alternate(
            f"p99 of POST move, ms: a series of {BESIDE.matches:,} running beside none",
            playing,
            idle,
            budget="<= 2 x",
        )
    finally:
        tycoon.series.delete(series, OWNER)


def run() -> list[Row]:
    with system(series=True) as running:
        tycoon = services(running.events_url)
        return [beside_people(running, tycoon), *memory(running, tycoon)]
