"""The golden library: recorded matches that every later build must fold to the same end.

`make golden` adds what is missing; nothing is ever recorded over.
"""

from __future__ import annotations

import gzip
import importlib
from pathlib import Path
from types import ModuleType

import msgspec

from services.hosted import Hall
from services.matches.transcript import Transcript, read, write
from services.registry import GAMES
from tests.toys import secrets, tictactoe

FOLDER = Path(__file__).parent
SUFFIX = ".jsonl.gz"
SHAPES = FOLDER / "shapes.json"
"""Schema of the projections -> game -> hash of its state's shape."""
HALL = Hall([*GAMES.values(), tictactoe.GAME, secrets.GAME])


def paths(slug: str = "*", folder: Path = FOLDER) -> list[Path]:
    return sorted(folder.glob(f"{slug}/*{SUFFIX}"))


def path_of(slug: str, name: str, folder: Path = FOLDER) -> Path:
    return folder / slug / f"{name}{SUFFIX}"


def name_of(path: Path) -> str:
    return path.name.removesuffix(SUFFIX)


def packed(transcript: bytes) -> bytes:
    """Nothing but the transcript is in it: no time, no name."""
    return gzip.compress(transcript, mtime=0)


def unpacked(path: Path) -> bytes:
    """A golden match's transcript as it was exported."""
    return gzip.decompress(path.read_bytes())


def load(path: Path) -> Transcript:
    return read(HALL, unpacked(path))


def as_exported(transcript: Transcript, data: bytes) -> bool:
    """Whether an export writes it so today; in the header, options may have come since."""
    again = write(HALL[transcript.header.game], transcript.match, transcript.stored)
    head, rest = next(again), b"".join(again)
    old, new = msgspec.json.decode(data.partition(b"\n")[0]), msgspec.json.decode(head)
    old["options"] = {**new["options"], **old["options"]}
    return data.partition(b"\n")[2] == rest and bool(old == new)


def own(slug: str) -> ModuleType:
    """A game's own module of golden matches: `RECIPES`, `CHOSEN` and `NEVER`."""
    return importlib.import_module(f"tests.games.{slug.replace('-', '_')}.golden")


def event_path(tag: str, v: int) -> Path:
    return FOLDER / "events" / f"{tag}.v{v}.json"
