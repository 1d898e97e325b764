"""A sensible way to play from the view alone. All worths are in dollars at the count-up.

A lot costs nothing in the end, as its price counts in full: what it brings is the rents to come.
Cash matters only because without it one goes to the poor house. So: put cash into lots and
luxuries, but keep a reserve; borrow when what is bought brings more than the interest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from services.games.landlords_game.board import (
    BOARD,
    FINE,
    LEGACY,
    LUXURY_COUNTS,
    LUXURY_PRICE,
    NOTE,
    NOTE_INTEREST,
    Space,
    price_of,
    worth,
)
from services.games.landlords_game.legal import (
    BUY,
    DONE,
    FINE_PAID,
    LUXURY,
    NO_LUXURY,
    POORHOUSE,
    RENT,
    REPLIES,
    SURRENDER,
    THROW,
    Listed,
)
from services.games.landlords_game.loans import free_lots, notes_of
from services.games.landlords_game.moves import (
    BorrowBank,
    BuyTicket,
    LandlordsMove,
    MoveChecker,
    ProposeLoan,
    RepayBank,
    RepayLoan,
)
from services.games.landlords_game.routes import counted_from, route
from services.games.landlords_game.state import Due, Phase, Proposal, Table, View, owner_of
from services.games.landlords_game.templates import LoanTerms
from services.games.landlords_game.travel import rent_due
from shared.chance import Chance
from shared.game import Seat, Template

STOPS = 7
"""A round is about six throws of seven spaces: a checker stops on one space in so many."""

TICKET_RESERVE = 60
"""Cash to keep while buying tickets: there is no borrowing yet, nor any wages."""

COMFORT = 150
"""With more than this left, debts are repaid and fines are paid."""

MANY_UNOWNED = 16
"""So many unowned lots are worth leaving jail for."""

EARLY_WAGES = 10
"""What it is worth to have wages one turn earlier."""

SURE_INTEREST = 80
"""So much a borrower can pay out of the wages of the same passing."""

MISSED_TURN = 8
SENT_TO_JAIL = 15
CHARTER = 10


def greedy(
    view: View, moves: Sequence[LandlordsMove | Template[LandlordsMove]], chance: Chance
) -> LandlordsMove:
    """What a careful person would do; it draws nothing."""
    if view.seat is None:
        raise ValueError("a spectator has no moves")
    return CHOICES[view.phase](view, view.seat, moves)  # type: ignore[arg-type]  # what is listed


def _choose_tickets(view: Table, seat: Seat, moves: Sequence[Listed]) -> LandlordsMove:
    """The dearest lot that leaves the reserve: all lots return the same on their price."""
    spare = view.players[seat].cash - TICKET_RESERVE
    lots = [m for m in moves if isinstance(m, BuyTicket) and price_of(m.lot) <= spare]
    return max(lots, key=lambda move: move.lot, default=DONE)


def _choose_start(view: Table, seat: Seat, moves: Sequence[Listed]) -> LandlordsMove:
    """Repay what is not needed; leave jail while there are lots to win; throw."""
    cash = view.players[seat].cash
    unowned = sum(owner is None for owner in view.owners)
    if FINE_PAID in moves and unowned >= MANY_UNOWNED and cash - FINE >= COMFORT:
        return FINE_PAID
    for move in moves:
        if isinstance(move, RepayBank) and _passings_left(view, seat):
            if cash - NOTE * move.notes >= COMFORT:
                return move
        elif isinstance(move, RepayLoan):
            loan = next(loan for loan in view.player_loans if loan.number == move.loan)
            if loan.interest and cash - loan.principal >= COMFORT:
                return move
    return THROW


def _choose_move(view: Table, seat: Seat, moves: Sequence[Listed]) -> LandlordsMove:
    """The way that ends best."""
    start, total = counted_from(view, seat), sum(view.throw or ())

    def merit(move: MoveChecker) -> int:
        way = route(view, seat, start, total, move.direction, move.jump)
        wages = EARLY_WAGES * min(way.passings, _passings_left(view, seat))
        return wages + _worth_of_stop(view, seat, BOARD[way.to])

    return max((move for move in moves if isinstance(move, MoveChecker)), key=merit)


def _worth_of_stop(view: Table, seat: Seat, space: Space) -> int:
    match space.kind:
        case "lot":
            due = rent_due(view, seat, space)
            if due is None:
                return 0
            price = space.price or 0
            if owner_of(view, space.lot or 0) is None and _spare(view, seat) >= price:
                return _rents_to_come(view, seat, space)
            return -due.amount
        case "legacy":
            return LEGACY
        case "luxury":
            if _spare(view, seat) >= LUXURY_PRICE:
                return LUXURY_COUNTS - LUXURY_PRICE
            return -MISSED_TURN
        case "no_trespassing":
            return -SENT_TO_JAIL
        case "franchise":
            holder = next((c.seat for c in view.charters if c.space == space.index), None)
            return CHARTER if holder is None else 0 if holder == seat else -(space.amount or 0)
        case "public_park" | "mother_earth":
            return 0
        case "necessity" | "railroad":
            return -(space.amount or 0)


def _choose_lot(view: Table, seat: Seat, moves: Sequence[Listed]) -> LandlordsMove:
    """Buy if the reserve allows it, or if what it brings pays for a loan; else rent."""
    space = BOARD[view.players[seat].at]
    due = rent_due(view, seat, space)
    gain = _rents_to_come(view, seat, space) + (due.amount if due else 0)
    return _buy_or_borrow(view, seat, moves, BUY, space.price or 0, gain) or RENT


def _choose_luxury(view: Table, seat: Seat, moves: Sequence[Listed]) -> LandlordsMove:
    """A sure gain of 10, and no missed turn."""
    gain = LUXURY_COUNTS - LUXURY_PRICE
    return _buy_or_borrow(view, seat, moves, LUXURY, LUXURY_PRICE, gain) or NO_LUXURY


def _buy_or_borrow(
    view: Table,
    seat: Seat,
    moves: Sequence[Listed],
    buy: LandlordsMove,
    price: int,
    gain: int,
) -> LandlordsMove | None:
    short = price - _spare(view, seat)
    if short <= 0:
        return buy
    for move in moves:
        if isinstance(move, BorrowBank) and NOTE * move.notes >= short:
            interest = NOTE_INTEREST * move.notes * _passings_left(view, seat)
            return move if gain > interest else None
    return None


def _choose_in_debt(view: Table, seat: Seat, moves: Sequence[Listed]) -> LandlordsMove:
    """Surrender what is worth less than the debt; else the Bank, then players, then the house."""
    due, cash = view.dues[0], view.players[seat].cash
    if SURRENDER in moves and _is_cheaper_to_surrender(view, due):
        return SURRENDER
    loans = [move for move in moves if isinstance(move, BorrowBank)]
    if loans:
        enough = (move for move in loans if cash + NOTE * move.notes >= due.amount)
        return next(enough, loans[-1])
    terms = next((move for move in moves if isinstance(move, LoanTerms)), None)
    asked = terms and _ask_for_loan(view, seat, terms, due.amount - cash)
    if asked:
        return asked
    return SURRENDER if SURRENDER in moves else POORHOUSE


def _is_cheaper_to_surrender(view: Table, due: Due) -> bool:
    loan = next(loan for loan in view.player_loans if loan.number == due.loan)
    return worth(loan.lots) <= loan.principal + loan.interest


def _ask_for_loan(view: Table, seat: Seat, terms: LoanTerms, short: int) -> ProposeLoan | None:
    """From each other player once, the richest first, on terms that `_is_fair` would accept."""
    offers = [o for o in terms.offers if o.principal.high >= short and not o.refused]
    if not offers:
        return None
    offer = max(offers, key=lambda o: o.principal.high)
    principal = min(short + _reserve(view, seat), offer.principal.high)
    return ProposeLoan(
        role="borrow",
        other=offer.other,
        principal=principal,
        interest=(principal + 9) // 10,
        due_round=offer.due_round.high,
        lots=offer.lots,
    )


def _choose_reply(view: Table, seat: Seat, moves: Sequence[Listed]) -> LandlordsMove:
    accept, refuse = REPLIES
    return accept if view.proposal and _is_fair(view, seat, view.proposal) else refuse


def _is_fair(view: Table, seat: Seat, terms: Proposal) -> bool:
    """Lend for what surely comes back, at the Bank's rate or more; borrow at that rate or less."""
    rounds = terms.due_round - view.players[terms.borrower].tally
    at_the_rate = terms.principal * NOTE_INTEREST * rounds // NOTE
    if terms.lender == seat:
        back = rounds * min(terms.interest, SURE_INTEREST) + _recoverable(view, terms)
        return terms.principal <= _spare(view, seat) and back >= terms.principal + at_the_rate
    moderate = worth(terms.lots) <= 2 * terms.principal
    return moderate and terms.interest * rounds <= at_the_rate


def _recoverable(view: Table, terms: Proposal) -> int:
    """What of the principal is surely paid or surrendered: the security, or half the means."""
    if terms.lots:
        return min(terms.principal, worth(terms.lots))
    means = view.players[terms.borrower].cash + worth(free_lots(view, terms.borrower))
    return min(terms.principal, means // 2)


def _spare(view: Table, seat: Seat) -> int:
    return view.players[seat].cash - _reserve(view, seat)


def _reserve(view: Table, seat: Seat) -> int:
    """The highest rent that may fall due, a tax, and the interest of the next passing."""
    rents = (lot for lot, owner in enumerate(view.owners, 1) if owner not in (seat, None))
    own = sum(loan.interest for loan in view.player_loans if loan.borrower == seat)
    return max(rents, default=0) + 5 + NOTE_INTEREST * notes_of(view, seat) + own


def _passings_left(view: Table, seat: Seat) -> int:
    return view.options.rounds - view.players[seat].tally


def _rents_to_come(view: Table, seat: Seat, space: Space) -> int:
    """Rent from the others and saved rent of one's own, while rounds last."""
    rounds = sum(_passings_left(view, other) for other in range(len(view.players)))
    return (space.amount or 0) * rounds // STOPS


CHOICES: dict[Phase, Callable[[Table, Seat, Sequence[Listed]], LandlordsMove]] = {
    "ticket_buy": _choose_tickets,
    "turn_start": _choose_start,
    "move_choice": _choose_move,
    "lot_choice": _choose_lot,
    "luxury_choice": _choose_luxury,
    "debt": _choose_in_debt,
    "loan_reply": _choose_reply,
}
