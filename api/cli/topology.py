"""What a Tycoon on one machine is made of: the same processes as in production."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from api.cli.home import Home
from api.cli.processes import Program, Service
from api.cli.servers import EmbeddedServer, Role, find_server, free_port
from shared.settings import Settings

STOP_ORDER: tuple[tuple[tuple[str, ...], float], ...] = (
    (("api",), 4.0),
    (("worker", "thinker"), 6.0),
    (("ticker",), 1.0),
    (("broker",), 2.0),
    (("events",), 2.0),
)
"""Who stops when, and how many seconds it may take: 15 in all."""

THREADS = 16
"""Requests that one process of the API works on at the same time. Measured with 16 connections on
two cores, 4, 16 and 32 answer equally many; with more, a slow store holds up fewer others."""


def servers(home: Home, env: Mapping[str, str], *, group: int) -> list[EmbeddedServer]:
    """The servers for events and broker, on ports that are free now.

    Raises:
        SetupError: this machine has no server that is new enough.
    """
    program = find_server(env).path
    roles: tuple[Role, ...] = ("events", "broker")
    return [
        EmbeddedServer(program, free_port(), home.folder / role, role, group=group)
        for role in roles
    ]


def programs(
    settings: Settings, home: Home, env: Mapping[str, str], *, group: int
) -> dict[str, Service]:
    """API, workers and ticker, which take their settings from `env`."""
    python = [sys.executable, "-m"]
    commands = {
        "api": [*python, "granian", *_api(settings)],
        "worker": [*python, "worker", "--queues", "advance,ops", "--concurrency", "2"],
        "thinker": [*python, "worker", "--queues", "think", "--concurrency", "1"],
        "ticker": [*python, "worker.ticker"],
    }
    return {
        name: Program(command, env, home.log(name), group=group)
        for name, command in commands.items()
    }


def _api(settings: Settings) -> list[str]:
    options = {
        "--interface": "wsgi",
        "--host": settings.http_host,
        "--port": settings.http_port,
        "--workers": settings.http_workers,
        "--blocking-threads": THREADS,
        "--workers-kill-timeout": 3,
        "--log-level": "critical",  # what a worker said last must stay the last line
    }
    flags = ["--no-ws", "--respawn-failed-workers"]  # once; it gives up one that dies at once
    return ["api.wsgi:app", *flags, *(str(part) for pair in options.items() for part in pair)]


def environment(env: Mapping[str, str], settings: Mapping[str, str | int | Path]) -> dict[str, str]:
    """`env` with these settings, by their names in `Settings`, in place of files with them."""
    given = {f"TYCOON_{name.upper()}": str(value) for name, value in settings.items()}
    files = {f"{variable}_FILE" for variable in given}
    return {**{name: value for name, value in env.items() if name not in files}, **given}
