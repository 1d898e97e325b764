"""A process that is told to end while it starts ends, though it is the first of its container."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = ("celery", "granian", "flask", "structlog", "redis", "msgspec", "shared", "services")


def ignore() -> None:
    """As the kernel does for the first process of a container, which handles no signal yet."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


@pytest.mark.parametrize("module", ["api", "worker", "worker.ticker"])
def test_it_ends_before_its_imports_are_done(module: str) -> None:
    env = {**os.environ, "TYCOON_SERVER_KEY": "s" * 40, "TYCOON_HTTP_PORT": "0"}
    with subprocess.Popen(
        [sys.executable, "-X", "importtime", "-m", module],
        cwd=ROOT,
        env=env,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=ignore,  # it starts no thread
    ) as process:
        until = time.monotonic() + 30
        while process.poll() is None and time.monotonic() < until:
            process.send_signal(signal.SIGTERM)
            time.sleep(0.002)
        process.kill()
        assert process.stderr is not None
        imported = re.findall(r"\| +(\S+)$", process.stderr.read(), re.MULTILINE)
    assert process.returncode == 0
    assert imported
    assert not set(imported) & set(HEAVY)
