"""The API as its own process, as it is run in production."""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from api.cli.servers import free_port

ROOT = Path(__file__).parents[2]


@contextmanager
def serving(env: Mapping[str, str]) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """`python -m api` on a free port, once it answers; the port and the process."""
    port = free_port()
    whole = {**os.environ, **env, "TYCOON_HTTP_PORT": str(port)}
    with subprocess.Popen([sys.executable, "-m", "api"], cwd=ROOT, env=whole) as process:
        try:
            eventually(lambda: status(port, "/livez") == 200, within_s=30)
            yield port, process
        finally:
            process.terminate()


def status(port: int, path: str) -> int:
    """Status of an answer on a new connection; 0 where there is none."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except OSError:
        return 0
    finally:
        connection.close()


def eventually(true: Callable[[], object], within_s: float = 5.0) -> None:
    """Returns when it is true; fails after the deadline."""
    until = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < until, "it did not come to pass"
        time.sleep(0.005)
