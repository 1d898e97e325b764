"""Counts of requests on Redis, by the storage of the `limits` library."""

from __future__ import annotations

from limits.storage import RedisStorage

from shared.redis_client import patience, refusals

PREFIX = "tycoon:rate"


class RedisTally:
    """`Tally` on a single server. Nothing is sent before the first count.

    Args:
        url: its address, as the broker's is written.
        timeout_ms: so long a caller is kept waiting at most.
    """

    def __init__(self, url: str, *, timeout_ms: int) -> None:
        self._storage = RedisStorage(url, key_prefix=PREFIX, **patience(timeout_ms))

    @refusals()
    def add(self, name: str, amount: int, keep_s: int) -> int:
        return self._storage.incr(name, keep_s, amount)
