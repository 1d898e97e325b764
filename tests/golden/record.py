"""Adds to the golden library: `make golden`. Nothing in it is ever recorded over.

Without a file, what is missing is recorded: matches of recipes, events, shapes, choices.
"""

from __future__ import annotations

import gzip
import re
import sys
import zlib
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

import msgspec

from services.hosted import SNAPSHOT_SCHEMA
from services.matches.transcript import read
from services.matches.verify import verify
from services.registry import GAMES
from shared.errors import Refused
from tests.golden import choices, manifest
from tests.golden.library import (
    FOLDER,
    HALL,
    SHAPES,
    as_exported,
    event_path,
    load,
    name_of,
    own,
    packed,
    path_of,
    paths,
)
from tests.golden.recipes import Recipe
from tests.services.world import OWNER, World
from tests.toys import golden as toys

GZIP = b"\x1f\x8b"


class Unfit(Exception):
    """A file that can't be a golden match; the sentence says why."""


def recipes() -> Iterator[tuple[str, str, Recipe]]:
    """Slug, name and recipe of every golden match that has one: each game lists its own."""
    for slug, listed in {**{slug: own(slug).RECIPES for slug in GAMES}, **toys.RECIPES}.items():
        for name, recipe in listed.items():
            yield slug, name, recipe


def record_matches(folder: Path = FOLDER) -> None:
    """Plays the recipes that have no match yet."""
    missing = [row for row in recipes() if not path_of(*row[:2], folder).exists()]
    for number, (slug, name, recipe) in enumerate(missing, 1):
        world = World()
        match = recipe(world, slug)
        exported = b"".join(world.tycoon.queries.export(match, OWNER))
        manifest.add(path_of(slug, name, folder), packed(exported), folder)
        sys.stdout.write(f"{number}/{len(missing)} recorded {slug}/{name}\n")


def take(file: Path, name: str | None = None, folder: Path = FOLDER) -> Path:
    """Adds an exported transcript, packed or not; where it lies now.

    Raises:
        Refused: it is no transcript of a game that is known here.
        Unfit: it was never played so, or its name is none or is taken.
    """
    data = _exported(file)
    transcript = read(HALL, data)
    proof = verify(HALL[transcript.header.game], transcript)
    if not proof.holds:
        raise Unfit(f"It was never played so: {(*proof.draw_faults, *proof.decision_faults)[0]}.")
    if not as_exported(transcript, data):
        raise Unfit("Its header or its form is not what an export writes.")
    name = name or name_of(file).removesuffix(".jsonl")
    path = path_of(transcript.header.game, name, folder)
    if not re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", name):
        raise Unfit(f"{name!r} is no name: small letters, digits and single hyphens (--as NAME).")
    if path.exists():
        raise Unfit(f"There is a match {transcript.header.game}/{name} (--as NAME).")
    manifest.add(path, packed(data), folder)
    return path


def _exported(file: Path) -> bytes:
    data = file.read_bytes()
    if not data.startswith(GZIP):
        return data
    try:
        return gzip.decompress(data)
    except (EOFError, zlib.error) as broken:
        raise Unfit(f"It can't be unpacked: {broken}.") from broken


def record_events() -> None:
    """One stored event of each type and schema, taken from the golden matches."""
    for path in [p for slug in GAMES for p in paths(slug)] + paths("tictactoe"):
        for raw in load(path).stored:
            stored = msgspec.json.decode(raw)
            golden = event_path(stored["event"]["type"], stored["v"])
            if golden.exists() or stored["event"]["type"].startswith(("tictactoe.", "secrets.")):
                continue
            golden.parent.mkdir(exist_ok=True)
            golden.write_bytes(raw + b"\n")
            sys.stdout.write(f"recorded {golden.name}\n")


def record_shapes() -> None:
    """The shapes of all states that this `SNAPSHOT_SCHEMA` stands for, once."""
    known = msgspec.json.decode(SHAPES.read_bytes()) if SHAPES.exists() else {}
    if str(SNAPSHOT_SCHEMA) in known:
        return
    shapes = {slug: HALL[slug].shape for slug in sorted(GAMES)}
    newest = msgspec.json.encode({str(SNAPSHOT_SCHEMA): shapes})
    SHAPES.write_bytes(msgspec.json.format(newest, indent=2) + b"\n")
    sys.stdout.write(f"recorded the shapes of schema {SNAPSHOT_SCHEMA}\n")


def record_choices() -> None:
    """The choices of each level: those of new matches, and all where its version was raised."""
    before = choices.recorded()
    book = {
        slug: {
            level: choices.renewed(before.get(slug, {}).get(level), choices.chosen(slug, level))
            for level in choices.LEVELS
        }
        for slug in sorted(GAMES)
    }
    if book != before:
        choices.CHOICES.write_bytes(
            msgspec.json.format(msgspec.json.encode(book), indent=2) + b"\n"
        )
        sys.stdout.write("recorded choices\n")


def main(arguments: list[str], folder: Path = FOLDER) -> None:
    parser = ArgumentParser("python -m tests.golden.record", description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, help="an exported match, packed or not")
    parser.add_argument("--as", dest="name", help="what it shows; without it, the file's own name")
    asked = parser.parse_args(arguments)
    if asked.name and asked.file is None:
        parser.error("--as names the match of a file")
    try:
        if asked.file is None:
            record_matches(folder)
            record_events()
            record_shapes()
            record_choices()
        else:
            path = take(asked.file, asked.name, folder)
            sys.stdout.write(f"added {path.parent.name}/{name_of(path)}\n")
    except (Refused, Unfit, manifest.Changed, OSError) as wrong:
        raise SystemExit(str(wrong)) from wrong


if __name__ == "__main__":
    main(sys.argv[1:])
