"""The measured constants, kept in `measured.json`, each with when and where it was measured."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from api.cli.servers import find_server
from tests.bench.load.sizes import Size

FILE = Path(__file__).with_name("measured.json")
QUIET = 0.5
"""Where the machine's load was above this before it began, CPU and times tell little."""


class When(msgspec.Struct):
    """When and on what something was measured."""

    date: str
    cores: int
    python: str
    server: str
    load: float
    """Of the machine in the minute before."""

    @property
    def quiet(self) -> bool:
        return self.load <= QUIET


class Matches(msgspec.Struct):
    """Of one game, for one match: its length, and its bytes by where they lie. Open ones are
    spread over their lives."""

    game: str
    moves: float
    events: float
    open: dict[str, float]
    ended: dict[str, float]


class Sweep(msgspec.Struct):
    """One sweep that found so many marks: ms by the clock, and of CPU of the two servers."""

    marks: int
    ms: float
    store_ms: float
    broker_ms: float


class Lists(msgspec.Struct):
    """A list with so many rows: us of the store's CPU for one row written, and bytes of a row."""

    rows: int
    write_us: float
    row_bytes: float


class Rest(msgspec.Struct):
    """What is measured apart from traffic."""

    matches: list[Matches]
    sweeps: list[Sweep]
    lists: list[Lists]
    fsync_us: float
    """Writing 4 KiB to a file and syncing it, median."""


class Constants(msgspec.Struct):
    """Everything that the page works with."""

    load_when: When
    load: list[Size]
    unsynced: Size
    """A run whose store synced its log each second only."""
    rest_when: When
    rest: Rest


def read() -> Constants:
    """The constants as kept."""
    return msgspec.json.decode(FILE.read_bytes(), type=Constants)


def now() -> When:
    """Asked before the measuring begins."""
    found = find_server(os.environ)
    kind = "Valkey" if "valkey" in found.path.name else "Redis"
    return When(
        date=datetime.now(UTC).date().isoformat(),
        cores=os.cpu_count() or 1,
        python=".".join(platform.python_version_tuple()[:2]),
        server=f"{kind} {'.'.join(map(str, found.version))}",
        load=round(os.getloadavg()[0], 2),
    )


def keep_load(sizes: Sequence[Size], unsynced: Size, when: When) -> None:
    """Keeps what the load generator found."""
    _write({"load": sizes, "unsynced": unsynced, "load_when": when})


def keep_rest(rest: Rest, when: When) -> None:
    """Keeps what was measured apart from it."""
    _write({"rest": rest, "rest_when": when})


def _write(part: dict[str, object]) -> None:
    kept = msgspec.json.decode(FILE.read_bytes()) if FILE.exists() else {}
    text = msgspec.json.encode({**kept, **msgspec.to_builtins(part)}, order="sorted")
    FILE.write_bytes(msgspec.json.format(text, indent=1) + b"\n")
