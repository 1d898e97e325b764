"""A real server that is backed up and restored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from services.bootstrap import redis_stores
from services.upkeep.backup import Truth
from shared.redis_client import connect
from shared.redis_keystore import RedisKeys
from shared.settings import Settings


@pytest.fixture
def real(real_redis: Any, redis_url: str) -> Iterator[Truth]:
    stores = redis_stores(Settings(events_url=redis_url))
    client = connect(redis_url, timeout_ms=5_000)
    yield Truth(stores.events, stores.wholes, stores.series, RedisKeys(client))
    client.close()
