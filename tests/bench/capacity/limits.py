"""What gives first: each part as it is shipped, against the target."""

from __future__ import annotations

import math
from typing import NamedTuple

from tests.bench.capacity.model import PLANNED, Model
from worker.sweeping import BATCH, QUEUED
from worker.ticker import EVERY_S

MACHINE_GIB = 64
"""Of one machine for a store, where a single one must do."""


class Limit(NamedTuple):
    """A part as it is shipped, and the share of the target at which it gives."""

    part: str
    share: float
    shipped: str
    change: str


def limits(model: Model) -> list[Limit]:
    """Every part, what gives first at the top."""
    shipped, target = model.shipped, model.target
    memory = MACHINE_GIB / 2 / model.open_gib
    found = [
        Limit(
            "sweeps, by their own time",
            model.swept / target.moves,
            f"{shipped.ops_processes} processes of `worker-ops`, "
            f"{model.full_sweep.ms:,.0f} ms for {model.full_sweep.marks:,} matches",
            f"{math.ceil(model.sweepers / PLANNED)} processes",
        ),
        Limit(
            "sweeps, by the ticks",
            model.ticked / target.moves,
            f"1 ticker, {1 / EVERY_S:.0f} sweeps/s of {QUEUED} x {BATCH} matches",
            f"{model.tickers} tickers",
        ),
        Limit(
            "folding",
            shipped.advance_cores / model.cores("worker"),
            f"{shipped.advance_cores:.0f} cores of `worker-advance`",
            f"{math.ceil(model.cores('worker') / PLANNED)} cores",
        ),
        Limit(
            "the API",
            shipped.api_cores / model.cores("api"),
            f"{shipped.api_pods} pods of {shipped.api_cores / shipped.api_pods:.0f} cores",
            f"{math.ceil(model.cores('api') / PLANNED)} cores: `maxReplicas`",
        ),
        Limit(
            "the store's core",
            1 / (model.cores("events") + model.sweeping_cores),
            "one server, every sweep full",
            "a cluster",
        ),
        Limit(
            "the store's memory",
            memory,
            f"one server of {MACHINE_GIB} GiB, half of it for a rewrite",
            "a cluster; idempotency records that end before their match",
        ),
        Limit(
            "rows of lists on one core",
            1 / model.lists_cores(),
            f"{model.rows_a_second():,.0f} rows/s, all in one place where the store is one",
            "a cluster: eight places; then lists in parts",
        ),
        Limit(
            "the broker's core",
            1 / max(model.cores("broker"), 1e-9),
            f"one server, {model.tasks:,.0f} tasks/s",
            "nothing: it can't be a cluster; larger batches",
        ),
    ]
    return sorted(found, key=lambda limit: limit.share)
