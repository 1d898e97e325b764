"""Memory and CPU of every process under a small load: what `k8s/` and the compose file ask for.

`python -m tests.bench.footprint [SECONDS]`. Sizes are proportional (PSS): what forked processes
share counts once, as it does for a container. Bots play, and five people play through the API.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from rich.table import Table

from shared.tasks import HARD_LIMIT_S
from tests.bench.harness import CONSOLE
from tests.bench.http import _matches as people
from tests.bench.load import client
from tests.bench.processes import cpu, trees
from tests.bench.system import REPO, System, stop, system

CONNECTIONS = 5
SERVER_KEY = "bench" * 8
"""As the system's API has it."""

BOTS_EVERY_S = 0.25
"""A match of five bots is made so often; two levels, so that long thoughts come too."""

BOTS = {
    "game": "daifugo",
    "seats": [{"kind": "bot", "level": "greedy"}] * 3 + [{"kind": "bot", "level": "random"}] * 2,
    "options": {"rounds": 1},
    "pace_ms": 0,
}


def measure(running: System, seconds: float) -> dict[str, tuple[float, float, float]]:
    """Highest PSS in MiB, mean and highest cores of a second, by process."""
    groups = trees(running)
    sizes: dict[str, float] = dict.fromkeys(groups, 0.0)
    rates: dict[str, list[float]] = {name: [] for name in groups}
    used = {name: cpu(group) for name, group in groups.items()}
    last = begun = time.monotonic()
    while last < begun + seconds:
        time.sleep(1)
        now = time.monotonic()
        for name, group in groups.items():
            size = sum(p.memory_full_info().pss for p in group) / 2**20
            sizes[name] = max(sizes[name], size)
            spent = cpu(group)
            rates[name].append((spent - used[name]) / (now - last))
            used[name] = spent
        last = now
    return {n: (sizes[n], sum(rates[n]) / len(rates[n]), max(rates[n])) for n in groups}


@contextmanager
def playing(running: System) -> Iterator[None]:
    """The load, in threads, for as long as the block lasts."""
    over = threading.Event()

    def bots() -> None:
        while not over.wait(BOTS_EVERY_S):
            running.call("POST", "/v1/matches", BOTS)

    def persons(first: int) -> Iterator[bytes]:
        for request in people(running, iter(range(first, first + 10_000))):
            if over.wait(0.05):
                return
            yield request

    def move() -> None:
        rows = [persons(1 + n * 10_000) for n in range(CONNECTIONS)]
        client.run(running.port, rows, limit_s=3_600)

    threads = [threading.Thread(target=target) for target in (bots, move)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


@contextmanager
def with_workers(running: System) -> Iterator[None]:
    """A worker for each queue, and the ticker, beside the API and the servers."""
    commands = {
        queue: ["-m", "worker", "--queues", queue, "--concurrency", str(1 + (queue == "advance"))]
        for queue in HARD_LIMIT_S
    }
    env = {
        **os.environ,
        "PYTHONPATH": str(REPO),
        "TYCOON_SERVER_KEY": SERVER_KEY,
        "TYCOON_EVENTS_URL": running.events_url,
        "TYCOON_BROKER_URL": running.broker_url,
        "TYCOON_LOG_LEVEL": "warning",
    }
    with ExitStack() as stack:
        for name, command in {**commands, "ticker": ["-m", "worker.ticker"]}.items():
            process = subprocess.Popen([sys.executable, *command], env=env)
            running.processes[name] = process
            stack.callback(stop, process)
        yield


def main(seconds: float) -> None:
    with system(workers=False) as running, with_workers(running):
        idle = measure(running, 5)
        with playing(running):
            busy = measure(running, seconds)
    table = Table(title=f"python -m tests.bench.footprint {seconds:g}")
    for name in ("process", "idle MiB", "busy MiB", "cores, mean", "cores, highest second"):
        table.add_column(name)
    for name, (size, mean, most) in busy.items():
        table.add_row(name, f"{idle[name][0]:.0f}", f"{size:.0f}", f"{mean:.2f}", f"{most:.2f}")
    CONSOLE.print(table)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 30)
