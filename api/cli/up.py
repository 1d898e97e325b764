"""`tycoon up`: a whole Tycoon on this machine, until Ctrl-C."""

from __future__ import annotations

import json
import os
import shlex
import signal
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import IO

import click

from api.cli import processes, topology
from api.cli.home import Addresses, Home
from api.cli.processes import Leash, Service
from api.cli.servers import SetupError, free_port
from api.cli.supervisor import Supervisor
from shared.settings import Settings, SettingsError, from_env

READY_S = 60.0
TOLD_EVERY_S = 5.0


class Stopped(BaseException):
    """A signal asks for the end. No `Exception`: nothing on the way may take it for an error."""


@click.command("up")
@click.option("--port", type=int, help="Where to serve; 0 takes a free port. [TYCOON_HTTP_PORT]")
@click.option("--data-dir", type=click.Path(path_type=Path), help="Data folder. [TYCOON_DATA_DIR]")
def command(port: int | None, data_dir: Path | None) -> None:
    """Run servers, API, workers and ticker on this machine until Ctrl-C."""
    given: dict[str, str | int | Path] = {}
    if port is not None:
        given["http_port"] = port
    if data_dir is not None:
        given["data_dir"] = data_dir
    try:
        run(topology.environment(os.environ, given))
    except (SetupError, SettingsError) as failed:
        raise click.ClickException(str(failed)) from failed


def run(env: Mapping[str, str]) -> None:
    """Starts everything, watches it, and stops it when a signal comes.

    Raises:
        SetupError, SettingsError: it can't run here.
    """
    try:
        with _signals(), _home(from_env(env)) as (home, lock), Leash(lock) as leash:
            system = System(home, env, leash.group)
            try:
                system.start()
                click.echo(system.welcome())
                system.supervisor.watch()
            finally:
                system.stop()
    except Stopped:
        click.echo("Tycoon has stopped.")


@contextmanager
def _home(settings: Settings) -> Iterator[tuple[Home, IO[str]]]:
    home = Home(Path(settings.data_dir))
    with home.held() as lock:
        yield home, lock


@contextmanager
def _signals() -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise Stopped

    asked = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    earlier = {number: signal.signal(number, stop) for number in asked}
    try:
        yield
    finally:
        for number, handler in earlier.items():
            signal.signal(number, handler)


@dataclass
class System:
    """All processes of one Tycoon.

    Attributes:
        env: settings as asked for; the rest is filled in from the data folder.
        group: the process group that everything is started in.
    """

    home: Home
    env: Mapping[str, str]
    group: int
    services: dict[str, Service] = field(default_factory=dict)

    def __post_init__(self) -> None:
        secrets = self.home.secrets()
        store, broker = topology.servers(self.home, self.env, group=self.group)
        asked = from_env(self.env)
        filled: dict[str, str | int | Path] = {
            "events_url": store.url,
            "broker_url": broker.url,
            "server_key": asked.server_key or secrets.server_key,
            "operator_key": asked.operator_key or secrets.operator_key,
            "bootstrap_api_key": asked.bootstrap_api_key or secrets.api_key,
            "http_port": asked.http_port or free_port(),
            "data_dir": self.home.folder,
            **topology.STOPPING,
        }
        env = topology.environment(self.env, filled)
        self.settings = from_env(env)
        self.settings.check()
        must_be_free(self.settings.http_host, self.settings.http_port)
        self.home.tell(Addresses(events_url=store.url, broker_url=broker.url))
        self.services |= {"events": store, "broker": broker}
        self.services |= topology.programs(self.settings, self.home, env, group=self.group)
        self.supervisor = Supervisor(self.services, click.echo)

    @property
    def url(self) -> str:
        """Where this machine reaches the API."""
        host = self.settings.http_host
        everywhere = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}
        return f"http://{everywhere.get(host, host)}:{self.settings.http_port}"

    def start(self) -> None:
        """Returns when the API is ready to serve.

        Raises:
            SetupError: something can't be started, or is not ready in time.
        """
        click.echo(f"Starting Tycoon in {self.home.folder} ...")
        for service in self.services.values():
            service.start()
        began = told = time.monotonic()
        while (answer := ready(self.url)) != "ready":
            self.supervisor.must_run()
            now = time.monotonic()
            if now > began + READY_S:
                raise SetupError(
                    f"The API was not ready within {READY_S:g} s ({answer}); see {self.home.logs}."
                )
            if now > told + TOLD_EVERY_S:
                click.echo(f"Waiting for the API ({answer}) ...")
                told = now
            time.sleep(0.05)
        self.supervisor.must_run()

    def stop(self) -> None:
        """Stops everything in order, within 15 s."""
        for names, deadline_s in topology.STOP_ORDER:
            processes.stop([self.services[name] for name in names], deadline_s)

    def welcome(self) -> str:
        """What people want to know now."""
        return WELCOME.format(
            url=self.url,
            key=self.settings.bootstrap_api_key,
            logs=self.home.logs,
            data=self.home.folder,
            create=bot_match(self.url, self.settings.bootstrap_api_key),
        )


WELCOME = """
Tycoon is up on {url}

  API key    {key}
  API        {url}/docs
  Logs       {logs}

Start a match of five bots:

  {create}

Watch it, with its id from the answer in place of ID:

  curl -s {url}/v1/matches/ID -H 'Authorization: Bearer {key}'

Ctrl-C stops everything. The matches stay in {data}.
"""


def bot_match(url: str, api_key: str) -> str:
    """A line for the shell that creates a Daifugō match of five bots."""
    seats = [{"kind": "bot", "level": "greedy"} for _ in range(5)]
    return shlex.join(
        [
            *("curl", "-s", f"{url}/v1/matches"),
            *("-H", f"Authorization: Bearer {api_key}"),
            *("-H", "Content-Type: application/json"),
            *("-d", json.dumps({"game": "daifugo", "seats": seats})),
        ]
    )


def must_be_free(host: str, port: int) -> None:
    """Raises `SetupError` where somebody else serves already, or the address is not ours."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError) as failed:
            why = failed.strerror if isinstance(failed, OSError) else str(failed)
            raise SetupError(
                f"Port {port} of {host} can't be used ({why}): stop what uses it, or choose "
                "another port with --port or TYCOON_HTTP_PORT."
            ) from failed


def ready(url: str) -> str:
    """`ready`, or why not."""
    try:
        with urllib.request.urlopen(f"{url}/readyz", timeout=2):
            return "ready"
    except urllib.error.HTTPError as answer:
        return f"it answers {answer.code}"
    except OSError:
        return "it does not answer yet"
