"""Folding through Celery: a backlog of events is let go, beside one task per event.

Two shapes: few matches with many events each, and 10,000 matches with one event each. Both sides
have two worker processes, late acknowledgement and a prefetch of one; the workers are stopped while
the backlog is built. The control's task does one round trip to the store and no folding at all.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import redis

from services.matches.creation import NewMatch, NewSeat
from tests.bench.commands import services
from tests.bench.harness import Row, alternate
from tests.bench.servers import events_server
from tests.bench.system import stop, system
from tests.golden.library import paths, unpacked

MANY_EVENTS = 20
"""So many copies of the longest golden match."""
ONE_EVENT = 10_000
JOBS = 3_000
ROUNDS = 3
PEER = Path(__file__).parent / "peers" / "queue"


def drained(
    processes: list[subprocess.Popen[bytes]], fill: Callable[[], int], left: Callable[[], int]
) -> float:
    """Events a second from the moment that the workers are let go until nothing is left."""
    _signal(processes, signal.SIGSTOP)
    events = fill()
    begun = time.perf_counter()
    _signal(processes, signal.SIGCONT)
    while left():
        if time.perf_counter() - begun > 120:
            raise TimeoutError(f"{left()} are still there after two minutes")
        time.sleep(0.01)
    return events / (time.perf_counter() - begun)


def _signal(processes: list[subprocess.Popen[bytes]], number: int) -> None:
    for process in processes:
        top = psutil.Process(process.pid)
        for each in [top, *top.children(recursive=True)]:
            each.send_signal(number)


def marks(client: redis.Redis) -> int:
    """How many matches still need work."""
    pipe = client.pipeline(transaction=False)
    for number in range(256):
        pipe.zcard(f"{{p{number}}}:work")
    return sum(pipe.execute())


def run() -> list[Row]:
    longest = max(map(unpacked, paths("daifugo")), key=len)
    with system() as running, events_server() as url:
        workers = [p for name, p in running.processes.items() if name.startswith("worker")]
        client = redis.Redis.from_url(running.events_url)
        tycoon = services(running.events_url)
        person = NewSeat(kind="person")
        waiting = NewMatch(game="tictactoe", seats=(person, NewSeat(kind="open")))
        count = iter(range(1_000_000))

        def many() -> int:
            events = 0
            for _ in range(MANY_EVENTS):
                done = tycoon.importer.import_match(longest, f"owner{next(count)}")
                events += done.match.version
            return events

        def single() -> int:
            for _ in range(ONE_EVENT):
                tycoon.commands.create(waiting, "bench", None)
            return ONE_EVENT

        def product(fill: Callable[[], int]) -> float:
            return drained(workers, fill, lambda: marks(client))

        port = url.rpartition(":")[2].partition("/")[0]
        with _Peer(port) as peer:
            return [
                alternate(
                    f"folding, events/s, {MANY_EVENTS} matches with many events each",
                    lambda: product(many),
                    peer.drain,
                    budget=">= 5 x one Celery task per event",
                    rounds=ROUNDS,
                ),
                alternate(
                    f"folding, events/s, {ONE_EVENT:,} matches with one event each",
                    lambda: product(single),
                    peer.drain,
                    budget=">= 5 x one Celery task per event",
                    rounds=ROUNDS,
                ),
            ]


class _Peer:
    """Celery with one task per event, as in peers/queue."""

    def __init__(self, port: str) -> None:
        self._env = {
            **os.environ,
            "REDIS_PORT": port,
            "PREFETCH": "1",
            "ACKS_LATE": "1",
            "PYTHONPATH": str(PEER),
        }

    def __enter__(self) -> _Peer:
        os.environ.update(REDIS_PORT=self._env["REDIS_PORT"])
        sys.path.insert(0, str(PEER))
        import cel

        self._send = cel.job.delay
        self._client = redis.Redis(port=int(self._env["REDIS_PORT"]), db=1)
        options = [
            "-P",
            "prefork",
            "-c",
            "2",
            "--without-gossip",
            "--without-mingle",
            "--without-heartbeat",
            "-l",
            "ERROR",
        ]
        self._worker = subprocess.Popen(
            [sys.executable, "-m", "celery", "-A", "cel", "worker", *options],
            env=self._env,
            cwd=PEER,
        )
        self._send(time.time())
        until = time.monotonic() + 30
        while not self._client.llen("lat") and time.monotonic() < until:
            time.sleep(0.05)
        return self

    def __exit__(self, *_: object) -> None:
        stop(self._worker)

    def drain(self) -> float:
        self._client.delete("lat")

        def fill() -> int:
            for _ in range(JOBS):
                self._send(time.time())
            return JOBS

        return drained([self._worker], fill, lambda: JOBS - self._client.llen("lat"))
