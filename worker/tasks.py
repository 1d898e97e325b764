"""The tasks: thin, repeatable, in any order. Which queue each is on, `shared/tasks.py` says."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import structlog
from celery import Celery
from celery.exceptions import Reject

from shared.errors import Corrupt, Unavailable
from shared.store import PARTITIONS
from shared.tasks import (
    ADVANCE,
    HARD_LIMIT_S,
    QUEUES,
    REBUILD,
    SOFT_LEAD_S,
    SWEEP,
    THINK,
    TIME_OUT,
    Unsent,
)
from worker.process import Process

AGAIN_S = 1.0
"""Pause before a part of a rebuild is tried again."""

log = structlog.stdlib.get_logger("worker.tasks")


def register(app: Celery, process: Process) -> None:
    """Gives the app its tasks, which find the services of their process in `process`."""

    def task(name: str, work: Callable[..., dict[str, Any]]) -> None:
        make = app.task(
            name=name,
            bind=True,
            shared=False,  # with no other app of this process
            acks_late=True,
            reject_on_worker_lost=True,
            ignore_result=True,
            soft_time_limit=HARD_LIMIT_S[QUEUES[name]] - SOFT_LEAD_S,
            time_limit=HARD_LIMIT_S[QUEUES[name]],
        )
        make(_watched(name, work, process))

    def advance(ids: list[str]) -> dict[str, Any]:
        return {"matches": len(ids), "looked_at": process.tycoon.advancer.advance(ids)}

    def think(match_id: str, version: int) -> dict[str, Any]:
        played = process.tycoon.thinker.think(match_id, version)
        if played:
            process.wake(match_id)
        return {"match": match_id, "version": version, "played": played}

    def time_out(ids: list[str]) -> dict[str, Any]:
        return {"matches": len(ids), "timed_out": sum(map(time_out_one, ids))}

    def time_out_one(match_id: str) -> bool:
        try:
            return process.tycoon.timekeeper.time_out(match_id)
        except Corrupt as broken:
            process.report(match_id, broken)
            return False

    def sweep() -> dict[str, Any]:
        swept = process.sweeper.sweep()
        return {"advance": swept.advance, "time_out": swept.time_out}

    def rebuild(generation: int, partition: int) -> dict[str, Any]:
        """One partition, then asks for the next one: a rebuild never fills the queue."""
        try:
            being_built = process.tycoon.rebuilding.being_built(generation)
            if being_built:
                process.tycoon.rebuilding.rebuild(generation, partition)
                if partition + 1 < PARTITIONS:
                    process.sender.rebuild(generation, partition + 1)
        except (Unavailable, Unsent) as away:
            # Nothing else would take it up again, so the task itself goes back to its queue.
            process.away(REBUILD, away)
            time.sleep(AGAIN_S)
            raise Reject(away, requeue=True) from away
        return {"generation": generation, "partition": partition, "superseded": not being_built}

    task(ADVANCE, advance)
    task(THINK, think)
    task(TIME_OUT, time_out)
    task(SWEEP, sweep)
    task(REBUILD, rebuild)


def _watched(
    name: str, work: Callable[..., dict[str, Any]], process: Process
) -> Callable[..., None]:
    """A task's body with its log line; without the servers it gives up, and a sweep comes again."""

    def run(self: Any, *args: Any) -> None:
        began = time.monotonic()
        try:
            done = work(*args)
        except (Unavailable, Unsent) as away:
            process.away(name, away)
            return
        finally:
            process.beat()
        process.back()
        # Sweeps come five times a second: only those that found something are worth a line.
        tell = log.info if any(done.values()) else log.debug
        tell(
            name,
            duration_ms=round((time.monotonic() - began) * 1000, 1),
            correlation=self.request.root_id,
            **done,
        )

    return run
