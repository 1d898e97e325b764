"""What a search is told of this game: which moves are worth a look, and how a table promises."""

from __future__ import annotations

from collections.abc import Sequence

from services.games.mint_rails.moves import MintRailsMove
from services.games.mint_rails.policies import riches, unlike
from services.games.mint_rails.policies import worth as worth_of_move
from services.games.mint_rails.state import State, View
from services.games.mint_rails.visibility import state_of
from shared.chance import Chance
from shared.game import Foresight, Template

SWAY = 600
"""A lead of so much, ten cubes, is worth half of what is left to win."""

BEST = 8
"""So many moves are worth a look."""

HORIZON = 2
"""Moves of a playout: the tree looks ahead, and here each move of `greedy` takes a millisecond."""

EXPLORATION = 200
"""Nothing is left to chance: what a move was worth once it is worth again, or nearly so."""


def worth(state: State) -> tuple[int, ...]:
    """By seat, the mean over the other players of how surely it will be before them."""
    rich = riches(state)
    others = len(rich) - 1
    return tuple(
        sum(_lead(rich[seat] - other) for player, other in enumerate(rich) if player != seat)
        // others
        for seat in range(state.seats)
    )


def _lead(by: int) -> int:
    return 500 + 500 * by // (abs(by) + SWAY)


def rank(
    view: View, moves: Sequence[MintRailsMove | Template[MintRailsMove]], chance: Chance
) -> tuple[MintRailsMove, ...]:
    """The best by what `greedy` holds of them; of moves that are worth the same the first."""
    assert view.seat is not None, "a spectator has no moves"
    state, seat = state_of(view), view.seat
    order = sorted(unlike(moves), key=lambda move: worth_of_move(state, seat, move), reverse=True)
    return tuple(order[:BEST])


FORESIGHT: Foresight[State, View, MintRailsMove] = Foresight(
    playout="greedy", moves=HORIZON, worth=worth, rank=rank, exploration=EXPLORATION
)
