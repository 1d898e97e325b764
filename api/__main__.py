"""`python -m api`: one API, its processes under granian, until SIGTERM or SIGINT.

A stop has two steps, so that no request is lost: first every process says on `/readyz` that it is
going, and serves on while whoever sends requests looks elsewhere (`TYCOON_DRAIN_S`); then no more
connections are taken, and those requests that are there are finished. A second signal ends all at
once.
"""

from __future__ import annotations

import os
import signal

if __name__ == "__main__":
    # The imports take seconds, and the first process of a container is ended by no signal that it
    # doesn't handle. There is nothing to finish yet.
    signal.signal(signal.SIGTERM, lambda number, frame: os._exit(0))

import sys
import threading
from collections.abc import Callable, Iterable
from ctypes import c_bool
from functools import partial
from multiprocessing.sharedctypes import RawValue
from pathlib import Path
from types import FrameType
from typing import Any

from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server.mp import MPServer
from prometheus_client import CollectorRegistry

from api.process import make_app
from services.bootstrap import check_levels
from services.registry import games
from services.watching import logs
from services.watching.build import Build
from services.watching.folder import prepare_own
from services.watching.serving import serve
from services.watching.summing import exposed
from shared.redis_broker import refuse_cluster
from shared.settings import Settings, SettingsError, from_env

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def main() -> int:
    """Serves until it is ended; its exit code."""
    try:
        settings = from_env(os.environ)
        settings.check()
        logs.set_up(settings.log_level)
        refuse_cluster(settings)
        check_levels(settings, games(settings))  # and loads the games before the forks
        folder = prepare_own(os.environ)
        if settings.metrics_port:
            _watch(settings, folder)
    except SettingsError as wrong:
        print(wrong, file=sys.stderr)
        return 1
    stopping = RawValue(c_bool, False)  # in memory that all processes share
    server = _server(settings)
    # Granian sets its own handlers when it starts; these take their place before any fork.
    server.on_startup(partial(_own_signals, server, stopping, settings.drain_s))
    server.serve(target_loader=partial(load, stopping), wrap_loader=False)
    return 0


def _watch(settings: Settings, folder: Path) -> None:
    """Answers `/livez` and `/metrics` beside the processes, whose threads may all wait for a store.

    As long as this process lives it keeps the others alive, and ends where it can't.
    """
    build = Build("api", games(settings))
    serve(
        settings,
        metrics=lambda: exposed(CollectorRegistry(), folder, build),
        trouble=lambda: None,
    )


def _server(settings: Settings) -> MPServer:
    return MPServer(
        "api",
        address=settings.http_host,
        port=settings.http_port,
        interface=Interfaces.WSGI,
        workers=settings.http_workers,
        blocking_threads=settings.http_threads,
        websockets=False,
        respawn_failed_workers=True,  # once; it gives up one that dies at once
        workers_kill_timeout=settings.finish_s,
        log_level=LogLevels.critical,  # what a worker said last must stay the last line
    )


def _own_signals(server: MPServer, stopping: Any, drain_s: int) -> None:
    """SIGTERM and SIGINT: the first drains and stops, the second ends at once."""
    owner = os.getpid()

    def handle(number: int, frame: FrameType | None) -> None:
        if os.getpid() != owner:
            os._exit(0)  # a process that was just forked and serves nobody yet
        if stopping.value:
            for worker in server.wrks:
                worker.inner.kill()
                worker.inner.join(1)
            os._exit(128 + number)
        stopping.value = True
        timer = threading.Timer(drain_s, server.signal_handler_interrupt)
        timer.daemon = True
        timer.start()

    signal.signal(signal.SIGTERM, handle)
    signal.signal(signal.SIGINT, handle)


def load(stopping: Any) -> Wsgi:
    """The application of one process, made after its fork."""
    # Ctrl-C goes to every process of a terminal; the parent alone decides when this one stops.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        app = make_app(os.environ, stopping=lambda: bool(stopping.value))
    except SettingsError as wrong:
        print(wrong, file=sys.stderr)
        sys.exit(1)
    return _parting(app, stopping)


def _parting(app: Wsgi, stopping: Any) -> Wsgi:
    """Ends connections with their answers while it is stopping, so that clients make new ones."""

    def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if not stopping.value:
            return app(environ, start)

        def start_last(
            status: str, headers: list[tuple[str, str]], *more: Any
        ) -> Callable[..., Any]:
            begun: Callable[..., Any] = start(status, [*headers, ("Connection", "close")], *more)
            return begun

        return app(environ, start_last)

    return answer


if __name__ == "__main__":
    sys.exit(main())
