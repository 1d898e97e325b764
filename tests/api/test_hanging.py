"""A store that takes connections and answers nothing: the API is unready, and alive."""

from __future__ import annotations

import http.client
import os
import re
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from api.cli.servers import EmbeddedServer, find_server, free_port
from tests.api.server import API_KEY
from tests.api.serving import eventually, serving, status
from tests.api.test_process import environment

PROCESSES, THREADS = 2, 16
FLOOD = 2 * PROCESSES * THREADS

PATIENCE_S = 5
"""A probe's."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedServer]:
    program = find_server(os.environ).path
    with EmbeddedServer(program, free_port(), tmp_path / "store", "events") as server:
        yield server


@contextmanager
def hanging(store: EmbeddedServer) -> Iterator[None]:
    assert store.process is not None
    store.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        store.process.send_signal(signal.SIGCONT)


def read(port: int, path: str, within_s: float, **headers: str) -> tuple[int, str]:
    """Status and text; an error where there is no answer in time."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=within_s)
    try:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def ask(port: int) -> int:
    """Something that the store must be asked for."""
    return read(port, "/v1/matches", 60, Authorization=f"Bearer {API_KEY}")[0]


def test_it_tells_that_it_lives_while_every_thread_waits_for_the_store(
    store: EmbeddedServer,
) -> None:
    beside = free_port()
    env = environment(
        store.url,
        TYCOON_METRICS_PORT=str(beside),
        TYCOON_HTTP_WORKERS=str(PROCESSES),
        TYCOON_HTTP_THREADS=str(THREADS),
    )
    with serving(env) as (port, _), ThreadPoolExecutor(FLOOD) as pool:
        eventually(lambda: status(port, "/readyz") == 200, within_s=30)
        assert ask(port) == 200
        with hanging(store):
            sent = [pool.submit(ask, port) for _ in range(FLOOD)]
            until = time.monotonic() + 4.0
            while time.monotonic() < until:
                assert read(beside, "/livez", PATIENCE_S)[0] == 200
                told, text = read(beside, "/metrics", PATIENCE_S)
                assert told == 200
            assert sum(not request.done() for request in sent) > PROCESSES * THREADS
            assert re.search(r'tycoon_http_requests_total\{.*route="/v1/matches".*\} 1\.0', text)
            assert 'tycoon_build_info{service="api"' in text
        assert {request.result() for request in sent} <= {200, 503}
        eventually(lambda: status(port, "/readyz") == 200, within_s=30)


def test_it_starts_unready_while_the_store_hangs(store: EmbeddedServer) -> None:
    with ExitStack() as until_it_goes_on, ExitStack() as stack:
        until_it_goes_on.enter_context(hanging(store))
        port, process = stack.enter_context(serving(environment(store.url)))
        assert status(port, "/readyz") == 503
        assert process.poll() is None
        until_it_goes_on.close()
        eventually(lambda: status(port, "/readyz") == 200, within_s=30)
        eventually(lambda: ask(port) == 200, within_s=30)
