"""What the processes of a system use while it is played on, and what its store says of itself."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import psutil
import redis

from shared.redis_keys import match_keys, partition_keys
from shared.store import PARTITIONS
from tests.bench.processes import cpu, trees
from tests.bench.system import System

GENERATOR = "generator"
"""This process itself, among those that share the machine."""


class Used(msgspec.Struct):
    """Of a process with those that it started: cores in the mean, MiB (proportional) at the end."""

    cores: float
    mib: float


class Store(msgspec.Struct):
    """Counters of the events store; of two readings, what lies between them."""

    memory: int
    log: int
    """Bytes of its append-only file."""
    read: int
    """Bytes that came in."""
    written: int
    """Bytes that went out."""
    commands: int
    turns: int
    """Of its event loop; each that writes syncs the log once. 0 where the server does not tell."""

    def __sub__(self, other: Store) -> Store:
        fields = self.__struct_fields__
        return Store(**{f: getattr(self, f) - getattr(other, f) for f in fields})


def store(client: redis.Redis) -> Store:
    """What the store has counted so far."""
    told: dict[str, Any] = client.info()
    return Store(
        memory=told["used_memory"],
        log=told["aof_current_size"],
        read=told["total_net_input_bytes"],
        written=told["total_net_output_bytes"],
        commands=told["total_commands_processed"],
        turns=told.get("eventloop_cycles", 0),
    )


def marks(client: redis.Redis) -> int:
    """How many matches wait to be folded."""
    pipe = client.pipeline(transaction=False)
    for number in range(PARTITIONS):
        pipe.zcard(partition_keys(number).work)
    return sum(pipe.execute())


def folded(client: redis.Redis, within_s: float = 120) -> None:
    """Waits until the workers have folded everything."""
    until = time.monotonic() + within_s
    while left := marks(client):
        if time.monotonic() > until:
            raise TimeoutError(f"{left} matches are not folded after {within_s} s")
        time.sleep(0.05)


class Weight(msgspec.Struct):
    """Of a match: its events, and bytes by key, as the server counts them."""

    events: int
    keys: dict[str, int]

    @property
    def bytes(self) -> int:
        return sum(self.keys.values())


def weigh(client: redis.Redis, match: str) -> Weight:
    """What a match has in the store under its own name."""
    keys = match_keys(match)
    pipe = client.pipeline(transaction=False)
    pipe.xlen(keys.events)
    for key in keys:
        pipe.memory_usage(key, samples=0)
    events, *sizes = pipe.execute()
    return Weight(events, {n: size or 0 for n, size in zip(keys._fields, sizes, strict=True)})


@contextmanager
def using(running: System | None) -> Iterator[dict[str, Used]]:
    """What each process uses inside the block, known at its end; of one elsewhere, this."""
    found: dict[str, Used] = {}
    groups = {} if running is None else trees(running)
    groups[GENERATOR] = [psutil.Process(os.getpid())]
    before, begun = {name: cpu(group) for name, group in groups.items()}, time.monotonic()
    yield found
    seconds = time.monotonic() - begun
    for name, group in groups.items():
        mib = sum(p.memory_full_info().pss for p in group) / 2**20
        found[name] = Used(cores=(cpu(group) - before[name]) / seconds, mib=mib)
