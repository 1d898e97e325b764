"""The tasks: thin, repeatable, in any order. Which queue each is on, `shared/tasks.py` says."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import structlog
from celery import Celery
from celery.exceptions import Reject

from services.projections.rebuilding import Part
from shared.correlation import HEADER, correlated, of, read
from shared.errors import Unavailable
from shared.store_files import Rewriting
from shared.tasks import (
    ADVANCE,
    CLEAN,
    ERASE,
    HARD_LIMIT_S,
    HINT,
    QUEUES,
    REBUILD,
    RETAIN,
    SERIES,
    SOFT_LEAD_S,
    SWEEP,
    THINK,
    TIME_OUT,
    Unsent,
)
from worker.metrics import running
from worker.process import Process, now_ms

AGAIN_S = 1.0
"""Pause before a part of a rebuild is tried again."""

UNTIMED = (THINK, HINT)
"""How long is thought at a match nobody learns before its end, from no log either."""

Line = dict[str, Any]
"""What a task's line in the log tells."""

log = structlog.stdlib.get_logger("worker.tasks")


class Tasks:
    """What each task does, with the services of its process."""

    def __init__(self, process: Process) -> None:
        self._process = process

    def advance(self, ids: list[str]) -> Line:
        """Folds these matches and plays their bots."""
        return {"looked_at": self._process.tycoon.advancer.advance(ids)}

    def think(self, match_id: str, version: int) -> Line:
        """One long thought of a bot."""
        played = self._process.tycoon.thinker.think(match_id, version)
        if played:
            self._process.wake(match_id)
        return {"version": version, "played": played}

    def hint(self, match_id: str, seat: int, version: int) -> Line:
        """One hint for whoever asked for it."""
        answered = self._process.tycoon.hinter.think(match_id, seat, version)
        return {"version": version, "answered": answered}

    def time_out(self, ids: list[str]) -> Line:
        """Lets the clock act on these matches."""
        return {"timed_out": self._process.tycoon.timekeeper.time_out_all(ids)}

    def sweep(self) -> Line:
        """Hands out what is ready."""
        swept = self._process.sweeper.sweep()
        return {"advance": swept.advance, "time_out": swept.time_out, "series": swept.series}

    def series(self, series_id: str) -> Line:
        """Some chunks of a series, then asks for more: series come to their turn one by one."""
        slices = self._process.tycoon.series_worker.work(series_id)
        if slices and not self._process.stopping():
            self._process.play_on(series_id)
        return {"slices": slices}

    def clean(self) -> Line:
        """Removes what is left of deleted series."""
        return {"series": self._process.tycoon.series_cleaner.clean()}

    def retain(self, until: int) -> Line:
        """Archives and removes what is due, then asks for more: series come to their turn, too."""
        retention = self._process.tycoon.retention
        done = retention.carry_out()
        more = any(done.values()) and retention.is_due()
        if more and now_ms() < until and not self._process.stopping():
            self._process.retain_on(until)
        return dict(done)

    def erase(self) -> Line:
        """Erases names that are too old, and sees to what follows an erasure."""
        erased, settled = self._process.tycoon.eraser.work()
        files = self._process.tycoon.rewriter.work()
        if files is Rewriting.REFUSED:
            log.warning("files not written anew", command=ERASE)
        return {"erased": erased, "settled": settled, "files": files and files.value}

    def rebuild(self, generation: int, *part: Any) -> Line:
        """A part of a partition, then asks for the next one: a rebuild never fills the queue."""
        here = Part(*part)
        try:
            rebuilding = self._process.tycoon.rebuilding
            being_built = rebuilding.being_built(generation)
            following = rebuilding.rebuild(generation, here) if being_built else None
            if following is not None:
                self._process.sender.rebuild(generation, *following)
        except (Unavailable, Unsent) as away:
            # Nothing else would take it up again, so the task itself goes back to its queue.
            self._process.away(REBUILD, away)
            time.sleep(AGAIN_S)
            raise Reject(away, requeue=True) from away
        return {
            "generation": generation,
            "partition": here.partition,
            "superseded": not being_built,
        }


def register(app: Celery, process: Process) -> None:
    """Gives the app its tasks, which find the services of their process in `process`."""
    tasks = Tasks(process)
    works: dict[str, Callable[..., Line]] = {
        ADVANCE: tasks.advance,
        THINK: tasks.think,
        HINT: tasks.hint,
        TIME_OUT: tasks.time_out,
        SWEEP: tasks.sweep,
        REBUILD: tasks.rebuild,
        SERIES: tasks.series,
        CLEAN: tasks.clean,
        RETAIN: tasks.retain,
        ERASE: tasks.erase,
    }
    for name, work in works.items():
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


def _watched(name: str, work: Callable[..., Line], process: Process) -> Callable[..., None]:
    """A task's body with its log line. A task that fails is over: the marks are still there."""

    def run(self: Any, *args: Any) -> None:
        with correlated(self.request.root_id, read(self.request.get(HEADER))):
            carry_out(*args)

    def carry_out(*args: Any) -> None:
        began = time.monotonic()
        result = "failed"
        running.set(name)
        try:
            done = work(*args)
            result = "done"
        except (Unavailable, Unsent) as away:
            result = "away"
            process.away(name, away)
            return
        except Reject:
            result = "again"
            raise
        except Exception as failed:  # Celery would log the text, which may hold what is hidden
            process.failed(name, failed)
            return
        finally:
            process.metrics.task(name, result, time.monotonic() - began)
            process.beat()
        process.back()
        # Sweeps come five times a second: only those that found something are worth a line.
        tell = log.info if any(done.values()) else log.debug
        took = {} if name in UNTIMED else {"duration_ms": _ms_since(began)}
        tell("task", command=name, correlation=of(), **took, **_named(name, args), **done)

    return run


def _named(name: str, args: tuple[Any, ...]) -> Line:
    """What a task is about: its match, or how many, with all requests that asked for them."""
    match args:
        case ([only],):
            return {"match": only}
        case (list(ids),):
            asked = {of(match) for match in ids}
            others = {"correlations": sorted(filter(None, asked))} if len(asked) > 1 else {}
            return {"matches": len(ids), **others}
        case (str(only), *_):
            return {"series" if name == SERIES else "match": only}
    return {}


def _ms_since(began: float) -> float:
    return round((time.monotonic() - began) * 1000, 1)
