"""One size: so many open matches are set up, played on, and what that took is measured."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import msgspec
import redis
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from tests.bench.harness import CONSOLE
from tests.bench.load.cases import Case, ages
from tests.bench.load.client import Loop, Site, percentile
from tests.bench.load.traffic import Book, Players, Table
from tests.bench.load.watching import Store, Used, folded, store, using, weigh
from tests.bench.system import API_KEY, System

SLICE_S = 0.5
WEIGHED = 200
"""So many matches are weighed at most."""


class Target(NamedTuple):
    """Where the traffic goes; `running` where it is a system of our own."""

    site: Site
    api_key: str
    running: System | None = None

    @classmethod
    def own(cls, running: System) -> Target:
        return cls(Site("127.0.0.1", running.port), API_KEY, running)


class Plan(NamedTuple):
    """How a size is measured. `set_up_moves` bounds what is played before anybody looks."""

    connections: int = 16
    idle_s: float = 3.0
    warm_s: float = 5.0
    seconds: float = 30.0
    set_up_moves: int = 40_000
    seed: int = 1


class Latency(msgspec.Struct):
    """Of one kind of request; times in ms."""

    count: int
    p50: float
    p99: float


class Bytes(msgspec.Struct):
    """Of the store: of an open match with all that belongs to it; of an ended one's own keys (0
    where none ended); of an event in its stream."""

    open: float
    ended: float
    event: float


class Size(msgspec.Struct):
    """What was measured with so many open matches."""

    open: int
    connections: int
    seconds: float
    ended: int
    moves_in_all: int
    latencies: dict[str, Latency]
    failures: dict[str, int]
    sent: int
    received: int
    sync: str
    """When the store syncs its log: `always`, `everysec`; empty of a system elsewhere."""
    idle_s: float
    idle: dict[str, Used]
    used: dict[str, Used]
    store: Store | None = None
    resting: Store | None = None
    """The same in `idle_s` without any traffic."""
    bytes: Bytes | None = None

    @property
    def moves(self) -> int:
        return self.latencies["move"].count if "move" in self.latencies else 0

    def a_move(self, counter: str) -> float:
        """One of the store's counters for each move, without what it counts at rest."""
        assert self.store is not None, "a system elsewhere"
        assert self.resting is not None, "a system elsewhere"
        rest = getattr(self.resting, counter) * self.seconds / self.idle_s
        return max(0.0, getattr(self.store, counter) - rest) / max(self.moves, 1)

    @property
    def requests(self) -> int:
        return sum(kind.count for kind in self.latencies.values())


def measure(target: Target, count: int, plan: Plan) -> Size:
    """Sets up `count` matches, plays on in all of them, one after another, and looks.

    Every match that ends is replaced at once, so `count` stay open.

    Raises:
        GivenUp: too many answers were wrong.
    """
    if target.running is None:
        return _measure(target, count, plan, None)
    with redis.Redis.from_url(target.running.events_url) as client:
        return _measure(target, count, plan, client)


def _measure(target: Target, count: int, plan: Plan, client: redis.Redis | None) -> Size:
    empty = store(client) if client else None
    idle = _idle(target, plan.idle_s)
    resting = store(client) - empty if client and empty else None
    book = Book()
    connections = min(plan.connections, count)
    players = [
        Players(target.api_key, target.site.host, book, plan.seed * 1_000 + n)
        for n in range(connections)
    ]
    wanted = list(ages(count, plan.set_up_moves, plan.seed))
    tables = set_up(target.site, players, wanted)
    full = _settled(client)
    ended_before = len(book.ended)
    talks = [p.play(rows) for p, rows in zip(players, tables, strict=True)]
    with Loop(target.site, talks) as loop, bar("playing", plan.warm_s + plan.seconds) as told:
        _run(loop, plan.warm_s, told)
        book.clear()
        sent, received = loop.sent, loop.received
        before = store(client) if client else None
        with using(target.running) as used:
            seconds = _run(loop, plan.seconds, told)
        after = store(client) if client else None
        latencies = {kind: _latency(rows) for kind, rows in book.latencies.items()}
        sent, received = loop.sent - sent, loop.received - received
        ended = list(book.ended)
        book.closing = True
        loop.run()
    size = Size(
        open=count,
        connections=connections,
        seconds=seconds,
        ended=len(ended),
        moves_in_all=book.moves,
        latencies=latencies,
        failures=dict(book.failures),
        sent=sent,
        received=received,
        sync=client.config_get("appendfsync")["appendfsync"] if client else "",
        idle_s=plan.idle_s,
        idle=idle,
        used=used,
    )
    if client and empty and full and before and after:
        _settled(client)
        paths = [table.path for rows in tables for table in rows]
        size.store, size.resting = after - before, resting
        size.bytes = _bytes(client, (full - empty).memory, paths, ended, ended_before)
    return size


def _idle(target: Target, seconds: float) -> dict[str, Used]:
    """What the processes use when nobody asks anything: sweeps, and looks at clocks."""
    if target.running is None:
        return {}
    with using(target.running) as used:
        time.sleep(seconds)
    return used


def set_up(
    site: Site, players: Sequence[Players], wanted: Sequence[tuple[Case, int]]
) -> list[list[Table]]:
    """Each player's tables: so many cases, each after so many moves."""
    count = len(wanted)
    tables: list[list[Table]] = [[] for _ in players]
    with bar(f"{count:,} matches", count) as told:
        talks = []
        for n, player in enumerate(players):
            share = wanted[n * count // len(players) : (n + 1) * count // len(players)]
            talks.append(player.settle(tables[n], share, lambda: told(1)))
        with Loop(site, talks) as loop:
            loop.run()
    return tables


def _settled(client: redis.Redis | None) -> Store | None:
    if client is None:
        return None
    folded(client)
    return store(client)


def _run(loop: Loop, seconds: float, told: Callable[[float], None]) -> float:
    begun = time.perf_counter()
    while (left := seconds - (time.perf_counter() - begun)) > 0:
        told(loop.run(min(left, SLICE_S)))
    return time.perf_counter() - begun


def _latency(rows: list[float]) -> Latency:
    return Latency(count=len(rows), p50=percentile(rows, 0.5), p99=percentile(rows, 0.99))


def _bytes(client: redis.Redis, grown: int, paths: list[str], over: list[str], more: int) -> Bytes:
    """`grown` is what open matches have made it grow, and `more` matches that are over."""
    ended = [weigh(client, _id(path)).bytes for path in over[:WEIGHED]]
    opened = [weigh(client, _id(path)) for path in paths[:: len(paths) // WEIGHED + 1]]
    one_ended = statistics.fmean(ended) if ended else 0.0
    return Bytes(
        open=(grown - more * one_ended) / len(paths),
        ended=one_ended,
        event=sum(w.keys["events"] for w in opened) / sum(w.events for w in opened),
    )


def _id(path: str) -> str:
    return path.rpartition("/")[2]


@contextmanager
def bar(text: str, total: float) -> Iterator[Callable[[float], None]]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=CONSOLE, transient=True) as progress:
        task = progress.add_task(text, total=total)
        yield lambda done: progress.advance(task, done)
