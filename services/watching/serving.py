"""A small HTTP server beside a process's work: `/metrics` and `/livez`."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

from prometheus_client import CONTENT_TYPE_LATEST

from shared.settings import Settings, SettingsError

PATIENCE_S = 10.0
"""So long a client may take to ask."""

_summing = Lock()
# A process forked while a thread sums would inherit the folder's lock, and keep it for ever.
os.register_at_fork(
    before=_summing.acquire, after_in_parent=_summing.release, after_in_child=_summing.release
)


class _Server(ThreadingHTTPServer):
    daemon_threads = True


class _Server6(_Server):
    address_family = socket.AF_INET6


def serve(
    settings: Settings, *, metrics: Callable[[], bytes], trouble: Callable[[], str | None]
) -> ThreadingHTTPServer:
    """Answers in threads of its own for as long as the process lives.

    Args:
        metrics: the text of `/metrics`.
        trouble: why the process should be replaced, for `/livez`; it looks at nothing outside.

    Raises:
        SettingsError: the address can't be used.
    """

    class Handler(BaseHTTPRequestHandler):
        timeout = PATIENCE_S

        def do_GET(self) -> None:
            match self.path.partition("?")[0]:
                case "/metrics":
                    with _summing:
                        text = metrics()
                    self._answer(200, text, CONTENT_TYPE_LATEST)
                case "/livez":
                    found = trouble()
                    self._answer(503 if found else 200, (found or "ok").encode() + b"\n")
                case _:
                    self._answer(404, b"There is /metrics and /livez.\n")

        def _answer(self, status: int, body: bytes, kind: str = "text/plain") -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def version_string(self) -> str:
            return "tycoon"

        def log_message(self, format: str, *args: object) -> None:
            """Probes are not worth a line."""

    host, port = settings.http_host, settings.metrics_port
    try:
        server = (_Server6 if ":" in host else _Server)((host, port), Handler)
    except (OSError, OverflowError) as failed:
        raise SettingsError(
            f"TYCOON_METRICS_PORT {port} of {host} can't be used: {failed}."
        ) from failed
    Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return server
