"""What a Tycoon on one machine is made of: the same processes as in production."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from api.cli.home import Home
from api.cli.processes import Program, Service
from api.cli.servers import EmbeddedServer, Role, find_server, free_ports
from services.watching.folder import VARIABLE
from shared.settings import Settings

STOP_ORDER: tuple[tuple[tuple[str, ...], float], ...] = (
    (("api",), 4.0),
    (("worker", "thinker", "series"), 6.0),
    (("ticker",), 1.0),
    (("broker",), 2.0),
    (("events",), 2.0),
)
"""Who stops when, and how many seconds it may take: 15 in all."""

STOPPING: Mapping[str, int] = {"drain_s": 0, "finish_s": 3}
"""Settings of the API that fit `STOP_ORDER`: there is no other one that requests could go to."""

WATCHED = ("worker", "thinker", "series", "ticker")
"""Who answers `/metrics`, in the order of their ports."""


def servers(home: Home, env: Mapping[str, str], *, group: int) -> list[EmbeddedServer]:
    """The servers for events and broker, on ports that are free now.

    Raises:
        SetupError: this machine has no server that is new enough.
    """
    program = find_server(env).path
    roles: tuple[Role, ...] = ("events", "broker")
    return [
        EmbeddedServer(program, port, home.folder / role, role, group=group)
        for role, port in zip(roles, free_ports(len(roles)), strict=True)
    ]


def programs(
    settings: Settings, home: Home, env: Mapping[str, str], *, group: int
) -> dict[str, Service]:
    """API, workers and ticker, which take their settings from `env`.

    Raises:
        SetupError: the folders of their metrics can't be written.
    """
    python = [sys.executable, "-m"]
    commands = {
        "api": [*python, "api"],
        "worker": [*python, "worker", "--queues", "advance,ops", "--concurrency", "2"],
        "thinker": [*python, "worker", "--queues", "think", "--concurrency", "1"],
        "series": [*python, "worker", "--queues", "series", *_standing_back()],
        "ticker": [*python, "worker.ticker"],
    }
    return {
        name: Program(command, _watched(name, settings, home, env), home.log(name), group=group)
        for name, command in commands.items()
    }


def _watched(name: str, settings: Settings, home: Home, env: Mapping[str, str]) -> dict[str, str]:
    """`env` with where a program counts and tells: the setting's port is the first of four."""
    if name == "api":
        # It tells at its own port; the setting's are the others'.
        return environment({**env, VARIABLE: str(home.metrics(name))}, {"metrics_port": 0})
    if not settings.metrics_port:
        return dict(env)
    port = settings.metrics_port + WATCHED.index(name)
    folder = {VARIABLE: str(home.metrics(name))} if name != "ticker" else {}
    return environment({**env, **folder}, {"metrics_port": port})


def _standing_back() -> list[str]:
    """People come first: series leave a core free, and take of the others what nobody wants."""
    cores = os.cpu_count() or 1
    return ["--concurrency", str(max(cores - 1, 1)), "--nice", "10"]


def environment(env: Mapping[str, str], settings: Mapping[str, str | int | Path]) -> dict[str, str]:
    """`env` with these settings, by their names in `Settings`, in place of files with them."""
    given = {f"TYCOON_{name.upper()}": str(value) for name, value in settings.items()}
    files = {f"{variable}_FILE" for variable in given}
    return {**{name: value for name, value in env.items() if name not in files}, **given}
