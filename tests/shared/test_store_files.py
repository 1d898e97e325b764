"""What is known of the servers' files, and how they are written anew."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from api.cli.servers import EmbeddedServer, find_server, free_port
from shared.redis_client import connect
from shared.redis_files import RedisFiles
from shared.store_files import FilesState, MemoryFiles, Rewriting, StoreFiles
from tests.shared.conftest import TIMEOUT_MS, eventually


@pytest.fixture(params=["memory", "product_redis", "product_cluster"])
def files(request: pytest.FixtureRequest) -> StoreFiles:
    if request.param == "memory":
        return MemoryFiles()
    return RedisFiles(request.getfixturevalue(request.param))


def counts(state: FilesState) -> tuple[int, int, int, int]:
    return state.noted, state.begun, state.done, state.asked_at


def test_counts_tell_how_far_the_files_are(files: StoreFiles) -> None:
    assert counts(files.look()) == (0, 0, 0, 0)
    files.note()
    files.note()
    assert counts(files.look()) == (2, 0, 0, 0)
    assert files.rewrite(1, now=7) is Rewriting.BEGUN
    assert counts(files.look()) == (2, 1, 0, 7)
    files.finish(1)
    assert counts(files.look()) == (2, 1, 1, 7)
    state = files.look()
    assert not state.failed


@pytest.fixture
def own(tmp_path: Path) -> Iterator[tuple[redis.Redis, Path]]:
    """A server that no other test has to wait for, and its folder."""
    program = find_server(os.environ).path
    with (
        EmbeddedServer(program, free_port(), tmp_path, "events") as server,
        redis.Redis.from_url(server.url) as client,
    ):
        yield client, tmp_path


def holding(folder: Path, text: bytes) -> bool:
    return any(text in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_a_rewritten_file_has_nothing_of_what_is_gone(own: tuple[redis.Redis, Path]) -> None:
    client, folder = own
    client.set("gone", "ZEBEDEE")
    client.set("kept", "BALTHASAR")
    client.delete("gone")
    assert holding(folder, b"ZEBEDEE"), "a control"
    files = RedisFiles(client)

    assert files.rewrite(3, now=1) is Rewriting.BEGUN

    state = eventually(lambda: found if not (found := files.look()).busy else None, 60)
    assert (state.begun, state.failed) == (3, False)
    assert eventually(lambda: not holding(folder, b"ZEBEDEE"), 60)
    assert holding(folder, b"BALTHASAR")


def test_the_log_of_slow_commands_is_emptied(own: tuple[redis.Redis, Path]) -> None:
    client, _ = own
    client.config_set("slowlog-log-slower-than", 0)
    client.set("a", "ZEBEDEE")
    assert "ZEBEDEE" in str(client.slowlog_get())
    RedisFiles(client).rewrite(1, now=1)
    assert "ZEBEDEE" not in str(client.slowlog_get())


def test_a_server_that_keeps_no_file_has_none_to_write(own: tuple[redis.Redis, Path]) -> None:
    client, _ = own
    client.config_set("appendonly", "no")
    assert RedisFiles(client).rewrite(1, now=1) is Rewriting.BEGUN
    assert not RedisFiles(client).look().busy


def test_a_server_that_is_at_it_is_asked_again_later(own: tuple[redis.Redis, Path]) -> None:
    client, _ = own
    client.config_set("rdb-key-save-delay", 100_000)  # us for each key: it stays at it
    client.mset({str(number): "x" for number in range(1_000)})
    files = RedisFiles(client)
    assert files.rewrite(1, now=1) is Rewriting.BEGUN
    assert files.look().busy
    assert files.rewrite(2, now=2) is Rewriting.BUSY
    assert counts(files.look()) == (0, 1, 0, 1)


def test_a_server_that_does_not_let_us_is_told_of(own: tuple[redis.Redis, Path]) -> None:
    client, _ = own
    client.execute_command("ACL SETUSER app on >app ~* +@all -bgrewriteaof")
    port = client.connection_pool.connection_kwargs["port"]
    app = connect(f"redis://app:app@127.0.0.1:{port}", timeout_ms=TIMEOUT_MS)
    assert RedisFiles(app).rewrite(1, now=5) is Rewriting.REFUSED
    assert counts(RedisFiles(app).look()) == (0, 0, 0, 5)
    app.close()
