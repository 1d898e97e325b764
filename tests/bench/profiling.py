"""Where a worker's time goes: cProfile over one process that does its tasks itself, by package."""

from __future__ import annotations

import cProfile
import marshal
import os
import pstats
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.table import Table

from tests.bench.harness import CONSOLE

Frame = tuple[str, int, str]

WAITING = ("select.", "time.sleep", "acquire' of '_thread", "'wait'", "posix.waitpid")
"""Built-in functions that use no processor."""

ANSWERS = "waiting for the store"
BUILT_IN = {
    "codec": ("msgspec", "_json", "zlib", "_hashlib.openssl", "_sha", "'update' of '_hashlib"),
    "chance": ("hmac",),
    ANSWERS: ("'recv", "posix.fsync"),
    "store": ("_socket",),
}
GROUPS = {
    "rules": ("/services/games/", "/tests/toys/"),
    "bots": ("/services/bots/",),
    "chance": ("/shared/chance.py", "/hmac.py"),
    "codec": ("/msgspec/", "/shared/envelope.py", "/services/hosted.py", "/json/", "/gzip.py"),
    "store": ("/redis/", "/shared/redis_", "/socket.py", "/fsspec/"),
    "Celery": ("/celery/", "/kombu/", "/billiard/", "/amqp/", "/vine/"),
    "limit of a thought": ("/services/matches/limits.py", "/signal.py", "/contextlib.py"),
    "match": ("/services/matches/", "/services/projections/"),
    "series": ("/services/series/",),
}
"""Group -> parts of the paths of what belongs to it. Celery asks its broker by the client that asks
the store, so part of its time stands there."""
NAMES = (*GROUPS, ANSWERS, "other")


@contextmanager
def worker(env: dict[str, str], queues: str) -> Iterator[Callable[[], dict[str, float]]]:
    """A worker under cProfile inside the block; the shares of its groups once it has ended."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "profile"
        found: dict[str, float] = {}
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.profiling", queues, file],
            env=env,
            stdout=subprocess.DEVNULL,
        )
        try:
            yield lambda: found
        finally:
            process.terminate()
            process.wait(60)
        found |= shares(marshal.loads(file.read_bytes()))


def shares(stats: dict[Frame, Any]) -> dict[str, float]:
    """Share of each group in the time that was not spent waiting.

    What a built-in function took belongs to whoever called it, where it has no group of its own.
    """
    spent: dict[str, float] = defaultdict(float)
    for frame, (_, _, own, _, callers) in stats.items():
        group = _built_in(frame) if frame[0] == "~" else _group(frame)
        if group is not None:
            spent[group] += own
            continue
        for caller, (_, _, part, _) in callers.items():
            spent[_group(caller) if caller[0] != "~" else "other"] += part
    spent.pop("waiting", None)
    whole = sum(spent.values())
    return {group: spent[group] / whole for group in NAMES}


def _built_in(frame: Frame) -> str | None:
    if any(part in frame[2] for part in WAITING):
        return "waiting"
    return next(
        (group for group, parts in BUILT_IN.items() if any(part in frame[2] for part in parts)),
        None,
    )


def _group(frame: Frame) -> str:
    return next(
        (group for group, parts in GROUPS.items() if any(part in frame[0] for part in parts)),
        "other",
    )


def show(found: dict[str, dict[str, float]]) -> None:
    """A table with a column for each profile."""
    table = Table(title="share of a worker's time, waiting apart, %")
    table.add_column("group")
    for name in found:
        table.add_column(name, justify="right")
    for group in NAMES:
        table.add_row(group, *(f"{100 * part[group]:.1f}" for part in found.values()))
    CONSOLE.print(table)


def _work(queues: str, file: str) -> None:
    """A worker whose tasks run in the process itself, until it is asked to end."""
    from celery import signals

    from shared.settings import from_env
    from worker import logs
    from worker.app import make_app

    settings = from_env(os.environ)
    logs.set_up(settings.log_level)
    signals.setup_logging.connect(_quiet)
    app = make_app(settings)
    running = app.Worker(
        hostname="profiled@%h",
        queues=queues.split(","),
        concurrency=1,
        pool_cls="solo",
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    profile = cProfile.Profile()
    try:
        profile.runcall(running.start)
    finally:
        pstats.Stats(profile).dump_stats(file)


def _quiet(**facts: object) -> None:
    """Keeps Celery from logging."""


if __name__ == "__main__":
    _work(sys.argv[1], sys.argv[2])
