"""A closed-loop HTTP client in one thread: so cheap that the server stays the limit.

Each connection sends its next request when the answer to the last one is complete. What it sends is
a `Talk`: a generator that yields requests and is given their answers.
"""

from __future__ import annotations

import math
import selectors
import socket
import ssl
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple, Self
from urllib.parse import urlsplit

PIECE = 65_536
"""Bytes that are read at once."""

PATIENCE_S = 60


class Answer(NamedTuple):
    """A complete answer, and how long it took from the sending of its request."""

    status: int
    body: bytes
    seconds: float


Talk = Generator[bytes, Answer, None]


@dataclass(slots=True)
class Load:
    """What came back: seconds a request, and how many answers had which status."""

    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        return len(self.latencies) / self.seconds

    def percentile(self, share: float) -> float:
        """Latency in ms below which this share of requests lies."""
        return percentile(self.latencies, share)


def percentile(latencies: Iterable[float], share: float) -> float:
    """The same of any latencies in seconds; `nan` of none."""
    ordered = sorted(latencies)
    if not ordered:
        return math.nan
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1_000


class Site(NamedTuple):
    """Where the API answers."""

    host: str
    port: int
    tls: bool = False

    @classmethod
    def of(cls, url: str) -> Site:
        """The site of an address such as `https://play.example.com`; a path in it counts not."""
        parts = urlsplit(url)
        tls = parts.scheme == "https"
        return cls(parts.hostname or "127.0.0.1", parts.port or (443 if tls else 80), tls)

    def connect(self) -> socket.socket:
        sock = socket.create_connection((self.host, self.port), timeout=30)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if not self.tls:
            return sock
        return ssl.create_default_context().wrap_socket(sock, server_hostname=self.host)


def _read(sock: socket.socket) -> bytes:
    """What has come; nothing where the peer has left."""
    try:
        got = sock.recv(PIECE)
        while isinstance(sock, ssl.SSLSocket) and sock.pending():
            got += sock.recv(PIECE)
    except ConnectionResetError:
        return b""
    return got


def request(
    method: str,
    path: str,
    body: bytes = b"",
    token: str = "",
    *,
    key: str = "",
    host: str = "127.0.0.1",
) -> bytes:
    """The bytes of one request."""
    head = [f"{method} {path} HTTP/1.1", f"Host: {host}"]
    if token:
        head.append(f"Authorization: Bearer {token}")
    if key:
        head.append(f"Idempotency-Key: {key}")
    if body:
        head += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def run(port: int, requests: list[Iterator[bytes]], *, limit_s: float) -> Load:
    """Drives one connection for each iterator until all are used up, or for `limit_s` seconds."""
    load = Load()
    with Loop(Site("127.0.0.1", port), [_noted(row, load) for row in requests]) as loop:
        load.seconds = loop.run(limit_s)
    return load


def _noted(row: Iterator[bytes], load: Load) -> Talk:
    for wanted in row:
        answer = yield wanted
        load.latencies.append(answer.seconds)
        load.statuses[answer.status] = load.statuses.get(answer.status, 0) + 1


@dataclass(slots=True)
class _Connection:
    sock: socket.socket
    talk: Talk
    wanted: bytes = b""
    sent_at: float = 0.0
    buffer: bytearray = field(default_factory=bytearray)
    sent_again: bool = False


class Loop:
    """One connection for each talk, driven for a while, and again from where it stood."""

    def __init__(self, site: Site, talks: Iterable[Talk]) -> None:
        self.sent = 0
        self.received = 0
        self._site = site
        self._waiting = list(talks)
        self._selector = selectors.DefaultSelector()

    def run(self, limit_s: float = math.inf) -> float:
        """Until all talks are over, or for so long; the seconds it took.

        Requests that are under way at the limit stay so. A talk's exceptions come out here.

        Raises:
            ConnectionError: the server closed a connection twice over the same request.
            TimeoutError: it answers nothing at all.
        """
        begun = silent_since = time.perf_counter()
        while self._waiting:
            self._begin(self._waiting.pop())
        while self._selector.get_map() and time.perf_counter() - begun < limit_s:
            heard = self._selector.select(timeout=min(1.0, limit_s))
            silent_since = time.perf_counter() if heard else silent_since
            if time.perf_counter() - silent_since > PATIENCE_S:
                raise TimeoutError(f"the server answered nothing for {PATIENCE_S} s")
            for key, _ in heard:
                answer = self._receive(key.data)
                if answer is not None:
                    self._send_next(key.data, answer)
        return time.perf_counter() - begun

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        """Leaves all connections, whatever is under way."""
        for key in list(self._selector.get_map().values()):
            self._leave(key.data)
        self._selector.close()

    def _begin(self, talk: Talk) -> None:
        connection = _Connection(self._site.connect(), talk)
        self._selector.register(connection.sock, selectors.EVENT_READ, connection)
        self._send_next(connection, None)

    def _send_next(self, connection: _Connection, answer: Answer | None) -> None:
        try:
            wanted = next(connection.talk) if answer is None else connection.talk.send(answer)
        except StopIteration:
            self._leave(connection)
            return
        connection.wanted, connection.sent_again = wanted, False
        self._send(connection)

    def _send(self, connection: _Connection) -> None:
        connection.sent_at = time.perf_counter()
        self.sent += len(connection.wanted)
        with suppress(ConnectionError):  # reading will tell
            connection.sock.sendall(connection.wanted)

    def _receive(self, connection: _Connection) -> Answer | None:
        """A complete answer; `None` while more must come."""
        buffer = connection.buffer
        got = _read(connection.sock)
        if not got:
            self._connect_again(connection)
            return None
        buffer += got
        end = buffer.find(b"\r\n\r\n")
        if end < 0:
            return None
        head = bytes(buffer[:end]).lower()
        if b"\r\ntransfer-encoding:" in head:
            raise ConnectionError("an answer came in chunks, which this client does not read")
        at = head.find(b"\r\ncontent-length:")
        length = int(head[at + 17 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
        if len(buffer) < end + 4 + length:
            return None
        self.received += len(buffer)
        seconds = time.perf_counter() - connection.sent_at
        answer = Answer(int(buffer[9:12]), bytes(buffer[end + 4 :]), seconds)
        buffer.clear()
        return answer

    def _connect_again(self, connection: _Connection) -> None:
        """Proxies close connections after so many requests; ours are safe to send again."""
        if connection.buffer or connection.sent_again:
            raise ConnectionError("the server closed a connection")
        self._selector.unregister(connection.sock)
        connection.sock.close()
        connection.sock, connection.sent_again = self._site.connect(), True
        self._selector.register(connection.sock, selectors.EVENT_READ, connection)
        self._send(connection)

    def _leave(self, connection: _Connection) -> None:
        self._selector.unregister(connection.sock)
        connection.sock.close()
