"""The closed-loop client against servers that behave as proxies do."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import pytest

from tests.bench.load.client import Loop, Site, Talk, percentile, request

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@contextmanager
def answering(*connections: list[bytes]) -> Iterator[Site]:
    """A server that sends these answers on each connection in turn, and closes it then."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(20)

        def serve() -> None:
            for answers in connections:
                peer, _ = server.accept()
                with peer:
                    for answer in answers:
                        peer.recv(65_536)
                        peer.sendall(answer)

        thread = Thread(target=serve, daemon=True)
        thread.start()
        yield Site.of(f"http://127.0.0.1:{server.getsockname()[1]}")
        thread.join()


def asking(count: int, bodies: list[bytes]) -> Talk:
    for _ in range(count):
        answer = yield request("GET", "/")
        assert answer.status == 200
        bodies.append(answer.body)


def test_what_a_closed_connection_left_unanswered_is_asked_again_on_a_new_one() -> None:
    bodies: list[bytes] = []
    with answering([ANSWER, ANSWER], [ANSWER]) as site, Loop(site, [asking(3, bodies)]) as loop:
        loop.run()
    assert bodies == [b"ok"] * 3


def test_a_server_that_closes_twice_over_a_request_fails_the_run() -> None:
    closed = pytest.raises(ConnectionError, match="closed a connection")
    with answering([], []) as site, Loop(site, [asking(1, [])]) as loop, closed:
        loop.run()


def test_an_answer_may_come_in_pieces_but_not_in_chunks() -> None:
    bodies: list[bytes] = []
    big = b"HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n" + b"x" * 300_000
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
    with answering([big, chunked]) as site, Loop(site, [asking(2, bodies)]) as loop:
        with pytest.raises(ConnectionError, match="in chunks"):
            loop.run()
        assert loop.received == len(big)
    assert bodies == [b"x" * 300_000]


def test_a_share_of_latencies_lies_below_a_percentile() -> None:
    assert percentile([n / 1_000 for n in range(100)], 0.99) == pytest.approx(99)
    assert percentile([0.002], 0.5) == pytest.approx(2)
