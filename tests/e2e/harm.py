"""A Tycoon that can be harmed, and the kinds of harm."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil
import redis

from api.cli.processes import Program
from api.cli.servers import find_server
from api.cli.up import System
from tests.e2e.harness import ROOT, Running, eventually, running, says_yes
from tests.e2e.line import Line

OURS = ("api", "worker", "thinker", "series", "ticker")
TIMEOUT_MS = 2_000
SLACK_S = 8.0
"""On a busy machine a refusal takes longer than the store was waited for."""
LAST_WORDS = 2_000
STARTED_S = 40.0
"""So long an API that was killed just now may take until it answers."""


@contextmanager
def harmed(folder: Path, *, line: random.Random | None = None) -> Iterator[Harmed]:
    """A Tycoon whose clocks may jump; with chance for a `line`, its events server is behind one."""
    ahead = folder / "ahead"
    with ExitStack() as stack:
        lines: list[Line] = []

        def prepare(system: System) -> None:
            more = {
                "CLOCK_AHEAD_FILE": str(ahead),
                "PYTHONPATH": f"{Path(__file__).parent / 'skewed'}:{ROOT}",
            }
            if line is not None:
                to_port: int = system.services["events"].port  # type: ignore[attr-defined]  # a server
                lines.append(stack.enter_context(Line(to_port, line)))
                more["TYCOON_EVENTS_URL"] = lines[0].url
            for name in OURS:
                program = system.services[name]
                assert isinstance(program, Program)
                program.env = {**program.env, **more}

        server, timeout = _told_of_a_full_disk(folder), str(TIMEOUT_MS)
        with running(folder, prepare, redis_server=server, store_timeout_ms=timeout) as tycoon:
            yield Harmed(tycoon.system, ahead, lines[0] if lines else None)


def _told_of_a_full_disk(folder: Path) -> str:
    """A server that is told where its file can't grow, as on a full disk, and not killed for it."""
    script = folder / "server"
    script.write_text(f"#!/bin/sh\ntrap '' XFSZ\nexec '{find_server(os.environ).path}' \"$@\"\n")
    script.chmod(0o700)
    return str(script)


@dataclass
class Harmed(Running):
    """`ahead` holds the seconds that the clocks of our own processes are ahead."""

    ahead: Path
    line: Line | None = None
    said: int = 0
    """Length of the worker's log when it was started."""

    # -- processes --------------------------------------------------------------------------

    def alive(self) -> set[str]:
        """Which of our own processes are there; nobody starts them again."""
        return {name for name in OURS if self.system.services[name].running}

    def well(self) -> bool:
        """Whether every process is there and the API says so."""
        running = all(service.running for service in self.system.services.values())
        return running and says_yes(f"{self.url}/readyz")

    def worker_is_killed(self) -> None:
        """Once it has done something since it was killed last."""
        eventually(lambda: '"command": "advance"' in self.log("worker")[self.said :], STARTED_S)
        self.restart("worker")
        self.said = len(self.log("worker"))

    def store_is_killed(self) -> None:
        """While it is away every request is refused at once."""
        self.kill("events")
        self.refuses("store.unavailable", within_s=SLACK_S)
        self.start("events")

    def store_stands_still(self, seconds: float) -> None:
        """It takes connections and answers nothing, as one that is stuck on its disk."""
        until = time.monotonic() + seconds
        (server, *_) = self.tree("events")
        server.suspend()
        try:
            while time.monotonic() < until:
                self.refuses("store.unavailable", within_s=TIMEOUT_MS / 1000 + SLACK_S)
        finally:
            server.resume()

    def refuses(self, code: str, *, within_s: float) -> None:
        """A command is refused in time, and its client told when to come again."""
        eventually(lambda: says_yes(f"{self.url}/livez"), STARTED_S)
        begun = time.monotonic()
        answer = self.tries_to_begin()
        took = time.monotonic() - begun
        assert (answer.status_code, answer.json()["code"]) == (503, code), answer.text
        assert answer.headers["Retry-After"] == "1"
        assert took < within_s, f"the refusal took {took:.1f} s"

    def tries_to_begin(self) -> httpx.Response:
        """The answer to a command: a new match that can't be played by anybody."""
        new = {"game": "tictactoe", "seats": [{"kind": "open"}] * 2, "visibility": "private"}
        with self.client() as client:
            return client.post("/v1/matches", json=new)

    # -- the store --------------------------------------------------------------------------

    @contextmanager
    def store(self) -> Iterator[Any]:
        """A client of the events server itself."""
        with redis.Redis.from_url(self.system.settings.events_url) as client:
            yield client

    @contextmanager
    def store_is_full(self, room: int) -> Iterator[None]:
        """While the block runs it has room for so many bytes more, or too much in it already."""
        with self.store() as client:
            client.config_set("maxmemory", client.info("memory")["used_memory"] + room)
            try:
                yield
            finally:
                client.config_set("maxmemory", 0)

    def disk_is_full(self, room: int) -> None:
        """The events server's file gets no more than `room` bytes, until it is started again."""
        (server, *_) = self.tree("events")
        _, most = server.rlimit(psutil.RLIMIT_FSIZE)
        told = self.system.services["events"].log.stat().st_size + LAST_WORDS
        size = max(self.file().stat().st_size + room, told)  # the limit holds for its log, too
        server.rlimit(psutil.RLIMIT_FSIZE, (size, most))

    def file(self) -> Path:
        """What the events server appends to."""
        (found,) = (self.system.home.folder / "events" / "appendonlydir").glob("*.incr.aof")
        return found

    def ends(self, name: str, within_s: float) -> None:
        """Waits until a process has ended by itself."""
        eventually(lambda: not self.system.services[name].running, within_s)

    # -- clocks -----------------------------------------------------------------------------

    def clocks_jump(self, ahead_s: int) -> None:
        """The clocks of all our processes are so many seconds ahead of the servers' from now on."""
        draft = self.ahead.with_suffix(".new")
        draft.write_text(str(ahead_s))
        draft.replace(self.ahead)
