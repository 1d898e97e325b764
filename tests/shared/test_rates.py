"""The count of requests, held by every adapter."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import redis

from api.cli.servers import free_port
from shared.errors import Unavailable
from shared.rates import MemoryTally, Tally
from shared.redis_rates import PREFIX, RedisTally


@pytest.fixture(params=["memory", "real"])
def tally(request: pytest.FixtureRequest) -> Tally:
    if request.param == "memory":
        return MemoryTally()
    request.getfixturevalue("real_redis")
    return RedisTally(request.getfixturevalue("redis_url"), timeout_ms=10_000)


def test_it_counts_by_name(tally: Tally) -> None:
    assert [tally.add("a", 1, 60), tally.add("a", 5, 60), tally.add("b", 2, 60)] == [1, 6, 2]


def test_no_request_of_many_at_once_is_lost(tally: Tally) -> None:
    with ThreadPoolExecutor(8) as pool:
        counted = list(pool.map(lambda _: tally.add("a", 1, 60), range(200)))
    assert sorted(counted) == list(range(1, 201))


def test_a_count_is_forgotten_in_time(real_redis: redis.Redis, redis_url: str) -> None:
    tally = RedisTally(redis_url, timeout_ms=10_000)
    tally.add("a", 3, 60)
    tally.add("a", 3, 60)
    (key,) = real_redis.keys()
    assert key.decode() == f"{PREFIX}:a"
    assert 55 < real_redis.ttl(key) <= 60


def test_two_processes_share_a_server(real_redis: redis.Redis, redis_url: str) -> None:
    one, two = (RedisTally(redis_url, timeout_ms=10_000) for _ in range(2))
    assert [one.add("a", 1, 60), two.add("a", 1, 60)] == [1, 2]


def test_a_server_that_is_away_is_unavailable_and_none_is_needed_to_begin() -> None:
    tally = RedisTally(f"redis://127.0.0.1:{free_port()}/0", timeout_ms=100)
    with pytest.raises(Unavailable):
        tally.add("a", 1, 60)
