"""How an API stops: it says that it is going, serves on for a while, and finishes what it has."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import psutil
import pytest
import redis

from tests.api.server import API_KEY, PERSON
from tests.api.serving import eventually, serving, status
from tests.api.test_process import environment

NEW = {"game": "tictactoe", "seats": [PERSON, PERSON]}
HEADERS = {"Authorization": f"Bearer {API_KEY}", "Content-Type": "application/json"}
PROCESSES = 2


@contextmanager
def started(redis_url: str, **more: str) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    env = environment(redis_url, TYCOON_HTTP_WORKERS=str(PROCESSES), **more)
    with serving(env) as (port, process):
        # All of its processes: each has its own queue of connections.
        eventually(lambda: all(status(port, "/readyz") == 200 for _ in range(20)), within_s=30)
        yield port, process


def create(connection: http.client.HTTPConnection) -> http.client.HTTPResponse:
    connection.request("POST", "/v1/matches", json.dumps(NEW), HEADERS)
    answer = connection.getresponse()
    answer.body = answer.read()  # type: ignore[attr-defined]  # for whoever asks
    return answer


def connect(port: int) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", port, timeout=20)


def test_it_serves_on_while_it_says_that_it_is_going(
    real_redis: redis.Redis, redis_url: str
) -> None:
    with started(redis_url, TYCOON_DRAIN_S="2") as (port, process):
        kept = [connect(port) for _ in range(8)]
        assert {create(connection).status for connection in kept} == {201}

        process.terminate()
        told = time.monotonic()
        eventually(lambda: status(port, "/readyz") == 503)
        assert {status(port, "/readyz") for _ in range(20)} == {503}
        connection = connect(port)
        connection.request("GET", "/readyz")
        problem = json.load(connection.getresponse())
        assert (problem["code"], problem["detail"]) == (
            "request.stopping",
            "This server is stopping; ask another one.",
        )
        assert status(port, "/livez") == 200
        # Both on new connections and on kept ones, which end with their answer.
        last = [create(connection) for connection in [*kept, connect(port)]]
        assert {answer.status for answer in last} == {201}
        assert {answer.headers["Connection"] for answer in last} == {"close"}
        assert process.wait(10) == 0
        assert 2.0 <= time.monotonic() - told < 4.0
        assert status(port, "/livez") == 0


def test_requests_in_flight_are_finished(real_redis: redis.Redis, redis_url: str) -> None:
    patient = {"TYCOON_STORE_TIMEOUT_MS": "30000", "TYCOON_FINISH_S": "30"}
    with started(redis_url, **patient) as (port, process), ThreadPoolExecutor(8) as pool:
        real_redis.execute_command("CLIENT", "PAUSE", 30_000, "WRITE")
        try:
            sent = [pool.submit(lambda: create(connect(port))) for _ in range(8)]
            eventually(lambda: real_redis.info("clients")["blocked_clients"] >= 8, within_s=15)
            process.terminate()
            eventually(lambda: status(port, "/livez") == 0)
            assert not any(future.done() for future in sent), "they are still in flight"
        finally:
            real_redis.execute_command("CLIENT", "UNPAUSE")
        assert {future.result().status for future in sent} == {201}
        assert process.wait(10) == 0


def test_a_second_signal_ends_it_at_once(real_redis: redis.Redis, redis_url: str) -> None:
    with started(redis_url, TYCOON_DRAIN_S="30") as (port, process):
        family = psutil.Process(process.pid).children(recursive=True)
        assert len(family) == PROCESSES
        process.send_signal(signal.SIGINT)
        eventually(lambda: status(port, "/readyz") == 503)
        process.send_signal(signal.SIGTERM)
        assert process.wait(1) == 128 + signal.SIGTERM
        assert psutil.wait_procs(family, timeout=1)[1] == []


def test_ctrl_c_for_all_processes_is_a_stop_like_any_other(
    real_redis: redis.Redis, redis_url: str
) -> None:
    """A terminal sends it to the children as well."""
    with started(redis_url, TYCOON_DRAIN_S="1") as (port, process):
        for member in [*psutil.Process(process.pid).children(), psutil.Process(process.pid)]:
            member.send_signal(signal.SIGINT)
        eventually(lambda: status(port, "/readyz") == 503)
        assert create(connect(port)).status == 201
        assert process.wait(10) == 0


@pytest.mark.parametrize("seconds", [0.0, 0.3])
def test_a_stop_that_comes_while_it_starts(
    real_redis: redis.Redis, redis_url: str, seconds: float
) -> None:
    env = {**os.environ, **environment(redis_url), "TYCOON_HTTP_PORT": "0"}
    with subprocess.Popen([sys.executable, "-m", "api"], env=env) as process:
        eventually(lambda: psutil.Process(process.pid).children(), within_s=30)
        time.sleep(seconds)
        process.terminate()
        assert process.wait(5) == 0
