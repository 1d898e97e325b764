"""A real Tycoon for tests: two servers, API, workers and ticker, with handles to hurt them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import httpx
import msgspec
import psutil

from api.cli import processes
from api.cli.home import Home
from api.cli.processes import Leash, Program
from api.cli.up import System

ROOT = Path(__file__).parents[2]
T = TypeVar("T")


def environment(folder: Path, **settings: str) -> dict[str, str]:
    """The environment of a Tycoon in `folder` that also hosts tic-tac-toe; port 0 is a free one."""
    given = {
        "TYCOON_DATA_DIR": str(folder),
        "TYCOON_HTTP_PORT": "0",
        "TYCOON_EXTRA_GAMES": "tests.toys.tictactoe:GAME",
        **{f"TYCOON_{name.upper()}": value for name, value in settings.items()},
    }
    inherited = {name: value for name, value in os.environ.items() if not _ours(name)}
    return {**inherited, "PYTHONPATH": str(ROOT), **given}


def _ours(name: str) -> bool:
    return name.startswith("TYCOON_") and name != "TYCOON_REDIS_SERVER"


@contextmanager
def running(
    folder: Path, prepare: Callable[[System], None] = lambda system: None, **settings: str
) -> Iterator[Running]:
    """A Tycoon that nobody supervises: what a test kills stays dead until the test starts it.

    With `events_url` it keeps its events there, and the server that it starts for them stays empty.

    Args:
        prepare: changes something before anything is started.
    """
    home = Home(folder)
    with home.held() as lock, Leash(lock) as leash:
        system = System(home, environment(folder, **settings), leash.group)
        if "events_url" in settings:
            _keep_events_at(system, settings["events_url"])
        prepare(system)
        try:
            system.start()
            yield Running(system)
        finally:
            system.stop()


def _keep_events_at(system: System, url: str) -> None:
    system.settings = msgspec.structs.replace(system.settings, events_url=url)
    for program in system.services.values():
        if isinstance(program, Program):
            program.env = {**program.env, "TYCOON_EVENTS_URL": url}


@dataclass
class Running:
    """Handles of a running Tycoon: events, broker, api, worker, thinker, series, ticker."""

    system: System

    @property
    def url(self) -> str:
        return self.system.url

    @property
    def api_key(self) -> str:
        return self.system.settings.bootstrap_api_key

    @property
    def operator_key(self) -> str:
        return self.system.settings.operator_key

    def client(self, credential: str | None = None) -> httpx.Client:
        """A client that shows the API key, or another credential."""
        headers = {"Authorization": f"Bearer {credential or self.api_key}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=30)

    # -- processes --------------------------------------------------------------------------

    def tree(self, name: str) -> list[psutil.Process]:
        """A process and those that it started."""
        process = self.system.services[name].process
        assert process is not None
        parent = psutil.Process(process.pid)
        return [parent, *parent.children(recursive=True)]

    def kill(self, name: str) -> None:
        """Ends a process and those that it started at once, as a crash of its machine would."""
        tree = self.tree(name)
        for process in tree:
            process.kill()
        self.system.services[name].process.wait()  # type: ignore[union-attr]  # tree() has looked
        psutil.wait_procs(tree, timeout=5)

    def stop(self, name: str, deadline_s: float = 10.0) -> None:
        """Asks a process to end, and waits."""
        processes.stop([self.system.services[name]], deadline_s)

    def start(self, name: str) -> None:
        """Starts a process again: a server on its old port and data."""
        self.system.services[name].start()

    def restart(self, name: str) -> None:
        """Kills a process and starts it again."""
        self.kill(name)
        self.start(name)

    def log(self, name: str) -> str:
        """What a process has said."""
        return self.system.services[name].log.read_text()

    # -- matches ----------------------------------------------------------------------------

    def match(self, game: str, *levels: str, **more: Any) -> str:
        """Creates a match of bots with these levels (a person for `person`); its id."""
        return str(self.created(game, *levels, **more)["match"]["id"])

    def created(self, game: str, *levels: str, **more: Any) -> dict[str, Any]:
        """Creates such a match; the whole answer."""
        seats = [_seat(level) for level in levels]
        with self.client() as client:
            answer = client.post("/v1/matches", json={"game": game, "seats": seats, **more})
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    def get(self, match: str) -> dict[str, Any]:
        """The match as the spectators see it."""
        with self.client() as client:
            answer = client.get(f"/v1/matches/{match}")
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def ended(self, match: str, within_s: float = 30.0) -> dict[str, Any]:
        """The match once it is over."""

        def over() -> dict[str, Any] | None:
            found = self.get(match)
            return found if found["status"] == "ended" else None

        return eventually(over, within_s)

    def events(self, match: str) -> list[dict[str, Any]]:
        """The whole log as the spectators see it."""
        found: list[dict[str, Any]] = []
        after = "0"
        with self.client() as client:
            while after is not None:
                page = client.get(f"/v1/matches/{match}/events", params={"after": after}).json()
                found += page["items"]
                after = page["next"]
        return found


def _seat(level: str) -> dict[str, str]:
    return {"kind": "person"} if level == "person" else {"kind": "bot", "level": level}


def eventually(find: Callable[[], T | None], within_s: float = 10.0) -> T:
    """What `find` gave as soon as it gave something; fails after the deadline."""
    until = time.monotonic() + within_s
    while not (found := find()):
        assert time.monotonic() < until, f"it did not come to pass within {within_s} s"
        time.sleep(0.02)
    return found


def says_yes(probe: str) -> bool:
    """Whether an API is there and its answer at this address is no refusal."""
    try:
        return httpx.get(probe).is_success
    except httpx.TransportError:
        return False


def survivors(folder: Path) -> list[psutil.Process]:
    """Processes that belong to the Tycoon of a data folder."""
    return [process for process in psutil.process_iter() if _belongs(process, str(folder))]


def _belongs(process: psutil.Process, folder: str) -> bool:
    try:
        return (
            process.status() != psutil.STATUS_ZOMBIE
            and process.environ().get("TYCOON_DATA_DIR") == folder
        )
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return False
