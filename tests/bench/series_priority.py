"""People who play beside a long series: it stands back, on one core and at `nice` 10."""

from __future__ import annotations

import time

from services.bootstrap import Tycoon
from services.series.spec import NewSeries
from tests.bench.commands import services
from tests.bench.harness import Row, alternate
from tests.bench.lengths import FEW, Crowd
from tests.bench.system import System, system

BESIDE = NewSeries(game="daifugo", bots=("greedy", *["random"] * 4), matches=5_000)
OWNER = "bench"
ROUNDS = 7


def beside_people(running: System, tycoon: Tycoon) -> Row:
    """p99 of POST move in matches of people, with a series running and with it paused."""
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
            rounds=ROUNDS,
        )
    finally:
        tycoon.series.delete(series, OWNER)


def run() -> list[Row]:
    with system(series=True) as running:
        return [beside_people(running, services(running.events_url))]
