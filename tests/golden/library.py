"""The golden library: recorded matches that every later build must fold to the same end.

`python -m tests.golden.record` adds what is missing; nothing is ever recorded over.
"""

from __future__ import annotations

from pathlib import Path

from services.hosted import Hall
from services.matches.transcript import Transcript, read
from services.registry import GAMES
from tests.toys import secrets, tictactoe

FOLDER = Path(__file__).parent
SHAPES = FOLDER / "shapes.json"
"""Schema of the projections -> game -> hash of its state's shape."""
HALL = Hall([*GAMES.values(), tictactoe.GAME, secrets.GAME])


def paths(slug: str = "*") -> list[Path]:
    return sorted(FOLDER.glob(f"{slug}/*.jsonl"))


def load(path: Path) -> Transcript:
    return read(HALL, path.read_bytes())


def event_path(tag: str, v: int) -> Path:
    return FOLDER / "events" / f"{tag}.v{v}.json"
