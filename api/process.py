"""One process of the API, made from the environment."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from flask import Flask

from api import logs
from api.app import create_app
from api.metrics import Metrics
from api.waking import Waker
from services.bootstrap import build, redis_stores
from services.keys import Keys
from services.projections.rebuilding import Part
from services.series.made_by import this_build
from shared.errors import Unavailable, places
from shared.redis_client import connect, refusals
from shared.redis_keystore import RedisKeys
from shared.redis_rates import RedisTally
from shared.settings import from_env
from shared.tasks import Sender, broker_app

PING_MS = 1_000
"""So long a probe waits for the store."""

RATES_MS = 100
"""So long a request waits for the count of its rate at most."""


def make_app(env: Mapping[str, str], *, stopping: Callable[[], bool] = lambda: False) -> Flask:
    """Settings, stores, services, application. Call it once a process, after any fork.

    Args:
        stopping: whether this process is about to end, and requests should go to another one.

    Raises:
        SettingsError: a setting that can't be used.
        Unavailable: the bootstrap key can't be stored, or a cluster can't be reached.
    """
    settings = from_env(env)
    settings.check()
    log = logs.configure(settings.log_level)
    this_build()  # what runs, not what may be put in its place while it does
    metrics = Metrics()
    sender = Sender(broker_app(settings))
    waker = Waker(sender.advance, metrics, log)

    def send_hints(asked: Sequence[tuple[str, int, int]]) -> None:
        for each in asked:
            sender.hint(*each)

    hints = Waker(send_hints, metrics, log)
    probe = connect(settings.events_url, timeout_ms=PING_MS)
    client = connect(settings.events_url, timeout_ms=settings.store_timeout_ms)

    def clock() -> int:
        return time.time_ns() // 1_000_000

    def report(match_id: str, broken: Exception) -> None:
        log.error("failed", match=match_id, error=type(broken).__name__, where=places(broken))

    def begin_rebuild(generation: int, part: Part) -> None:
        try:
            sender.rebuild(generation, *part)
        except Exception as failed:  # whatever the broker's client raises
            raise Unavailable(
                "store.broker-unavailable", "The broker does not take tasks now; begin again later."
            ) from failed

    @refusals()
    def ping() -> None:
        if stopping():
            raise Unavailable("request.stopping", "This server is stopping; ask another one.")
        probe.ping()

    tycoon = build(
        settings,
        redis_stores(settings),
        clock=clock,
        wake=waker.wake,
        think=sender.think,
        report=report,
    )
    keys = Keys(RedisKeys(client), settings.server_key.encode(), clock)
    if settings.bootstrap_api_key and not keys.ensure(settings.bootstrap_api_key):
        log.warning("bootstrap_key_revoked")
    return create_app(
        tycoon,
        keys,
        RedisTally(settings.broker_url, timeout_ms=RATES_MS),
        wake=waker.wake,
        hint=lambda *asked: hints.wake(asked),
        begin_rebuild=begin_rebuild,
        ping=ping,
        metrics=metrics,
        log=log,
    )
