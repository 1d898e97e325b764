"""A worker that is deaf is told from one that is busy, idle, or without a broker."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import structlog

from shared.tasks import Unsent
from tests.shared.conftest import eventually
from worker.progress import EVERY_S, PATIENCE_S, Progress, Ticking


class FakeWorker:
    """What a worker sees of itself."""

    def __init__(self) -> None:
        self.time = 0.0
        self.waiting = 0
        self.done = 0
        self.idle = True
        self.broker_away = False
        self.progress = Progress(
            queued=self.queued,
            taken=lambda: self.done,
            free=lambda: self.idle,
            now=lambda: self.time,
        )

    def queued(self) -> int:
        if self.broker_away:
            raise Unsent("away")
        return self.waiting

    def passes(self, seconds: float, each: Callable[[], None] = lambda: None) -> None:
        for _ in range(round(seconds / EVERY_S)):
            self.time += EVERY_S
            each()
            self.progress.look()


@pytest.fixture
def worker() -> FakeWorker:
    return FakeWorker()


def test_a_deaf_worker_is_told_after_a_while(worker: FakeWorker) -> None:
    worker.waiting = 3
    worker.passes(PATIENCE_S)
    assert worker.progress.trouble() is None
    worker.passes(EVERY_S)
    assert worker.progress.trouble() == "Tasks wait and a process is free, but none is taken."


def test_taking_one_task_is_progress(worker: FakeWorker) -> None:
    worker.waiting = 3
    worker.passes(2 * PATIENCE_S)
    worker.done += 1
    worker.passes(EVERY_S)
    assert worker.progress.trouble() is None
    worker.passes(PATIENCE_S)
    assert worker.progress.trouble() is None


def test_one_that_nobody_asks_anything_is_fine(worker: FakeWorker) -> None:
    worker.passes(10 * PATIENCE_S)
    assert worker.progress.trouble() is None


def test_one_whose_processes_all_think_is_fine(worker: FakeWorker) -> None:
    worker.waiting, worker.idle = 100, False
    worker.passes(10 * PATIENCE_S)
    assert worker.progress.trouble() is None


def test_a_broker_that_is_away_is_not_its_fault(worker: FakeWorker) -> None:
    worker.waiting, worker.broker_away = 100, True
    worker.passes(10 * PATIENCE_S)
    assert worker.progress.trouble() is None
    worker.broker_away = False
    worker.passes(PATIENCE_S)  # back again, and it has time to take up its work
    assert worker.progress.trouble() is None
    worker.passes(EVERY_S)
    assert worker.progress.trouble() is not None


def test_a_busy_worker_does_not_ask_the_broker(worker: FakeWorker) -> None:
    def take() -> None:
        worker.done += 1

    worker.queued = None  # type: ignore[assignment]  # to call it would raise
    worker.passes(PATIENCE_S, each=take)
    assert worker.progress.trouble() is None


def test_a_ticker_that_does_not_come_round_is_told() -> None:
    now = [0.0]
    ticking = Ticking(now=lambda: now[0])
    now[0] = PATIENCE_S
    assert ticking.trouble() is None
    now[0] += 1
    assert ticking.trouble() == "No sweep was tried for a while."
    ticking.came_round()
    assert ticking.trouble() is None


def test_an_error_that_nobody_expects_ends_no_watch(
    worker: FakeWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def queued() -> int:
        asked.append(1)
        raise RuntimeError("hidden")

    monkeypatch.setattr("worker.progress.EVERY_S", 0.005)
    progress = Progress(queued=queued, taken=lambda: 0, free=lambda: len(asked) < 3)
    with structlog.testing.capture_logs() as lines:
        progress.watch()
        eventually(lambda: len(asked) == 3)
        eventually(lambda: len(lines) == 3)
    assert {line["error"] for line in lines} == {"RuntimeError"}
    assert "hidden" not in repr(lines)
