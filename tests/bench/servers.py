"""Servers of a benchmark: started for it, on this machine, and stopped with it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

from api.cli.servers import EmbeddedServer, find_server, free_port


@contextmanager
def events_server(fsync: str = "always") -> Iterator[str]:
    """The address of an events store; `fsync` is `always` as shipped, or `everysec`."""
    program = find_server(os.environ).path
    with (
        tempfile.TemporaryDirectory() as folder,
        EmbeddedServer(program, free_port(), Path(folder), "events") as server,
    ):
        with redis.Redis.from_url(server.url) as client:
            client.config_set("appendfsync", fsync)
        yield server.url
