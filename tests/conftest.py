"""Fixtures of all tests. Servers are real: without one the suite fails at once."""

from __future__ import annotations

import os
from collections.abc import Iterator

import fakeredis
import pytest
import redis

from api.cli.servers import EmbeddedServer, SetupError, find_server, free_port
from tests.cluster import Cluster, cluster


def pytest_sessionstart() -> None:
    try:
        find_server(os.environ)
    except SetupError as missing:
        raise pytest.UsageError(f"the tests need a real server. {missing}") from missing


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    """A server with the settings of the events store, one for each test process."""
    program = find_server(os.environ).path
    with EmbeddedServer(program, free_port(), tmp_path_factory.mktemp("redis"), "events") as server:
        yield server


@pytest.fixture(scope="session")
def redis_url(redis_server: EmbeddedServer) -> str:
    return redis_server.url


@pytest.fixture
def real_redis(redis_url: str) -> Iterator[redis.Redis]:
    """A client of the real server, which is empty when the test begins."""
    with redis.Redis.from_url(redis_url) as client:
        client.flushall()
        yield client


@pytest.fixture
def fake_redis() -> Iterator[redis.Redis]:
    """An in-process stand-in that no other test sees."""
    with fakeredis.FakeRedis(server=fakeredis.FakeServer()) as client:
        yield client


@pytest.fixture(scope="session")
def shared_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster that tests share: nobody kills its nodes, and slow ones are not replaced."""
    with cluster(tmp_path_factory.mktemp("cluster"), node_timeout_ms=30_000) as whole:
        yield whole
