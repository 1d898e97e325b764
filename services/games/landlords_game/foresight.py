"""What a search is told of this game: which moves are worth a look, and how a table promises."""

from __future__ import annotations

from collections.abc import Sequence

from services.games.landlords_game.board import WAGES
from services.games.landlords_game.counting import count_up
from services.games.landlords_game.moves import BorrowBank, LandlordsMove
from services.games.landlords_game.policies import STOPS, greedy
from services.games.landlords_game.state import State, View
from shared.chance import Chance
from shared.game import Foresight, Move, Template

SWAY = 150
"""A lead of so many dollars is worth half of what is left to win."""


MOST_NOTES = 2


def worth(state: State) -> tuple[int, ...]:
    """By seat, the mean over the others of how surely it will be before them."""
    totals = expected_totals(state)
    return tuple(
        sum(_lead(mine - other) for seat, other in enumerate(totals) if seat != me)
        // (len(totals) - 1)
        for me, mine in enumerate(totals)
    )


def _lead(dollars: int) -> int:
    return 500 + 500 * dollars // (abs(dollars) + SWAY)


def expected_totals(state: State) -> list[int]:
    """What each seat would count now, with the wages and the rents that are still to come."""
    rows = count_up(state, "rounds").count_up
    left = [state.options.rounds - player.tally for player in state.players]
    laps = max(left)
    totals = [row.total + WAGES * passings for row, passings in zip(rows, left, strict=True)]
    stops = [laps * 40 - player.at for player in state.players]
    for lot, owner in enumerate(state.owners, 1):
        if owner is not None:
            for seat, way in enumerate(stops):
                if seat != owner:
                    rent = lot * way // (40 * STOPS)
                    totals[owner] += rent
                    totals[seat] -= rent
    return totals


def rank(
    view: View, moves: Sequence[LandlordsMove | Template[LandlordsMove]], chance: Chance
) -> tuple[LandlordsMove, ...]:
    """The choice of `greedy`, then all that is no loan or one of the Bank that is needed now."""
    best = greedy(view, moves, chance)
    useful = (move for move in moves if isinstance(move, Move) and _is_useful(view, move))
    return (best, *(move for move in useful if move != best))


def _is_useful(view: View, move: LandlordsMove) -> bool:
    """Money is borrowed when it is spent: a loan that is taken before only costs interest."""
    if not isinstance(move, BorrowBank) or view.phase == "debt":
        return True
    return view.phase in ("lot_choice", "luxury_choice") and move.notes <= MOST_NOTES


FORESIGHT: Foresight[State, View, LandlordsMove] = Foresight(
    playout="greedy", moves=40, worth=worth, rank=rank
)
