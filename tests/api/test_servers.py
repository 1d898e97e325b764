"""The embedded servers: which one is taken, what it keeps, and each sentence of a failed start."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import redis

from api.cli import servers
from api.cli.servers import (
    EmbeddedServer,
    Role,
    SetupError,
    carried_server,
    find_server,
    free_port,
    free_ports,
)

PROGRAM = find_server(os.environ).path


def script(path: Path, body: str) -> Path:
    """A program of our own in place of a server."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def pretend_server(path: Path, version: str) -> Path:
    return script(path, f"echo 'Redis server v={version} sha=00000000:0 malloc=libc bits=64'")


@pytest.fixture
def embedded(tmp_path: Path) -> Callable[..., EmbeddedServer]:
    def build(port: int | None = None, role: Role = "events") -> EmbeddedServer:
        return EmbeddedServer(PROGRAM, port or free_port(), tmp_path / "data", role)

    return build


class TestFinding:
    def test_the_setting_comes_first(self, tmp_path: Path) -> None:
        pretend_server(tmp_path / "bin/redis-server", "8.0.1")
        named = pretend_server(tmp_path / "mine", "7.2.4")
        found = find_server({servers.SETTING: str(named), "PATH": str(tmp_path / "bin")})
        assert (found.path, found.version) == (named, (7, 2, 4))

    def test_then_a_server_on_the_path(self, tmp_path: Path) -> None:
        on_path = pretend_server(tmp_path / "valkey-server", "7.0.0")
        assert find_server({"PATH": str(tmp_path)}).path == on_path

    def test_an_old_one_on_the_path_is_passed_over(self, tmp_path: Path) -> None:
        pretend_server(tmp_path / "redis-server", "6.2.14")
        newer = pretend_server(tmp_path / "valkey-server", "8.1.0")
        assert find_server({"PATH": str(tmp_path)}).path == newer

    def test_then_the_one_in_the_wheel(self, tmp_path: Path) -> None:
        found = find_server({"PATH": str(tmp_path)})
        assert found.path == carried_server()
        assert found.version[:2] >= servers.MINIMUM

    def test_none_at_all(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(servers, "carried_server", lambda: None)
        with pytest.raises(
            SetupError, match=r"^No Redis or Valkey server of version 7\.0 or newer"
        ):
            find_server({"PATH": str(tmp_path)})

    def test_only_an_old_one(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(servers, "carried_server", lambda: None)
        pretend_server(tmp_path / "redis-server", "6.2.14")
        with pytest.raises(SetupError, match=r"redis-server is 6\.2\.14"):
            find_server({"PATH": str(tmp_path)})

    def test_the_setting_names_an_old_one(self, tmp_path: Path) -> None:
        old = pretend_server(tmp_path / "old", "6.0.16")
        with pytest.raises(SetupError, match=r"version 6\.0\.16; Tycoon needs 7\.0 or newer"):
            find_server({servers.SETTING: str(old), "PATH": os.environ["PATH"]})

    @pytest.mark.parametrize("body", [None, "exit 1", "echo I am no server"])
    def test_the_setting_names_no_server(self, tmp_path: Path, body: str | None) -> None:
        path = tmp_path / "program"
        if body is not None:
            script(path, body)
        with pytest.raises(SetupError, match="which is no Redis or Valkey server"):
            find_server({servers.SETTING: str(path), "PATH": os.environ["PATH"]})


class TestRunning:
    @pytest.mark.parametrize(("role", "fsync"), [("events", "always"), ("broker", "everysec")])
    def test_a_role_decides_how_safely_data_is_kept(
        self, embedded: Callable[..., EmbeddedServer], role: Role, fsync: str
    ) -> None:
        with embedded(role=role) as server, redis.Redis.from_url(server.url) as client:
            config = client.config_get("*")
        assert config["appendonly"] == "yes"
        assert config["appendfsync"] == fsync
        assert config["maxmemory-policy"] == "noeviction"
        assert config["save"] == ""
        assert config["bind"] == "127.0.0.1"

    def test_data_is_there_after_a_stop(self, embedded: Callable[..., EmbeddedServer]) -> None:
        with embedded() as server, redis.Redis.from_url(server.url) as client:
            client.xadd("stream", {"e": "1"}, id="0-1")
        assert not server.running
        with embedded() as server, redis.Redis.from_url(server.url) as client:
            assert client.xrange("stream") == [(b"0-1", {b"e": b"1"})]

    def test_what_was_acknowledged_is_there_after_a_crash(
        self, embedded: Callable[..., EmbeddedServer]
    ) -> None:
        with embedded() as server, redis.Redis.from_url(server.url) as client:
            for n in range(1, 201):
                client.xadd("stream", {"e": "1"}, id=f"0-{n}")
            server.kill()
        with embedded() as server, redis.Redis.from_url(server.url) as client:
            assert client.xlen("stream") == 200

    def test_ctrl_c_in_the_terminal_does_not_reach_it(
        self, embedded: Callable[..., EmbeddedServer]
    ) -> None:
        with embedded() as server:
            assert server.process is not None
            assert os.getpgid(server.process.pid) == server.process.pid != os.getpgrp()

    def test_a_server_that_hangs_is_killed(self, embedded: Callable[..., EmbeddedServer]) -> None:
        server = embedded()
        server.start()
        assert server.process is not None
        server.process.send_signal(signal.SIGSTOP)
        server.stop(deadline_s=0.1)
        assert server.process.returncode == -signal.SIGKILL

    def test_stopping_twice_or_before_the_start_is_harmless(
        self, embedded: Callable[..., EmbeddedServer]
    ) -> None:
        server = embedded()
        server.stop()
        with server:
            assert server.running
        server.stop()
        assert not server.running


class TestFailing:
    def test_a_busy_port(self, embedded: Callable[..., EmbeddedServer]) -> None:
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            server = embedded(other.getsockname()[1])
            with pytest.raises(SetupError, match=r"^Port \d+ can't be used for the events server"):
                server.start()
        assert not server.running

    def test_an_unwritable_folder(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        server = EmbeddedServer(PROGRAM, free_port(), tmp_path / "file" / "data", "events")
        with pytest.raises(SetupError, match=r"can't be written \(Not a directory\)"):
            server.start()

    def test_a_folder_in_use(self, embedded: Callable[..., EmbeddedServer]) -> None:
        with embedded() as first:
            assert first.process is not None
            with pytest.raises(SetupError, match=rf"in use by server process {first.process.pid}:"):
                embedded().start()
            assert first.running

    def test_a_program_that_cannot_be_run(self, tmp_path: Path) -> None:
        server = EmbeddedServer(tmp_path / "none", free_port(), tmp_path / "data", "broker")
        with pytest.raises(SetupError, match=r"none can't be run: No such file or directory\."):
            server.start()

    def test_a_server_that_gives_up_is_quoted(
        self, embedded: Callable[..., EmbeddedServer]
    ) -> None:
        with embedded() as server, redis.Redis.from_url(server.url) as client:
            client.set("key", "value")
        manifest = next(server.data_dir.glob("appendonlydir/*.manifest"))
        manifest.write_text("no manifest\n")
        again = embedded()
        with pytest.raises(SetupError, match=r"^The events server did not start: .*AOF"):
            again.start()
        assert not again.running

    def test_a_server_that_says_nothing(self, tmp_path: Path) -> None:
        silent = script(tmp_path / "silent", "exit 1")
        server = EmbeddedServer(silent, free_port(), tmp_path / "data", "broker")
        with pytest.raises(SetupError, match="did not start: it said nothing"):
            server.start()

    def test_a_server_that_never_answers(self, tmp_path: Path) -> None:
        deaf = script(tmp_path / "deaf", "exec sleep 60")
        server = EmbeddedServer(deaf, free_port(), tmp_path / "data", "broker")
        with pytest.raises(SetupError, match=r"did not answer within 0\.2 s"):
            server.start(deadline_s=0.2)
        assert not server.running


def test_without_a_server_the_suite_fails(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", __file__],
        cwd=Path(__file__).parents[2],
        env={**os.environ, servers.SETTING: str(tmp_path / "none")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert "the tests need a real server" in run.stderr
    assert "Traceback" not in run.stderr


def test_free_ports_are_different_and_nobody_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    found = free_ports(500)
    assert len(set(found)) == 500
    with socket.socket() as taken:
        taken.bind((servers.HOST, found[0]))
        monkeypatch.setattr(servers, "PORTS", found[:2])
        assert free_port() == found[1]
        with pytest.raises(SetupError, match="2 ports"):
            free_ports(2)
