"""Stored bytes an event, as the server counts its memory, over each game's golden matches."""

from __future__ import annotations

import redis

from services.registry import GAMES
from tests.bench.harness import Row
from tests.bench.servers import events_server
from tests.golden.library import load, name_of, paths

BUDGET = 250


def stored_bytes(client: redis.Redis, slug: str) -> float:
    """Mean over all events of a game's golden matches; the stream's own overhead included."""
    events = size = 0
    for path in paths(slug):
        name, stored = name_of(path), load(path).stored
        for version, raw in enumerate(stored, 1):
            client.xadd(name, {"e": raw}, id=f"0-{version}")
        size += client.memory_usage(name, samples=0)
        events += len(stored)
        client.delete(name)
    return size / events


def run() -> list[Row]:
    with events_server() as url, redis.Redis.from_url(url) as client:
        return [
            Row(
                f"stored bytes an event, {slug} (control: the budget)",
                [stored_bytes(client, slug)],
                [float(BUDGET)],
                "<= 1",
            )
            for slug in GAMES
        ]
