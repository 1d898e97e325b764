"""A server whose answers get lost."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from select import select
from typing import Self


class Deaf:
    """A way to a server that passes requests on, but hangs up instead of some answers.

    Args:
        port: of the server.
        word: what is in the answers that never come.
    """

    def __init__(self, port: int, word: bytes) -> None:
        self._server = port
        self._word = word

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def __enter__(self) -> Self:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._callers: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._listen)]
        self._threads[0].start()
        return self

    def __exit__(self, *error: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._threads[0].join()
        for caller in self._callers:
            with suppress(OSError):  # that one has left
                caller.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        self._listener.close()

    def _listen(self) -> None:
        while True:
            try:
                caller, _ = self._listener.accept()
            except OSError:
                return
            self._callers.append(caller)
            self._threads.append(threading.Thread(target=self._serve, args=(caller,)))
            self._threads[-1].start()

    def _serve(self, caller: socket.socket) -> None:
        with caller, socket.create_connection(("127.0.0.1", self._server)) as server:
            while True:
                for side in select([caller, server], [], [])[0]:
                    said = side.recv(1 << 20)
                    if not said or (side is server and self._word in said):
                        return
                    (server if side is caller else caller).sendall(said)
