"""What is played: the games, their options, and how far matches are when anybody looks."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from services.registry import GAMES


class Case(NamedTuple):
    """A game as it is played here. `moves` is the mean length of a match that is played so."""

    game: str
    seats: int
    options: dict[str, Any]
    moves: int


CASES = (
    Case("daifugo", 4, {"rounds": 1}, 100),
    Case("landlords-game", 2, {"rounds": 1}, 55),
    Case("mint-rails", 2, {}, 30),
    Case("filthy-rich", 2, {}, 145),
)
"""As short as their options allow, so that matches end and are replaced while we look."""

TEMPLATES = {
    case.game: {str(kind.__struct_config__.tag) for kind in GAMES[case.game].template_types}
    for case in CASES
}
"""Listed beside moves; a client who wants one fills in its ranges. There is always a move too."""


def ages(count: int, budget: int, seed: int) -> Iterator[tuple[Case, int]]:
    """A case for each of so many matches, and how many moves are played before anybody looks.

    All games in turn. As far as `budget` moves go, matches are spread evenly over their lives; the
    rest have just begun.
    """
    chance = random.Random(seed)
    mean = sum(case.moves for case in CASES) / len(CASES) / 2
    share = min(1.0, budget / (count * mean))
    for case in itertools.islice(itertools.cycle(CASES), count):
        yield case, chance.randrange(case.moves) if chance.random() < share else 0
