"""Golden choices: what each level of each game does at moments of the golden matches.

A level that chooses otherwise must have another version: results of series name it. `python -m
tests.golden.record` records what is missing, and a level anew whose version was raised. Each game
names the matches whose moments are taken (`CHOSEN`): a search thinks long, and more would show no
more.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from services.bots.levels import exact_policy_for
from services.matches.state import AnyMatch, fold
from services.registry import GAMES
from shared.chance import Chance
from shared.envelope import ABSENT
from shared.game import AnyGame
from tests.golden.library import FOLDER, load, own, path_of

CHOICES = FOLDER / "choices.json"
LEVELS = ("random", "greedy", "search-20")
MOMENTS = 5
"""So many of each match."""


class Golden(msgspec.Struct, frozen=True):
    """A level of a game: its version, and the digest of its choices in each golden match."""

    version: int
    digests: dict[str, str]


Moment = tuple[Any, int]
"""A state, and the seat that has a choice there."""

Book = dict[str, dict[str, Golden]]
"""Game -> level -> what it chooses."""


def recorded() -> Book:
    return msgspec.json.decode(CHOICES.read_bytes(), type=Book) if CHOICES.exists() else {}


def chosen(slug: str, level: str) -> Golden:
    """What a level chooses now."""
    game = GAMES[slug]
    moments = {name: _moments(game, path_of(slug, name)) for name in sorted(own(slug).CHOSEN)}
    digests = {name: _digest(game, level, name, found) for name, found in moments.items() if found}
    return Golden(exact_policy_for(game, level).version, digests)


def faults(before: Golden, now: Golden) -> list[str]:
    """The matches in which a level of the same version chooses otherwise, or was not recorded."""
    if now.version < before.version:
        return ["its version went back"]
    if now.version > before.version:
        return ["its version was raised: record it"]
    return [name for name, digest in now.digests.items() if before.digests.get(name) != digest]


def renewed(before: Golden | None, now: Golden) -> Golden:
    """What is to be recorded: nothing that is there is written over without another version."""
    if before is None or now.version > before.version:
        return now
    return Golden(before.version, {**now.digests, **before.digests})


def _digest(game: AnyGame, level: str, name: str, moments: list[Moment]) -> str:
    policy = exact_policy_for(game, level)
    digest = hashlib.sha256()
    for number, (table, seat) in enumerate(moments):
        chance = Chance(hashlib.sha256(f"{name} {number}".encode()).digest())
        view, moves = game.view(table, seat), game.legal_moves(table, seat)
        # What a search thinks of the other moves changes long before its choice does.
        said = policy.choose if policy.think is None else policy.think
        digest.update(msgspec.json.encode(said(view, moves, chance)) + b"\n")
    return digest.hexdigest()[:16]


def _moments(game: AnyGame, path: Path) -> list[Moment]:
    found = [
        (table, seat)
        for table, seat in _moved(game, path)
        if len(game.legal_moves(table, seat)) > 1
    ]
    step = max(1, len(found) // MOMENTS)
    return found[step // 2 :: step][:MOMENTS]


def _moved(game: AnyGame, path: Path) -> Iterator[Moment]:
    """The state before each move of a match, and the seat that made it."""
    match: AnyMatch | None = None
    for envelope, following in pairwise(load(path).envelopes):
        match = fold(game, match, [envelope])
        if following.move is not ABSENT and following.seat is not None:
            yield match.table, following.seat
