"""The services of a worker over real servers, and what waits in its queues."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from celery import Celery

from services.bootstrap import Tycoon, build, redis_stores
from services.matches.creation import NewMatch, NewSeat
from shared.settings import Settings
from worker.process import now_ms

KEY = "k" * 32
LATE = 10**12
"""A clock that stands so far behind now that everything it set is overdue."""


def ours(app: Celery) -> dict[str, Any]:
    return {name: task for name, task in app.tasks.items() if not name.startswith("celery.")}


def services(settings: Settings, clock: Callable[[], int] = now_ms) -> Tycoon:
    return build(
        settings,
        redis_stores(settings),
        clock=clock,
        wake=lambda match: None,
        think=lambda match, version: None,
        report=lambda match, broken: None,
    )


def bots(settings: Settings, *levels: str, clock: Callable[[], int] = now_ms) -> Any:
    """A stored match of bots, and the services that see it."""
    tycoon = services(settings, clock)
    seats = tuple(NewSeat(kind="bot" if level else "open", level=level or None) for level in levels)
    return tycoon, tycoon.commands.create(NewMatch(game="tictactoe", seats=seats), "me", None).id


def queued(real_redis: Any, queue: str) -> list[list[Any]]:
    """Arguments of the tasks that wait in a queue, the oldest first."""
    import base64

    messages = [json.loads(message) for message in real_redis.lrange(queue, 0, -1)]
    return [json.loads(base64.b64decode(m["body"]))[0] for m in reversed(messages)]


def requests(real_redis: Any, queue: str) -> list[dict[str, Any]]:
    """Headers of the tasks that wait in a queue."""
    return [json.loads(message)["headers"] for message in real_redis.lrange(queue, 0, -1)]
