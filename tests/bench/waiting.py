"""Appends a second to a cluster with waiting for a replica, beside the same without.

`python -m tests.bench.waiting`: one client, events of 200 bytes, `appendfsync always` on all nodes.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import closing
from itertools import count
from pathlib import Path

from shared.redis_client import connect
from shared.redis_store import RedisEvents
from shared.redis_waiting import NOBODY, Replicas
from shared.store import Append
from tests.bench.harness import alternate, show
from tests.cluster import cluster

SECONDS = 2.0
TIMEOUT_MS = 5_000
EVENT = b"x" * 200

matches = count()


def rate(store: RedisEvents) -> float:
    """Appends of one event a second, all to one new match."""
    match, begun = f"m_{next(matches)}", time.perf_counter()
    for version in count():
        took = time.perf_counter() - begun
        if took >= SECONDS:
            return version / took
        store.append(Append(match=match, expected=version, events=[EVENT], game="g", status="s"))
    raise AssertionError("count() does not end")


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        cluster(Path(folder)) as whole,
        closing(connect(whole.url, timeout_ms=TIMEOUT_MS)) as client,
    ):
        waiting = RedisEvents(client, replicas=Replicas.within(TIMEOUT_MS, 1))
        alone = RedisEvents(client, replicas=NOBODY)
        row = alternate(
            "append, waiting for one replica, beside not waiting",
            lambda: rate(waiting),
            lambda: rate(alone),
            budget="report",
        )
    show([row], "python -m tests.bench.waiting")


if __name__ == "__main__":
    main()
