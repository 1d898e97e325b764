"""What one process of a worker holds: services, made when they are first used.

The first use is in a pool's child, never in the parent that forks it, so that no connection is
shared by two processes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path

import structlog

from services.bootstrap import Stores, Tycoon, build
from services.matches import thinking
from services.matches.limits import limit
from services.series import working
from shared import correlation
from shared.errors import places
from shared.series_store import Held
from shared.settings import Settings
from shared.tasks import Sender, Unsent
from shared.work_queue import Lease
from worker.holding import Holder
from worker.metrics import Metrics
from worker.sweeping import Sweeper

log = structlog.stdlib.get_logger("worker")


class Process:
    """Services, and how the process tells of trouble."""

    def __init__(
        self,
        settings: Settings,
        sender: Sender,
        stores: Callable[[Settings], Stores],
        *,
        heartbeat: Path | None = None,
        stopping: Callable[[], bool] = lambda: False,
        metrics: Metrics | None = None,
    ) -> None:
        self._settings = settings
        self.sender = sender
        self._make_stores = stores
        self._heartbeat = heartbeat
        self.stopping = stopping
        self.metrics = Metrics() if metrics is None else metrics
        self._away = False

    @cached_property
    def tycoon(self) -> Tycoon:
        """Every service."""
        stores = self._make_stores(self._settings)

        def renew(lease: Lease) -> Lease | None:
            return stores.work.renew(lease, lease_ms=thinking.LEASE_MS)

        def renew_chunk(held: Held) -> Held | None:
            return held if stores.series.renew(held, lease_ms=working.LEASE_MS) else None

        return build(
            self._settings,
            stores,
            clock=now_ms,
            wake=self.wake,
            think=self.think,
            report=self.report,
            limit=limit,
            series_limit=partial(limit, stop=self.stopping),
            report_series=self.report_series,
            hold=Holder(renew, every_s=thinking.LEASE_MS / 3000),
            hold_chunk=Holder(renew_chunk, every_s=working.LEASE_MS / 3000),
            wait=wait_ms,
            stopping=self.stopping,
            observer=self.metrics,
            sliced=self.metrics.sliced,
        )

    @cached_property
    def sweeper(self) -> Sweeper:
        """Hands out what is ready."""
        tycoon, stores = self.tycoon, self.tycoon.stores

        def erasing_is_due() -> bool:
            return tycoon.eraser.is_due() or tycoon.rewriter.is_due()

        return Sweeper(
            stores.work,
            stores.series,
            self.sender,
            now_ms,
            retention_is_due=tycoon.retention.is_due,
            erasing_is_due=erasing_is_due,
        )

    def wake(self, match_id: str) -> None:
        """Asks for a match's work to be done soon; a sweep finds what was not asked for."""
        try:
            self.sender.advance([match_id])
        except Unsent as away:
            self.away("wake", away)

    def think(self, match_id: str, version: int) -> None:
        """Asks for one long thought; the mark asks again."""
        try:
            self.sender.think(match_id, version)
        except Unsent as away:
            self.away("think", away)

    def play_on(self, series_id: str) -> None:
        """Asks for more of a series to be played; a sweep finds what was not asked for."""
        try:
            self.sender.series(series_id)
        except Unsent as away:
            self.away("series", away)

    def retain_on(self, until: int) -> None:
        """Asks for more to be archived; a sweep asks again."""
        try:
            self.sender.retain(until)
        except Unsent as away:
            self.away("retain", away)

    def report(self, match_id: str, broken: Exception) -> None:
        """Tells of a match that something went wrong at: where, and never with which values."""
        self.metrics.broken(broken)
        log.error(
            "match failed",
            match=match_id,
            error=type(broken).__name__,
            where=places(broken),
            correlation=correlation.of(match_id),
        )

    def report_series(self, series: str, match: int | None, broken: Exception) -> None:
        """The same of a series, and of the match in it that broke off."""
        log.error(
            "series failed",
            series=series,
            match=match,
            error=type(broken).__name__,
            where=places(broken),
        )

    def failed(self, task: str, error: Exception) -> None:
        """Tells of a task that failed as a whole."""
        log.error(
            "task failed",
            command=task,
            error=type(error).__name__,
            where=places(error),
            correlation=correlation.of(),
        )

    def away(self, task: str, error: Exception) -> None:
        """Tells once that a server is away."""
        if not self._away:
            log.warning("server away", command=task, error=str(error))
        self._away = True

    def back(self) -> None:
        """Tells once that the servers can be reached again."""
        if self._away:
            log.warning("servers back")
        self._away = False

    def beat(self) -> None:
        """A task came and went, whatever came of it: the worker gets its tasks."""
        if self._heartbeat is not None:
            self._heartbeat.touch()


def now_ms() -> int:
    """The clock of every process: ms since 1970."""
    return time.time_ns() // 1_000_000


def wait_ms(ms: int) -> None:
    """Passes time; none if `ms` is not positive."""
    time.sleep(max(ms, 0) / 1000)
