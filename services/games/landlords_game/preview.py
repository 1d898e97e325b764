"""What a legal move surely costs and brings, for people's clients."""

from __future__ import annotations

from typing import Any

from services.games.landlords_game.board import (
    BOARD,
    FINE,
    LUXURY_COUNTS,
    LUXURY_PRICE,
    NOTE,
    NOTE_INTEREST,
    WAGES,
    price_of,
    worth,
)
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
    ProposeLoan,
    RentLot,
    RepayBank,
    RepayLoan,
    SurrenderSecurity,
)
from services.games.landlords_game.routes import counted_from, route
from services.games.landlords_game.state import View, is_finished
from services.games.landlords_game.travel import rent_due
from shared.game import Seat


def preview(view: View, move: LandlordsMove) -> dict[str, Any]:
    """Facts for the view's own seat, which is the one to act.

    `cash`: the change of cash that is sure, except for a throw and what follows a `move`. Of a
    `move` also `to`, `passings`, `wages`; of loans `interest` at each passing, and the lots
    mortgaged, won or lost.
    """
    if view.seat is None:
        raise ValueError("a spectator has no moves")
    seat, space = view.seat, BOARD[view.players[view.seat].at]
    match move:
        case BuyTicket():
            return {"cash": -price_of(move.lot), "rent": move.lot}
        case BuyLot():
            return {"cash": -(space.price or 0), "rent": space.amount}
        case RentLot():
            due = rent_due(view, seat, space)
            return {"owed": due.amount if due else 0}
        case BuyLuxury():
            return {"cash": -LUXURY_PRICE, "counts_at_the_end": LUXURY_COUNTS}
        case DeclineLuxury():
            return {"cash": 0, "misses_turn": True}
        case PayFine():
            return {"cash": -FINE}
        case MoveChecker():
            return _of_move(view, seat, move)
        case AcceptLoan():
            return _of_accepting(view, seat)
        case GoPoorhouse():
            return {"cash": -view.players[seat].cash}
        case _:
            return _of_finance(view, seat, move)


def _of_move(view: View, seat: Seat, move: MoveChecker) -> dict[str, Any]:
    total = sum(view.throw or ())
    way = route(view, seat, counted_from(view, seat), total, move.direction, move.jump)
    left = view.options.rounds - view.players[seat].tally
    return {
        "to": way.to,
        "shortened": way.shortened,
        "passings": way.passings,
        "wages": WAGES * min(way.passings, left),
    }


def _of_accepting(view: View, seat: Seat) -> dict[str, Any]:
    terms = view.proposal
    if terms is None:
        return {}
    sign = 1 if terms.borrower == seat else -1
    return {
        "cash": sign * terms.principal,
        "interest": -sign * terms.interest,
        "mortgaged": list(terms.lots) if sign == 1 else [],
    }


def _of_finance(view: View, seat: Seat, move: LandlordsMove) -> dict[str, Any]:
    match move:
        case BorrowBank():
            return {
                "cash": NOTE * move.notes,
                "interest": -_bank_interest(view, seat, move.notes),
                "mortgaged": list(move.lots),
                "mortgaged_price": worth(move.lots),
            }
        case RepayBank():
            return {"cash": -NOTE * move.notes, "interest": _bank_interest(view, seat, move.notes)}
        case RepayLoan():
            loan = next(loan for loan in view.player_loans if loan.number == move.loan)
            return {"cash": -loan.principal, "interest": loan.interest, "freed": list(loan.lots)}
        case SurrenderSecurity():
            lost = [e for e in view.player_loans if e.number == view.dues[0].loan]
            return {"cash": 0, "lost": [lot for loan in lost for lot in loan.lots]}
        case ProposeLoan():
            return {"cash": 0, "proposals_left": _proposals_left(view) - 1}
        case _:
            return {}


def _bank_interest(view: View, seat: Seat, notes: int) -> int:
    """At each passing; who has finished pays none (LG-10.2)."""
    return 0 if is_finished(view, seat) else NOTE_INTEREST * notes


def _proposals_left(view: View) -> int:
    return view.options.proposals_per_turn - view.proposals
