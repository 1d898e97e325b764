"""Two of every process of a Tycoon, and clients that go to the API which is ready."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from threading import Event, Thread
from typing import Any

import httpx

from api.cli import processes
from api.cli.home import Home
from api.cli.processes import Leash, Program
from api.cli.servers import free_port
from api.cli.up import System
from tests.e2e.harness import ROOT, Running, environment, eventually
from tests.e2e.tables import Table, seated
from tests.toys.tictactoe import NO_LINE

DRAIN_S = 1
PROBE_S = 0.02
PACE_S = 0.05
STARTED_S = 60.0
ANSWERED_S = 20.0
"""No command may take longer, whatever is restarted."""


@contextmanager
def fleet(folder: Path, *, following: Path | None = None) -> Iterator[Fleet]:
    """Two APIs, two workers and two thinkers over one store, and a ticker.

    Args:
        following: where the code of the next version lies, which the second of each runs.
    """
    home = Home(folder)
    with home.held() as lock, Leash(lock) as leash:
        two = Fleet(Running(System(home, environment(folder), leash.group)), following)
        try:
            two.start()
            yield two
        finally:
            two.stop()


@dataclass
class Fleet:
    """The processes by name (`api-a`, `worker-b`, ...) and what the clients met with."""

    system: Running
    following: Path | None = None
    programs: dict[str, Program] = field(default_factory=dict)
    urls: dict[str, str] = field(default_factory=dict)
    ready: dict[str, bool] = field(default_factory=dict)
    met: Counter[str] = field(default_factory=Counter)
    took: list[tuple[str, float]] = field(default_factory=list)
    over: Event = field(default_factory=Event)
    prober: Thread | None = None

    def start(self) -> None:
        """Returns when all of them work."""
        services = self.system.system.services
        for server in ("events", "broker"):
            services[server].start()
        for twin in "ab":
            port = str(self.system.system.settings.http_port if twin == "a" else free_port())
            self.urls[f"api-{twin}"] = f"http://127.0.0.1:{port}"
            more = {
                "TYCOON_HTTP_PORT": port,
                "TYCOON_HTTP_WORKERS": "1",
                "TYCOON_DRAIN_S": str(DRAIN_S),
            }
            if twin == "b" and self.following is not None:
                more["PYTHONPATH"] = f"{self.following}:{ROOT}"
                more["TYCOON_EXTRA_GAMES"] = "tests.toys.tictactoe_next:GAME"
            for name in ("api", "worker", "thinker"):
                self.programs[f"{name}-{twin}"] = self._twin(name, twin, more)
        self.programs["ticker"] = services["ticker"]  # type: ignore[assignment]  # it is a Program
        for program in self.programs.values():
            program.start()
        self.prober = Thread(target=self._probe)
        self.prober.start()
        for name in self.programs:
            self.wait_for(name)

    def _twin(self, name: str, twin: str, more: dict[str, str]) -> Program:
        model: Any = self.system.system.services[name]
        python, *rest = model.command
        command = [python, "-P", *rest]  # its code is where PYTHONPATH says, not where we are
        if name != "api":
            command += ["--heartbeat", str(self._heartbeat(f"{name}-{twin}"))]
        log = model.log.with_name(f"{name}-{twin}.log")
        return Program(command, {**model.env, **more}, log, group=model.group)

    def _heartbeat(self, name: str) -> Path:
        return Path(self.system.system.home.folder) / f"{name}.beat"

    def stop(self) -> None:
        self.over.set()
        if self.prober is not None:
            self.prober.join()
        processes.stop(list(self.programs.values()), 20)
        self.system.system.stop()

    def wait_for(self, name: str) -> None:
        """Until a process does what it is for."""
        if name in self.urls:
            eventually(lambda: self.ready.get(name), STARTED_S)
        elif name.startswith("worker"):
            eventually(self._heartbeat(name).exists, STARTED_S)

    def restart(self, name: str) -> None:
        """Asks a process to end, and starts it again; notes how long it took to end."""
        program = self.programs[name]
        begun = time.monotonic()
        assert program.process is not None
        program.process.terminate()
        code = program.process.wait(70)
        self.took.append((name, time.monotonic() - begun))
        assert code == 0, f"{name} ended with {code}"
        self._heartbeat(name).unlink(missing_ok=True)
        program.start()
        self.wait_for(name)

    def only(self, *names: str) -> None:
        """Lets these APIs, workers and thinkers run, and no other ones."""
        others = [p for name, p in self.programs.items() if name not in (*names, "ticker")]
        processes.stop(others, 30)
        for name in names:
            if not self.programs[name].running:
                self._heartbeat(name).unlink(missing_ok=True)
                self.programs[name].start()
        for name in names:
            self.wait_for(name)

    def said(self, name: str) -> str:
        """What a process has said."""
        return self.programs[name].log.read_text()

    def report(self) -> str:
        """How long each process took to stop."""
        return ", ".join(f"{name} {seconds:.1f} s" for name, seconds in self.took)

    # -- clients ----------------------------------------------------------------------------

    def _probe(self) -> None:
        """What a load balancer does: it asks every API all the time whether it is ready."""
        with self.clients() as clients:
            while not self.over.wait(PROBE_S):
                for name, client in clients.items():
                    try:
                        self.ready[name] = client.get("/readyz").is_success
                    except httpx.TransportError:
                        self.ready[name] = False

    def send(
        self, clients: dict[str, httpx.Client], path: str, body: Any, token: str, key: str
    ) -> dict[str, Any]:
        """One command under one key, sent until it is acknowledged; what was met is counted."""
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": key}
        begun = time.monotonic()
        while True:
            for name in [n for n, ready in sorted(self.ready.items()) if ready]:
                try:
                    answer = clients[name].post(path, json=body, headers=headers)
                except httpx.TransportError as cut:
                    self.met[type(cut).__name__] += 1
                    continue
                self.met[str(answer.status_code)] += 1
                if answer.status_code == 503:
                    continue
                assert answer.status_code == 201, answer.text
                return dict(answer.json())
            assert time.monotonic() - begun < ANSWERED_S, f"{path} is not answered: {self.met}"
            time.sleep(PROBE_S)

    @contextmanager
    def clients(self) -> Iterator[dict[str, httpx.Client]]:
        """A client for each API."""
        with ExitStack() as stack:
            made = {name: httpx.Client(base_url=url, timeout=20) for name, url in self.urls.items()}
            for client in made.values():
                stack.enter_context(client)
            yield made


@dataclass
class Crowd:
    """Persons who play one match after the other, and bots who do, until they are told to stop."""

    fleet: Fleet
    tables: list[Table] = field(default_factory=list)
    failures: list[BaseException] = field(default_factory=list)
    enough: Event = field(default_factory=Event)
    threads: list[Thread] = field(default_factory=list)

    @contextmanager
    def playing(self, *, persons: int, bots: int) -> Iterator[None]:
        """They play while the block runs, and end the matches that are begun then."""
        works = [(self._persons, n) for n in range(persons)] + [
            (self._bots, n) for n in range(bots)
        ]
        self.threads = [Thread(target=self._guard, args=(work, n)) for work, n in works]
        for thread in self.threads:
            thread.start()
        try:
            yield
        finally:
            self.enough.set()
            for thread in self.threads:
                thread.join()
        if self.failures:
            raise self.failures[0]

    def _guard(self, work: Any, number: int) -> None:
        try:
            with self.fleet.clients() as clients:
                for match in count():
                    if self.enough.is_set():
                        return
                    work(clients, f"{number}-{match}")
        except BaseException as failed:  # told by the thread that waits for this one
            self.failures.append(failed)

    def _persons(self, clients: dict[str, httpx.Client], name: str) -> None:
        new = {
            "game": "tictactoe",
            "seats": [{"kind": "person"}] * 2,
            "options": {"size": 5},
            "chance": {"first": 0},
        }
        table = self._create(clients, new, f"persons-{name}")
        for number, cell in enumerate(NO_LINE):
            seat, key, move = number % 2, f"move-{number}", {"type": "place", "at": cell}
            body, sent = (
                {"move": move, "expected_version": 3 + number},
                table.command(seat, key, move),
            )
            path = f"/v1/matches/{table.id}/moves"
            done = self.fleet.send(clients, path, body, table.tokens[seat], key)
            sent.acknowledged(done["version"] - len(done["events"]) + 1)
            self.enough.wait(PACE_S)  # the machine must also start processes

    def _bots(self, clients: dict[str, httpx.Client], name: str) -> None:
        new = {
            "game": "tictactoe",
            "seats": [{"kind": "bot", "level": level} for level in ("search-250ms", "random")],
            "pace_ms": 20,
        }
        match = self._create(clients, new, f"bots-{name}").id

        def over() -> bool:
            for api, client in clients.items():
                if self.fleet.ready.get(api):
                    found = self._get(client, match)
                    return bool(found and found["status"] == "ended")
            return False

        eventually(over, 3 * ANSWERED_S)

    def _get(self, client: httpx.Client, match: str) -> dict[str, Any] | None:
        headers = {"Authorization": f"Bearer {self.fleet.system.api_key}"}
        try:
            return dict(client.get(f"/v1/matches/{match}", headers=headers).json())
        except httpx.TransportError as cut:
            self.fleet.met[f"GET {type(cut).__name__}"] += 1
            return None

    def _create(self, clients: dict[str, httpx.Client], new: Any, key: str) -> Table:
        key, api_key = f"{key}-{id(self)}", self.fleet.system.api_key
        made = self.fleet.send(clients, "/v1/matches", new, api_key, key)
        table = seated(made, api_key, key)
        self.tables.append(table)
        return table
