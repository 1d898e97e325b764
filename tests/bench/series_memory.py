"""What a long series costs the store, and its worker: the same after 2,000 matches and 20,000."""

from __future__ import annotations

import time

import psutil
import redis
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

from services.bootstrap import Tycoon
from services.series.spec import NewSeries
from tests.bench.commands import services
from tests.bench.harness import CONSOLE, Row
from tests.bench.system import System, system

SERIES = NewSeries(game="tictactoe", bots=("greedy", "random"), matches=20_000)
STEPS = 10
OWNER = "bench"


def _memory(url: str) -> float:
    with redis.Redis.from_url(url) as client:
        return float(client.info("memory")["used_memory"])


def _resident(running: System) -> float:
    top = psutil.Process(running.processes["series"].pid)
    return float(sum(p.memory_info().rss for p in [top, *top.children(recursive=True)]))


def memory(running: System, tycoon: Tycoon) -> list[Row]:
    """Most bytes over the whole series beside those after its first tenth."""
    before = _memory(running.events_url)
    series = tycoon.series.create(SERIES, OWNER, None).doc.id
    store: list[float] = []
    worker: list[float] = []
    early: tuple[float, float] | None = None
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=CONSOLE, transient=True) as bar:
        task = bar.add_task("", total=SERIES.matches)
        step = 1
        while True:
            doc = tycoon.series_queries.get(series, OWNER)
            done = doc.progress.done
            bar.update(task, completed=done)
            now = _memory(running.events_url), _resident(running)
            if early is not None:
                store.append(now[0])
                worker.append(now[1])
            while step <= STEPS and done >= step * SERIES.matches // STEPS:
                early = early or now
                told = f"{now[0] - before:+12,.0f} bytes of the store"
                bar.print(f"{100 * step // STEPS:3} %  {told}, {now[1]:,.0f} of the worker")
                step += 1
            if doc.status != "running":
                break
            time.sleep(0.5)
    assert early is not None, doc.status
    beside = f"beside those after {SERIES.matches // STEPS:,}"
    what = f"most in a series of {SERIES.matches:,} matches, {beside}"
    return [
        Row(f"bytes of the store, {what}", [max(store, default=now[0])], [early[0]], "<= 1.1 x"),
        Row(f"bytes of its worker, {what}", [max(worker, default=now[1])], [early[1]], "<= 1.2 x"),
    ]


def run() -> list[Row]:
    with system(series=True) as running:
        return memory(running, services(running.events_url))
