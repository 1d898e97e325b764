"""What a host asks of its series, over the fake world."""

from __future__ import annotations

from typing import Any

from services.series.documents import SeriesDoc
from services.series.spec import NewSeries
from tests.services.series.table import SEED
from tests.services.world import World


def asked(**more: Any) -> NewSeries:
    given = {"game": "tictactoe", "bots": ("greedy", "random"), "matches": 6, "seed": SEED}
    return NewSeries(**{**given, **more})


def create(world: World, **more: Any) -> SeriesDoc:
    return world.tycoon.series.create(asked(**more), "host", None).doc


def get(world: World, series: str) -> SeriesDoc:
    return world.tycoon.series_queries.get(series, "host")


def play(world: World, series: str) -> SeriesDoc:
    world.tycoon.series_worker.work(series)
    return get(world, series)
