"""One process of the API, made from the environment."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from flask import Flask

from api import logs
from api.app import create_app
from api.bootstrap_key import BootstrapKey
from api.metrics import Metrics
from api.waking import Waker
from services.bootstrap import build, redis_stores
from services.keys import Keys
from services.projections.rebuilding import Part
from services.registry import games
from services.series.made_by import this_build
from services.watching.build import Build
from services.watching.folder import folder_of
from shared import correlation
from shared.errors import Unavailable, places
from shared.redis_client import Client, connect, refusals
from shared.redis_keystore import RedisKeys
from shared.redis_rates import RedisTally
from shared.redis_waiting import Replicas
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
    """
    settings = from_env(env)
    settings.check()
    log = logs.configure(settings.log_level)
    this_build()  # what runs, not what may be put in its place while it does
    build_info = Build("api", games(settings))
    metrics = Metrics(folder_of(env), build_info)
    sender = Sender(broker_app(settings))

    def send_wakes(asked: Mapping[str, str | None]) -> None:
        with correlation.correlated(None, asked):
            sender.advance(list(asked))

    def send_hints(asked: Mapping[tuple[str, int, int], str | None]) -> None:
        for hint, request in asked.items():
            with correlation.correlated(request, {}):
                sender.hint(*hint)

    waker = Waker(send_wakes, metrics, log)
    hints = Waker(send_hints, metrics, log)
    probe = connect(settings.events_url, timeout_ms=PING_MS)
    client = connect(settings.events_url, timeout_ms=settings.store_timeout_ms)

    def clock() -> int:
        return time.time_ns() // 1_000_000

    def report(match_id: str, broken: Exception) -> None:
        log.error(
            "failed",
            match=match_id,
            error=type(broken).__name__,
            where=places(broken),
            correlation=correlation.of(),
        )

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
        bootstrap.catch_up()

    tycoon = build(
        settings,
        redis_stores(settings, metrics.play),
        clock=clock,
        wake=waker.wake,
        think=sender.think,
        report=report,
        observer=metrics.play,
    )

    def keys(client: Client, timeout_ms: int) -> Keys:
        replicas = Replicas.within(timeout_ms, settings.wait_replicas)
        return Keys(RedisKeys(client, replicas), settings.server_key.encode(), clock)

    bootstrap = BootstrapKey(settings.bootstrap_api_key, keys(probe, PING_MS), log)
    try:
        bootstrap.ensure()
    except Unavailable:  # it is not ready, then, until the key is there
        log.warning("bootstrap_key_waits", until="the store answers")
    return create_app(
        tycoon,
        keys(client, settings.store_timeout_ms),
        RedisTally(settings.broker_url, timeout_ms=RATES_MS),
        wake=waker.wake,
        hint=lambda *asked: hints.wake(asked),
        begin_rebuild=begin_rebuild,
        ping=ping,
        metrics=metrics,
        log=log,
    )
