"""What sweeps and lists cost the two servers, and what a sync of the disk takes."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import redis

from api.cli.servers import EmbeddedServer, find_server, free_port
from services.projections.projector import LOBBY
from shared.list_store import Entry
from shared.redis_client import connect
from shared.redis_keys import partition_keys
from shared.redis_lists import RedisLists
from shared.redis_series import RedisSeries
from shared.redis_work import RedisWork
from shared.settings import Settings
from shared.store import PARTITIONS
from shared.tasks import Sender, broker_app
from tests.bench.capacity.constants import Lists, Sweep
from tests.bench.load.sizes import bar
from worker.sweeping import Sweeper

MARKS = (0, 50, 250, 1_000)
TIMES = 20
ROWS = (1_000, 100_000)
WRITES = 2_000
BATCH = 50
ROW = b"x" * 700
"""About as long as a lobby's row; what is in it the server does not look at."""
SYNCS = 300


@contextmanager
def both() -> Iterator[tuple[EmbeddedServer, EmbeddedServer]]:
    """An events store and a broker as they are shipped."""
    program = find_server(os.environ).path
    with (
        tempfile.TemporaryDirectory() as folder,
        EmbeddedServer(program, free_port(), Path(folder) / "events", "events") as events,
        EmbeddedServer(program, free_port(), Path(folder) / "broker", "broker") as broker,
    ):
        yield events, broker


def sweeps() -> list[Sweep]:
    """Sweeps that find no, some and as many marks as one hands out."""
    with both() as (events, broker):
        settings = Settings(events_url=events.url, broker_url=broker.url, server_key="x" * 40)
        client = connect(events.url, timeout_ms=5_000)
        sender = Sender(broker_app(settings))
        work, series = RedisWork(client), RedisSeries(client)
        sweeper = Sweeper(
            work,
            series,
            sender,
            lambda: int(time.time() * 1_000),
            retention_is_due=lambda: False,
            erasing_is_due=lambda: False,
        )
        with redis.Redis.from_url(events.url) as raw, redis.Redis.from_url(broker.url) as queue:
            sweeper.sweep()  # connects, and loads the scripts

            def before(marks: int) -> None:
                queue.flushall()
                raw.flushall()
                if marks:
                    _mark(raw, marks)

            with bar("sweeps", len(MARKS)) as told:
                found = []
                for marks in MARKS:
                    found.append(_sweep(sweeper, marks, before, events, broker))
                    told(1)
        client.close()
        return found


def _sweep(
    sweeper: Sweeper,
    marks: int,
    before: Callable[[int], None],
    events: EmbeddedServer,
    broker: EmbeddedServer,
) -> Sweep:
    seconds, store_s, broker_s = [], 0.0, 0.0
    for _ in range(TIMES):
        before(marks)
        used = _cpu(events), _cpu(broker)
        begun = time.perf_counter()
        handed_out = sweeper.sweep().advance
        seconds.append(time.perf_counter() - begun)
        store_s += _cpu(events) - used[0]
        broker_s += _cpu(broker) - used[1]
        assert handed_out == marks, f"{handed_out} of {marks} were handed out"
    return Sweep(
        marks=marks,
        ms=statistics.median(seconds) * 1_000,
        store_ms=store_s / TIMES * 1_000,
        broker_ms=broker_s / TIMES * 1_000,
    )


def _mark(raw: redis.Redis, marks: int) -> None:
    """Marks that have waited for a second, spread over all partitions."""
    ready = (int(time.time()) - 1) * 1_000_000  # its remainder by 4 says: waiting
    pipe = raw.pipeline(transaction=False)
    for number in range(marks):
        pipe.zadd(partition_keys(number % PARTITIONS).work, {f"m_{number:026d}": ready})
    pipe.execute()


def lists() -> list[Lists]:
    """A lobby of few and of many matches: what one more row costs."""
    with both() as (events, _), redis.Redis.from_url(events.url) as raw:
        client = connect(events.url, timeout_ms=5_000)
        store = RedisLists(client)
        found = []
        for rows in ROWS:
            raw.flushall()
            with bar(f"a list of {rows:,}", rows) as told:
                for first in range(0, rows, BATCH):
                    _write(store, first, version=1)
                    told(BATCH)
            size = sum(raw.memory_usage(key, samples=0) or 0 for key in raw.scan_iter("{lobby*"))
            begun = _cpu(events)
            for first in range(0, WRITES, BATCH):
                _write(store, first * 7 % rows, version=2 + first)
            spent = _cpu(events) - begun
            found.append(Lists(rows, spent / WRITES * 1e6, size / rows))
        client.close()
        return found


def _write(store: RedisLists, first: int, *, version: int) -> None:
    """A batch as a task of folding writes it; each match is in five lists."""
    names = frozenset({"key:bench", "key:bench:running", "public", "public:running", "all:running"})
    rows = [
        Entry(match=f"m_{n:026d}", version=version, created_at=n, data=ROW, lists=names)
        for n in range(first, first + BATCH)
    ]
    store.upsert_many([(LOBBY, "bench", 1, row) for row in rows])


def fsync_us() -> float:
    """Writing a page of a log and syncing it, where the servers of benchmarks keep theirs."""
    with tempfile.NamedTemporaryFile() as file:
        seconds = []
        for _ in range(SYNCS):
            file.write(b"x" * 4_096)
            file.flush()
            begun = time.perf_counter()
            os.fdatasync(file.fileno())
            seconds.append(time.perf_counter() - begun)
    return statistics.median(seconds) * 1e6


def _cpu(server: EmbeddedServer) -> float:
    assert server.process is not None
    times = psutil.Process(server.process.pid).cpu_times()
    return float(times.user + times.system)
