"""The ticker: sweeps that never pile up, whatever the broker does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import structlog

from api.cli.servers import free_port
from shared.tasks import Unsent
from tests.shared.conftest import eventually
from worker.ticker import Ticker


class FakeBroker:
    """Takes sweeps, or is away."""

    def __init__(self) -> None:
        self.sweeps = 0
        self.away = False

    def sweep(self) -> None:
        if self.away:
            raise Unsent("away")
        self.sweeps += 1


@contextmanager
def ticking(broker_url: str, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    env = {**os.environ, "TYCOON_BROKER_URL": broker_url}
    command = [sys.executable, "-m", "worker.ticker"]
    with log.open("wb") as out, subprocess.Popen(command, env=env, stderr=out) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_broker_that_is_away_is_told_once_and_asked_again() -> None:
    broker = FakeBroker()
    with structlog.testing.capture_logs() as lines:
        ticker = Ticker(broker.sweep)
        ticker.tick()
        broker.away = True
        for _ in range(5):
            ticker.tick()
        broker.away = False
        ticker.tick()
        ticker.tick()
    assert broker.sweeps == 3
    assert [line["event"] for line in lines] == ["broker away", "broker back"]


def test_it_asks_for_sweeps_and_a_signal_ends_it_at_once(
    real_redis: Any, redis_url: str, tmp_path: Path
) -> None:
    with ticking(redis_url, tmp_path / "log") as ticker:
        eventually(lambda: real_redis.llen("ops") >= 3, within_s=20)
        began = time.monotonic()
        ticker.send_signal(signal.SIGTERM)
        assert ticker.wait(5) == 0
        assert time.monotonic() - began < 1


def test_it_lives_on_without_a_broker(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with ticking(f"redis://127.0.0.1:{free_port()}/0", log) as ticker:
        eventually(lambda: "broker away" in log.read_text(), within_s=20)
        assert_runs_on(ticker)
        ticker.send_signal(signal.SIGINT)
        assert ticker.wait(5) == 0


def assert_runs_on(process: subprocess.Popen[bytes], for_s: float = 1.5) -> None:
    try:
        code = process.wait(for_s)
    except subprocess.TimeoutExpired:
        return
    raise AssertionError(f"it ended with {code}")
