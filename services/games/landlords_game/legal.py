"""Who must act and what is legal (LG-4). `legal_moves` lists exactly what `check` accepts."""

from __future__ import annotations

from collections.abc import Iterator

from services.games.landlords_game.board import (
    BOARD,
    FINE,
    LUXURY_PRICE,
    NOTE,
    price_of,
)
from services.games.landlords_game.debts import can_borrow_from_bank
from services.games.landlords_game.loans import (
    FINANCE_MOVES,
    bank_offers,
    free_lots,
    is_secured,
    loan_terms,
)
from services.games.landlords_game.moves import (
    AcceptLoan,
    BuyLot,
    BuyLuxury,
    BuyTicket,
    DeclineLuxury,
    GoPoorhouse,
    LandlordsMove,
    PayFine,
    RefuseLoan,
    RentLot,
    RepayBank,
    RepayLoan,
    SurrenderSecurity,
    Throw,
    TicketsDone,
)
from services.games.landlords_game.routes import routes
from services.games.landlords_game.state import SEATS, State, actor
from services.games.landlords_game.templates import BankTerms, LoanTerms
from services.games.landlords_game.tickets import lot_of
from shared.game import Seat

Listed = LandlordsMove | BankTerms | LoanTerms

NOBODY: frozenset[Seat] = frozenset()
ALONE = tuple(frozenset((seat,)) for seat in range(SEATS[-1] + 1))

DONE, THROW, FINE_PAID = TicketsDone(), Throw(), PayFine()
RENT, BUY = RentLot(), BuyLot()
LUXURY, NO_LUXURY = BuyLuxury(), DeclineLuxury()
SURRENDER, POORHOUSE = SurrenderSecurity(), GoPoorhouse()
REPLIES = (AcceptLoan(), RefuseLoan())


def active_seats(state: State) -> frozenset[Seat]:
    """Exactly one seat, until the match is over (LG-1.6)."""
    seat = actor(state)
    return NOBODY if seat is None else ALONE[seat]


def legal_moves(state: State, seat: Seat) -> tuple[Listed, ...]:
    """The moves of the phase, plain ones first, then what can be borrowed and repaid."""
    if seat != actor(state):
        return ()
    match state.phase:
        case "turn_start":
            return tuple(_turn_start(state, seat))
        case "loan_reply":
            return REPLIES
        case "move_choice":
            return tuple(route.move for route in routes(state, seat, state.throw or (0, 0)))
        case "lot_choice":
            return tuple(_lot_choice(state, seat))
        case "luxury_choice":
            return tuple(_luxury_choice(state, seat))
        case "debt":
            return tuple(_debt(state, seat))
        case "ticket_buy":
            return tuple(_ticket_buy(state, seat))
        case _:
            return ()


def _ticket_buy(state: State, seat: Seat) -> Iterator[Listed]:
    yield DONE
    for lot in sorted(map(lot_of, state.tickets[seat])):
        if price_of(lot) <= state.players[seat].cash:
            yield BuyTicket(lot=lot)


def _turn_start(state: State, seat: Seat) -> Iterator[Listed]:
    player = state.players[seat]
    yield THROW
    if player.place == "jail" and player.cash >= FINE:
        yield FINE_PAID
    yield from _borrowing(state, seat)
    if state.finance_moves >= FINANCE_MOVES:
        return
    for bank_loan in state.bank_loans:
        if bank_loan.borrower == seat:
            for notes in range(1, min(bank_loan.notes, player.cash // NOTE) + 1):
                yield RepayBank(loan=bank_loan.number, notes=notes)
    for loan in state.player_loans:
        if loan.borrower == seat and loan.principal <= player.cash:
            yield RepayLoan(loan=loan.number)


def _lot_choice(state: State, seat: Seat) -> Iterator[Listed]:
    player = state.players[seat]
    yield RENT
    if player.cash >= (BOARD[player.at].price or 0):
        yield BUY
    yield from _borrowing(state, seat)


def _luxury_choice(state: State, seat: Seat) -> Iterator[Listed]:
    yield NO_LUXURY
    if state.players[seat].cash >= LUXURY_PRICE:
        yield LUXURY
    yield from _borrowing(state, seat)


def _debt(state: State, seat: Seat) -> Iterator[Listed]:
    if is_secured(state, state.dues[0]):
        yield SURRENDER
    elif not can_borrow_from_bank(state, seat):
        yield POORHOUSE
    yield from _borrowing(state, seat)


def _borrowing(state: State, seat: Seat) -> Iterator[Listed]:
    """Of the Bank, where a loan in `debt` is not counted; then of and to players (LG-4.4)."""
    if state.phase == "debt" or state.finance_moves < FINANCE_MOVES:
        yield from bank_offers(free_lots(state, seat))
    terms = loan_terms(state, seat)
    if terms is not None:
        yield terms
