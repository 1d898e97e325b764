"""Connections on which a server that takes no writes is a server that is away."""

from __future__ import annotations

from functools import cache
from typing import Any

from redis.exceptions import ConnectionError as Away
from redis.exceptions import OutOfMemoryError, ResponseError


@cache
def refusing(connection: type[Any]) -> type[Any]:
    """Such a kind of the library's connections: of a server that is full or can't save.

    For a client that tries again after a lost connection, and after no other error.
    """

    class Connection(connection):  # type: ignore[misc]  # of a kind that is known when it runs
        def read_response(self, *args: Any, **options: Any) -> Any:
            try:
                return super().read_response(*args, **options)
            except ResponseError as refused:
                full = isinstance(refused, OutOfMemoryError)
                if not full and not str(refused).startswith("MISCONF"):
                    raise
                # Answers to what else was sent along may still come, to nobody.
                self.disconnect()
                raise Away("The server takes no writes.") from refused

    return Connection
