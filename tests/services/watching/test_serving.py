"""The small server beside a worker's work."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import httpx
import pytest

from api.cli.servers import free_port
from services.watching.serving import serve
from shared.settings import Settings, SettingsError

TROUBLE: list[str] = []


@pytest.fixture
def url() -> Iterator[str]:
    port = free_port()
    settings = Settings(metrics_port=port)
    server = serve(
        settings, metrics=lambda: b"tycoon_x 1\n", trouble=lambda: next(iter(TROUBLE), None)
    )
    yield f"http://127.0.0.1:{port}"
    TROUBLE.clear()
    server.shutdown()
    server.server_close()


def test_metrics(url: str) -> None:
    answer = httpx.get(f"{url}/metrics")
    assert (answer.status_code, answer.text) == (200, "tycoon_x 1\n")
    assert answer.headers["Content-Type"].startswith("text/plain; version=")


def test_it_lives_until_there_is_trouble(url: str) -> None:
    assert httpx.get(f"{url}/livez").status_code == 200
    TROUBLE.append("Nothing moves.")
    answer = httpx.get(f"{url}/livez")
    assert (answer.status_code, answer.text) == (503, "Nothing moves.\n")


def test_nothing_else_is_there(url: str) -> None:
    assert httpx.get(f"{url}/").status_code == 404
    assert httpx.post(f"{url}/metrics").status_code == 501


def test_a_port_that_is_taken_is_told_in_a_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        settings = Settings(metrics_port=taken.getsockname()[1])
        with pytest.raises(SettingsError, match=r"TYCOON_METRICS_PORT .* can't be used"):
            serve(settings, metrics=bytes, trouble=lambda: None)
