"""What a search is told of this game: which moves are worth a look, and how a table promises."""

from __future__ import annotations

from collections.abc import Sequence

from services.games.landlords_game.board import WAGES
from services.games.landlords_game.counting import count_up
from services.games.landlords_game.legal import BUY, LUXURY
from services.games.landlords_game.moves import (
    AcceptLoan,
    BorrowBank,
    BuyLot,
    BuyLuxury,
    BuyTicket,
    DeclineLuxury,
    GoPoorhouse,
    LandlordsMove,
    MoveChecker,
    PayFine,
    RefuseLoan,
    RentLot,
    SurrenderSecurity,
    Throw,
    TicketsDone,
)
from services.games.landlords_game.policies import STOPS, greedy
from services.games.landlords_game.state import Phase, State, View
from shared.chance import Chance
from shared.game import Foresight, Outcome, Template

SWAY = 150
"""A lead of so many dollars is worth half of what is left to win."""

TICKETS = 3
"""So many of the dearest tickets are looked at."""

HORIZON = 40
"""Moves of a playout: some two rounds of two players. In 30 positions, choices by the means of 48
playouts lost against those of `greedy` after 3 to 24 moves, and gained a dollar after 48 moves as
after whole matches."""

CAUTION = 2_000
"""`greedy` is hard to beat by a dollar or two, and what 60 whole matches say of two moves has a
standard error of some ten dollars. A search of 50 without caution, with more moves to look at and
rewards by place, won 35 % of 26 matches of two rounds; with all three changed, 48 % of 42, which
is not yet told apart from `greedy`."""

MATTERS: dict[Phase, tuple[type[LandlordsMove], ...]] = {
    "ticket_buy": (TicketsDone, BuyTicket),
    "turn_start": (Throw, PayFine),
    "move_choice": (MoveChecker,),
    "lot_choice": (RentLot, BuyLot),
    "luxury_choice": (DeclineLuxury, BuyLuxury),
    "debt": (SurrenderSecurity, GoPoorhouse, BorrowBank),
    "loan_reply": (AcceptLoan, RefuseLoan),
}


def worth(state: State) -> tuple[int, ...]:
    """How each seat stands by what it may expect to count in the end."""
    return _leads(expected_totals(state))


def reward(outcome: Outcome) -> tuple[int, ...]:
    """How each seat came out, on the same scale.

    By places alone a move would have to turn the match to be seen to be better: that is too rare.
    """
    return _leads(outcome.scores)


def _leads(totals: Sequence[int]) -> tuple[int, ...]:
    """By seat, the mean over the others of how far it is before them."""
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
    """The choice of `greedy`, then what else could matter: no loan that is not needed now.

    Loans taken ahead and early repayments differ from the choice of `greedy` by a dollar or two,
    and looks at them are looks lost to the others.
    """
    best = greedy(view, moves, chance)
    others = [move for move in moves if isinstance(move, MATTERS[view.phase]) and move != best]
    if view.phase == "ticket_buy":
        others = [*others[:1], *others[:0:-1][:TICKETS]]  # no more tickets, or the dearest
    if view.phase in ("lot_choice", "luxury_choice") and not isinstance(best, BorrowBank):
        loan = next((move for move in moves if isinstance(move, BorrowBank)), None)
        if loan is not None and BUY not in moves and LUXURY not in moves:
            others.append(loan)
    return (best, *others)


FORESIGHT: Foresight[State, View, LandlordsMove] = Foresight(
    playout="greedy", moves=HORIZON, worth=worth, reward=reward, rank=rank, caution=CAUTION
)
