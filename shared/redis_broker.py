"""What the broker's server must not be."""

from __future__ import annotations

import redis

from shared.errors import Unavailable
from shared.redis_client import connect, refusals
from shared.settings import Settings, SettingsError

TIMEOUT_MS = 1_000


def refuse_cluster(settings: Settings) -> None:
    """Looks whether the broker's server is in cluster mode; one that is away is not waited for.

    Raises:
        SettingsError: it is. Celery's keys lie in several slots and its commands name them at once.
    """
    client = connect(settings.broker_url, timeout_ms=TIMEOUT_MS)
    try:
        with refusals():
            told = client.info("cluster")
    except (Unavailable, redis.ResponseError):
        return  # it is away, or may not be asked
    finally:
        client.close()
    if told.get("cluster_enabled"):
        raise SettingsError(
            "TYCOON_BROKER_URL must be a single server: the one that it names is in cluster mode, "
            "and Celery can't use a cluster as its broker."
        )
