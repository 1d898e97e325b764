"""A whole system for benchmarks: servers, API and, where wanted, workers and ticker."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from api.cli.servers import EmbeddedServer, find_server, free_port

API_KEY = "tyk_benchkey_" + "b" * 32
REPO = Path(__file__).parents[2]
PROCESSES, THREADS = 2, 8
"""Of the API, on both sides."""
WORKER = ["-m", "worker", "--queues", "advance,ops", "--concurrency", "2"]
TICKER = ["-m", "worker.ticker"]
SERIES = ["-m", "worker", "--queues", "series", "--concurrency", "1", "--nice", "10"]


@dataclass(slots=True)
class System:
    """Addresses and processes of what runs."""

    port: int
    events_url: str
    broker_url: str
    env: dict[str, str] = field(default_factory=dict)
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def call(self, method: str, path: str, body: Any = None, token: str = API_KEY) -> Any:
        """One request, decoded; raises for a refusal."""
        asked = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
            method=method,
        )
        with urllib.request.urlopen(asked, timeout=30) as answer:
            return json.load(answer)

    def cpu(self) -> dict[str, float]:
        """CPU seconds that each process has used so far, with its children."""
        return {name: _cpu(process.pid) for name, process in self.processes.items()}


def _cpu(pid: int) -> float:
    top = psutil.Process(pid)
    times = [p.cpu_times() for p in [top, *top.children(recursive=True)]]
    return sum(t.user + t.system for t in times)


@contextmanager
def system(
    *, workers: bool = True, ticker: bool = False, series: bool = False, fsync: str = "always"
) -> Iterator[System]:
    """Starts it all on free ports in a temporary folder, and stops it at the end.

    `ticker` is for who brings workers along; `series` adds a worker for series.
    """
    program = find_server(os.environ).path
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        events = stack.enter_context(
            EmbeddedServer(program, free_port(), folder / "events", "events")
        )
        broker = stack.enter_context(
            EmbeddedServer(program, free_port(), folder / "broker", "broker")
        )
        _set_fsync(events.url, fsync)
        running = System(free_port(), events.url, broker.url)
        env = running.env = {
            **os.environ,
            "PYTHONPATH": str(REPO),
            "TYCOON_SERVER_KEY": "bench" * 8,
            "TYCOON_BOOTSTRAP_API_KEY": API_KEY,
            "TYCOON_EVENTS_URL": events.url,
            "TYCOON_BROKER_URL": broker.url,
            "TYCOON_HTTP_PORT": str(running.port),
            "TYCOON_HTTP_WORKERS": str(PROCESSES),
            "TYCOON_HTTP_THREADS": str(THREADS),
            "TYCOON_OPEN_MATCHES_LIMIT": "100000",
            "TYCOON_RATE_PER_KEY": "",
            "TYCOON_RATE_PER_SEAT": "",
            "TYCOON_DATA_DIR": str(folder),
            "TYCOON_EXTRA_GAMES": "tests.toys.tictactoe:GAME",
            "TYCOON_LOG_LEVEL": "warning",
        }
        _start(stack, running, "api", ["-m", "api"], env)
        if workers:
            _start(stack, running, "worker", WORKER, env)
        if workers or ticker:
            _start(stack, running, "worker.ticker", TICKER, env)
        if series:
            _start(stack, running, "series", SERIES, env)
        wait_for(running.port, "/readyz")
        yield running


def granian(target: str, port: int) -> list[str]:
    """The command that a control is served by, as many processes and threads as the product."""
    size = ["--workers", str(PROCESSES), "--blocking-threads", str(THREADS)]
    options = [*size, "--no-ws", "--log-level", "warning"]
    return ["-m", "granian", "--interface", "wsgi", "--port", str(port), *options, target]


def _start(
    stack: ExitStack, running: System, name: str, command: Sequence[str], env: dict[str, str]
) -> None:
    process = subprocess.Popen([sys.executable, *command], env=env, stdout=subprocess.DEVNULL)
    running.processes[name] = process
    stack.callback(stop, process)


def stop(process: subprocess.Popen[bytes]) -> None:
    """Asks it to end, and insists after a while."""
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def wait_for(port: int, path: str, deadline_s: float = 30) -> None:
    """Until the server answers with a success."""
    until = time.monotonic() + deadline_s
    while True:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=1).close()
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
        else:
            return


def _set_fsync(url: str, fsync: str) -> None:
    import redis  # the product's own adapters have no such command

    with redis.Redis.from_url(url) as client:
        client.config_set("appendfsync", fsync)
