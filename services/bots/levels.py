"""The levels of built-in bots: `random` for every game, and what the game itself knows to play."""

from __future__ import annotations

from typing import Any

from services.bots.random_bot import RANDOM
from shared.errors import Unprocessable
from shared.game import AnyGame, Policy


def levels(game: AnyGame) -> tuple[str, ...]:
    """The names of the game's levels, `random` first."""
    return ("random", *game.policies)


def policy_for(game: AnyGame, level: str) -> Policy[Any, Any]:
    """How a bot of this level plays. Raises `Unprocessable` where the game has no such level."""
    if level == "random":
        return RANDOM
    if level not in game.policies:
        raise Unprocessable(
            "match.unknown-level",
            f"{game.name.en} has no level {level!r}; it has {', '.join(levels(game))}.",
        )
    return game.policies[level]
