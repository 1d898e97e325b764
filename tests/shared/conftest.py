"""Every adapter of `EventStore`, `WorkQueue` and `ListStore`, for the suites of all of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import pytest

from shared.hintstore import HintStore, MemoryHints
from shared.list_store import ListStore
from shared.memory_lists import MemoryLists
from shared.memory_series import MemorySeries
from shared.memory_store import MemoryStore
from shared.memory_wholes import MemoryWholes
from shared.redis_client import Client, connect
from shared.redis_hintstore import RedisHints
from shared.redis_lists import RedisLists
from shared.redis_series import RedisSeries
from shared.redis_store import RedisEvents
from shared.redis_wholes import RedisWholes
from shared.redis_work import RedisWork
from shared.series_store import SeriesStore
from shared.store import Append, CommandRecord, EventStore
from shared.whole_store import WholeStore
from shared.work_queue import WorkQueue
from tests.cluster import Cluster, cluster

TIMEOUT_MS = 10_000


@dataclass(frozen=True)
class Stores:
    """One adapter of each port over the same data."""

    events: EventStore
    work: WorkQueue
    lists: ListStore
    hints: HintStore
    wholes: WholeStore


def now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def over(client: Any) -> Stores:
    return Stores(
        RedisEvents(client),
        RedisWork(client),
        RedisLists(client),
        RedisHints(client),
        RedisWholes(client),
    )


CLIENTS = {"fakeredis": "fake_redis", "real": "product_redis", "cluster": "product_cluster"}
"""Adapter -> the fixture of its client."""


@pytest.fixture(params=["memory", *CLIENTS])
def stores(request: pytest.FixtureRequest) -> Stores:
    if request.param == "memory":
        memory = MemoryStore(clock=now_ms)
        hints = MemoryHints(now_ms)
        return Stores(memory, memory, MemoryLists(), hints, MemoryWholes(memory))
    return over(request.getfixturevalue(CLIENTS[request.param]))


@pytest.fixture(params=["memory", *CLIENTS])
def series(request: pytest.FixtureRequest) -> SeriesStore:
    if request.param == "memory":
        return MemorySeries(clock=lambda: time.time_ns() // 1_000_000)
    return RedisSeries(request.getfixturevalue(CLIENTS[request.param]))


@pytest.fixture
def product_redis(real_redis: Any, redis_url: str) -> Iterator[Any]:
    """A client of the empty real server with the product's own settings."""
    client = connect(redis_url, timeout_ms=TIMEOUT_MS)
    yield client
    client.close()


@pytest.fixture
def product_cluster(shared_cluster: Cluster) -> Iterator[Any]:
    """The same of the empty cluster."""
    shared_cluster.forget_everything()
    client = connect(shared_cluster.url, timeout_ms=TIMEOUT_MS)
    yield client
    client.close()


@pytest.fixture(scope="module")
def hurt(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster whose nodes may be killed and handed over, if all are there again afterwards."""
    with cluster(tmp_path_factory.mktemp("hurt")) as whole:
        yield whole


@pytest.fixture
def client(hurt: Cluster) -> Iterator[Client]:
    """A client of it, empty."""
    hurt.forget_everything()
    with closing(connect(hurt.url, timeout_ms=TIMEOUT_MS)) as client:
        yield client


@pytest.fixture(params=list(CLIENTS))
def any_redis(request: pytest.FixtureRequest) -> Any:
    return request.getfixturevalue(CLIENTS[request.param])


@pytest.fixture
def real(product_redis: Any) -> Stores:
    return over(product_redis)


def an_append(match: str, expected: int, *events: bytes, key: str = "", **more: Any) -> Append:
    """A command of these events (one, if none is named), with a record if it has a key."""
    written = events or (b"%d" % (expected + 1),)
    if key:
        more["command"] = key, CommandRecord("body", 201, expected + 1, expected + len(written))
    return Append(
        match=match,
        expected=expected,
        events=written,
        game="tic-tac-toe",
        status=more.pop("status", "running"),
        **more,
    )


def eventually(true: Callable[[], Any], within_s: float = 5.0) -> Any:
    """What the call gave as soon as it gave something; fails after the deadline."""
    until = time.monotonic() + within_s
    while not (found := true()):
        assert time.monotonic() < until, "it did not come to pass"
        time.sleep(0.001)
    return found
