"""Positions of matches in which every seat plays `greedy`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from services.bots.playout import fold, from_views, playout
from shared.game import AnyGame, Options


def choices(
    game: AnyGame, options: Options, seats: int, seeds: Iterable[bytes]
) -> list[tuple[Any, int]]:
    """Every state of a match for each seed, and who is asked in it."""
    found = []
    for seed in seeds:
        policies = [game.policies["greedy"]] * seats
        played = playout(game, options, seats, seed, from_views(game, policies, seed))
        state = game.initial(options, seats)
        for step in played.steps:
            state = fold(game, state, step.events)
            found += [(state, seat) for seat in game.active_seats(state)]
    return found
