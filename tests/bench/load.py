"""A closed-loop HTTP client in one thread: so cheap that the server stays the limit.

Each connection sends its next request when the answer to the last one is complete.
"""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, field


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
        ordered = sorted(self.latencies)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1_000


@dataclass(slots=True)
class _Connection:
    sock: socket.socket
    requests: Iterator[bytes]
    sent_at: float = 0.0
    buffer: bytearray = field(default_factory=bytearray)


def request(method: str, path: str, body: bytes = b"", token: str = "", port: int = 0) -> bytes:
    """The bytes of one request."""
    head = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    if token:
        head.append(f"Authorization: Bearer {token}")
    if body:
        head += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def run(port: int, requests: list[Iterator[bytes]], *, limit_s: float) -> Load:
    """Drives one connection for each iterator until all are used up, or for `limit_s` seconds."""
    load, selector = Load(), selectors.DefaultSelector()
    begun = time.perf_counter()
    for row in requests:
        sock = socket.create_connection(("127.0.0.1", port))
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = _Connection(sock, row)
        if _send(connection):
            selector.register(sock, selectors.EVENT_READ, connection)
    while selector.get_map() and time.perf_counter() - begun < limit_s:
        for key, _ in selector.select(timeout=1):
            connection = key.data
            status = _receive(connection)
            if status is None:
                continue
            load.latencies.append(time.perf_counter() - connection.sent_at)
            load.statuses[status] = load.statuses.get(status, 0) + 1
            if not _send(connection):
                selector.unregister(connection.sock)
                connection.sock.close()
    load.seconds = time.perf_counter() - begun
    for key in list(selector.get_map().values()):
        key.data.sock.close()
    return load


def _send(connection: _Connection) -> bool:
    wanted = next(connection.requests, None)
    if wanted is None:
        return False
    connection.sent_at = time.perf_counter()
    connection.sock.sendall(wanted)
    return True


def _receive(connection: _Connection) -> int | None:
    """The status of a complete answer; `None` while more must come."""
    got = connection.sock.recv(65_536)
    if not got:
        raise ConnectionError("the server closed a connection")
    buffer = connection.buffer
    buffer += got
    end = buffer.find(b"\r\n\r\n")
    if end < 0:
        return None
    head = bytes(buffer[:end]).lower()
    at = head.find(b"content-length:")
    length = int(head[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
    if len(buffer) < end + 4 + length:
        return None
    status = int(buffer[9:12])
    buffer.clear()
    return status
