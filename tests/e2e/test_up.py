"""`tycoon up` as people use it: what it prints, how it ends, and why it does not start."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.cli.home import Home
from tests.e2e.harness import environment, eventually, survivors

pytestmark = pytest.mark.e2e

TYCOON = Path(sys.executable).parent / "tycoon"


class Up:
    """A running `tycoon up`."""

    def __init__(self, process: subprocess.Popen[bytes], output: Path) -> None:
        self.process = process
        self.output = output

    @property
    def said(self) -> str:
        return self.output.read_text()

    def find(self, pattern: str) -> str:
        found = re.search(pattern, self.said, re.MULTILINE)
        assert found, self.said
        return found[1]

    def match(self, match_id: str) -> dict[str, Any]:
        line = self.find(r"^  (curl .*/ID .*)$").replace("/ID", f"/{match_id}")
        return dict(json.loads(shell(line)))

    def ends(self, number: int) -> int:
        """Sends a signal; the exit code."""
        self.process.send_signal(number)
        return self.process.wait(20)


@contextmanager
def up(folder: Path, *, until: str = "Ctrl-C stops") -> Iterator[Up]:
    """Starts it and waits until it has said something: that it is up, if nothing else is asked."""
    output = folder.with_suffix(".out")
    with output.open("wb") as file:
        process = subprocess.Popen(
            [TYCOON, "up"], stdout=file, stderr=file, env=environment(folder)
        )
    running = Up(process, output)
    try:
        eventually(lambda: until in running.said or process.poll() is not None, 60)
        assert process.poll() is None, running.said
        yield running
    finally:
        process.kill()
        process.wait()


def shell(line: str) -> str:
    return subprocess.run(["sh", "-c", line], check=True, capture_output=True, text=True).stdout


def nothing_left(folder: Path) -> None:
    eventually(lambda: not survivors(folder), within_s=10)


def test_a_life_of_tycoon_up(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with up(folder) as first:
        assert first.find(r"API key +(tyk_\S+)$") in first.find(r"^  (curl .*seats.*)$")
        match = json.loads(shell(first.find(r"^  (curl .*seats.*)$")))["match"]["id"]
        eventually(lambda: first.match(match)["status"] == "ended", within_s=30)

        [ticker] = [p for p in survivors(folder) if "worker.ticker" in p.cmdline()]
        ticker.kill()
        eventually(lambda: "The ticker process ended (-9) and is started again" in first.said)
        eventually(lambda: any("worker.ticker" in p.cmdline() for p in survivors(folder)))

        first.process.kill()
        nothing_left(folder)

    with up(folder) as second:
        assert second.match(match)["status"] == "ended"
        assert second.find(r"API key +(tyk_\S+)$") == first.find(r"API key +(tyk_\S+)$")
        url = second.find(r"Tycoon is up on (http://127\.0\.0\.1:\d+)$")
        assert second.ends(signal.SIGTERM) == 0
        assert second.said.endswith("Tycoon has stopped.\n")
        nothing_left(folder)
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{url}/livez")


def test_ctrl_c_ends_it_before_it_is_up(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with up(folder, until="Starting Tycoon") as starting:
        eventually(lambda: any("api" in p.cmdline() for p in survivors(folder)))
        assert starting.ends(signal.SIGINT) == 0
        assert "Tycoon is up" not in starting.said
        nothing_left(folder)


def refused(folder: Path, *arguments: str, **settings: str) -> str:
    """What it says when it does not start: one sentence, and nothing stays behind."""
    ended = subprocess.run(
        [TYCOON, "up", *arguments],
        env=environment(folder, **settings),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 1, ended
    assert "Traceback" not in ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 1, ended.stderr
    nothing_left(folder)
    return ended.stderr


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        said = refused(tmp_path / "data", http_port=str(port))
        assert f"Port {port} of 127.0.0.1 can't be used (Address already in use)" in said
        assert "TYCOON_HTTP_PORT" in said
        assert f"Port {port} of" in refused(tmp_path / "data", "--port", str(port))


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    said = refused(tmp_path / "data")
    assert f"{tmp_path / 'data'} can't be used" in said
    assert "TYCOON_DATA_DIR" in said


def test_a_folder_in_use(tmp_path: Path) -> None:
    with Home(tmp_path / "data").held():
        assert f"in use by another `tycoon up` (process {os.getpid()})" in refused(
            tmp_path / "data"
        )


def test_a_server_that_is_too_old(tmp_path: Path) -> None:
    old = tmp_path / "redis-server"
    old.write_text("#!/bin/sh\necho 'Redis server v=6.2.14 sha=0:0 malloc=libc bits=64'\n")
    old.chmod(0o755)
    said = refused(tmp_path / "data", redis_server=str(old))
    assert "of version 6.2.14; Tycoon needs 7.0 or newer" in said


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"http_port": "many"}, "TYCOON_HTTP_PORT can't be used"),
        ({"server_key": "short"}, "TYCOON_SERVER_KEY must be set to at least 32"),
        ({"open_matches_limit": "-1"}, "TYCOON_OPEN_MATCHES_LIMIT must not be negative"),
    ],
)
def test_settings_that_cannot_be(tmp_path: Path, settings: dict[str, str], sentence: str) -> None:
    assert sentence in refused(tmp_path / "data", **settings)


def test_what_a_process_says_when_it_cannot_start_is_told(tmp_path: Path) -> None:
    said = refused(tmp_path / "data", extra_games="nowhere:GAME")
    assert re.search(
        r"The (worker|thinker|series|ticker|api) process ended at once: TYCOON_EXTRA_GAMES", said
    )
    assert re.search(r"its log is .*/logs/(worker|thinker|series|ticker|api)\.log", said)
