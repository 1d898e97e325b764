"""What the rules forbid, with one code and one rule number for each reason (LG-4.8)."""

from __future__ import annotations

from services.games.landlords_game.board import (
    BOARD,
    FINE,
    LUXURY_PRICE,
    MARGIN,
    NOTE,
    price_of,
    worth,
)
from services.games.landlords_game.debts import can_borrow_from_bank
from services.games.landlords_game.loans import FINANCE_MOVES, free_lots, is_secured, own_lots
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
    RefuseLoan,
    RentLot,
    RepayBank,
    RepayLoan,
    SurrenderSecurity,
    Throw,
    TicketsDone,
)
from services.games.landlords_game.routes import (
    counted_from,
    directions,
    has_pass,
    passed_railroads,
    rides,
    route,
)
from services.games.landlords_game.state import Phase, State, Table, actor, is_finished
from services.games.landlords_game.templates import same_terms
from services.games.landlords_game.tickets import ticket_of
from shared.errors import IllegalMove
from shared.game import Seat

COMMANDS: dict[Phase, tuple[type[LandlordsMove], ...]] = {
    "ticket_buy": (BuyTicket, TicketsDone),
    "turn_start": (Throw, PayFine, BorrowBank, RepayBank, ProposeLoan, RepayLoan),
    "move_choice": (MoveChecker,),
    "lot_choice": (BuyLot, RentLot, BorrowBank, ProposeLoan),
    "luxury_choice": (BuyLuxury, DeclineLuxury, BorrowBank, ProposeLoan),
    "debt": (BorrowBank, ProposeLoan, SurrenderSecurity, GoPoorhouse),
    "loan_reply": (AcceptLoan, RefuseLoan),
}
"""The table of LG-4."""


def check(state: State, seat: Seat, move: LandlordsMove) -> None:
    """Raises `IllegalMove` where the rules forbid the move; of several reasons the first."""
    _check_asked(state, seat)
    if not isinstance(move, COMMANDS[state.phase]):
        raise IllegalMove("landlords-game.not-now", "LG-4.7", "This is not what you are asked now.")
    _check_finance_moves(state, move)
    match move:
        case BuyTicket():
            _check_buy_ticket(state, seat, move)
        case PayFine():
            _check_pay_fine(state, seat)
        case MoveChecker():
            _check_move(state, seat, move)
        case BuyLot():
            price = BOARD[state.players[seat].at].price or 0
            _check_cash(state, seat, price, "landlords-game.lot-too-dear", "LG-6.2")
        case BuyLuxury():
            _check_cash(state, seat, LUXURY_PRICE, "landlords-game.luxury-too-dear", "LG-7.7")
        case BorrowBank():
            _check_borrow_bank(state, seat, move)
        case RepayBank():
            _check_repay_bank(state, seat, move)
        case ProposeLoan():
            _check_propose_loan(state, seat, move)
        case RepayLoan():
            _check_repay_loan(state, seat, move)
        case SurrenderSecurity():
            if not is_secured(state, state.dues[0]):
                raise IllegalMove(
                    "landlords-game.no-security", "LG-9.2", "Nothing is pledged for this debt."
                )
        case GoPoorhouse():
            _check_go_poorhouse(state, seat)


def _check_asked(state: State, seat: Seat) -> None:
    acting = actor(state)
    if acting is None:
        raise IllegalMove("landlords-game.over", "LG-1.6", "The match is over.")
    if acting != seat:
        raise IllegalMove("landlords-game.not-asked", "LG-1.6", "Another player is to act.")


def _check_finance_moves(state: State, move: LandlordsMove) -> None:
    """LG-4.4: a bank loan made in `debt` is not counted."""
    if isinstance(move, ProposeLoan):
        most = state.options.proposals_per_turn
        if state.proposals >= most:
            raise IllegalMove(
                "landlords-game.proposals-used-up",
                "LG-4.4",
                f"At most {most} proposals can be made in a turn.",
            )
    counted = isinstance(move, RepayBank | ProposeLoan | RepayLoan) or (
        isinstance(move, BorrowBank) and state.phase != "debt"
    )
    if counted and state.finance_moves >= FINANCE_MOVES:
        raise IllegalMove(
            "landlords-game.finance-moves-used-up", "LG-4.4", "A turn has at most 10 finance moves."
        )


def _check_cash(state: State, seat: Seat, price: int, code: str, rule: str) -> None:
    cash = state.players[seat].cash
    if cash < price:
        raise IllegalMove(code, rule, f"This costs {price}; you have {cash}.")


def _check_buy_ticket(state: State, seat: Seat, move: BuyTicket) -> None:
    if ticket_of(move.lot) not in state.tickets[seat]:
        raise IllegalMove(
            "landlords-game.not-your-ticket", "LG-3.4", "You do not hold the ticket of this lot."
        )
    _check_cash(state, seat, price_of(move.lot), "landlords-game.ticket-too-dear", "LG-3.4")


def _check_pay_fine(state: State, seat: Seat) -> None:
    if state.players[seat].place != "jail":
        raise IllegalMove(
            "landlords-game.not-in-jail", "LG-8.2", "Only who is in jail can pay the fine."
        )
    _check_cash(state, seat, FINE, "landlords-game.fine-too-dear", "LG-8.2")


def _check_move(state: State, seat: Seat, move: MoveChecker) -> None:
    throw = state.throw or (0, 0)
    if move.direction not in directions(state, seat):
        raise IllegalMove(
            "landlords-game.no-backward",
            "LG-11.2",
            "Backward moves are for those who have finished and have no debt.",
        )
    if move.jump is None:
        return
    if not has_pass(throw):
        raise IllegalMove(
            "landlords-game.no-pass", "LG-7.4", "Only a double gives a railroad pass."
        )
    plain = route(state, seat, counted_from(state, seat), sum(throw), move.direction)
    if move.jump.from_ not in passed_railroads(plain):
        raise IllegalMove(
            "landlords-game.railroad-not-passed", "LG-7.4", "This move does not pass over `from`."
        )
    if move.jump.to not in rides(state, move.jump.from_, move.direction):
        raise IllegalMove(
            "landlords-game.no-such-ride", "LG-7.5", "The railroad does not go to `to` from there."
        )


def _check_borrow_bank(state: State, seat: Seat, move: BorrowBank) -> None:
    if move.notes < 1:
        raise IllegalMove("landlords-game.no-notes", "LG-10.1", "`notes` must be at least 1.")
    _check_pledge(state, seat, move.lots, "LG-10.1")
    needed = NOTE * move.notes + MARGIN
    if worth(move.lots) < needed:
        raise IllegalMove(
            "landlords-game.too-little-security",
            "LG-10.1",
            f"The price of the `lots` must be at least {needed} together.",
        )


def _check_pledge(table: Table, seat: Seat, lots: tuple[int, ...], rule: str) -> None:
    if len(set(lots)) != len(lots):
        raise IllegalMove("landlords-game.lot-named-twice", rule, "`lots` names a lot twice.")
    if not set(lots) <= set(own_lots(table, seat)):
        raise IllegalMove(
            "landlords-game.lot-not-owned", rule, "`lots` must be the borrower's own."
        )
    if not set(lots) <= set(free_lots(table, seat)):
        raise IllegalMove(
            "landlords-game.lot-mortgaged", rule, "`lots` must be free of any mortgage."
        )


def _check_repay_bank(state: State, seat: Seat, move: RepayBank) -> None:
    mine = (loan for loan in state.bank_loans if loan.borrower == seat)
    loan = next((loan for loan in mine if loan.number == move.loan), None)
    if loan is None:
        raise IllegalMove(
            "landlords-game.no-such-bank-loan", "LG-10.3", "`loan` is no bank loan of yours."
        )
    if not 1 <= move.notes <= loan.notes:
        raise IllegalMove(
            "landlords-game.no-such-notes", "LG-10.3", f"`notes` must be from 1 to {loan.notes}."
        )
    _check_cash(state, seat, NOTE * move.notes, "landlords-game.notes-too-dear", "LG-10.3")


def _check_repay_loan(state: State, seat: Seat, move: RepayLoan) -> None:
    mine = (loan for loan in state.player_loans if loan.borrower == seat)
    loan = next((loan for loan in mine if loan.number == move.loan), None)
    if loan is None:
        raise IllegalMove(
            "landlords-game.no-such-loan", "LG-10.7", "`loan` is no player loan that you owe."
        )
    _check_cash(state, seat, loan.principal, "landlords-game.loan-too-dear", "LG-10.7")


def _check_propose_loan(state: State, seat: Seat, move: ProposeLoan) -> None:
    if not state.options.player_loans:
        raise IllegalMove(
            "landlords-game.no-player-loans", "LG-10.4", "Players do not lend at this table."
        )
    if state.phase == "debt" and move.role == "lend":
        raise IllegalMove(
            "landlords-game.no-lending-in-debt", "LG-10.4", "`role`: who is in debt cannot lend."
        )
    if move.other == seat or move.other not in range(len(state.players)):
        raise IllegalMove(
            "landlords-game.no-such-partner", "LG-10.4", "`other` must be another player's seat."
        )
    borrower, lender = (seat, move.other) if move.role == "borrow" else (move.other, seat)
    if is_finished(state, borrower):
        raise IllegalMove(
            "landlords-game.borrower-finished",
            "LG-10.4",
            "Who has finished cannot borrow from players.",
        )
    _check_terms(state, move, borrower, lender)
    if any(same_terms(move, old) for old in state.refused):
        raise IllegalMove(
            "landlords-game.terms-refused", "LG-10.4", "These terms were refused in this turn."
        )


def _check_terms(state: State, move: ProposeLoan, borrower: Seat, lender: Seat) -> None:
    cash, first = state.players[lender].cash, state.players[borrower].tally + 1
    if not 1 <= move.principal <= cash:
        raise IllegalMove(
            "landlords-game.principal-out-of-range",
            "LG-10.4",
            f"`principal` must be from 1 to the lender's cash, which is {cash}.",
        )
    if not 0 <= move.interest <= move.principal:
        raise IllegalMove(
            "landlords-game.interest-out-of-range",
            "LG-10.4",
            f"`interest` must be from 0 to the principal, {move.principal}.",
        )
    if not first <= move.due_round <= state.options.rounds:
        raise IllegalMove(
            "landlords-game.due-round-out-of-range",
            "LG-10.4",
            f"`due_round` must be from {first} to {state.options.rounds}.",
        )
    _check_pledge(state, borrower, move.lots, "LG-10.4")


def _check_go_poorhouse(state: State, seat: Seat) -> None:
    if is_secured(state, state.dues[0]):
        raise IllegalMove(
            "landlords-game.security-first",
            "LG-9.2",
            "Lots are pledged for this debt: surrender them.",
        )
    if can_borrow_from_bank(state, seat):
        raise IllegalMove(
            "landlords-game.bank-first",
            "LG-9.2",
            "You have property upon which the Bank would lend.",
        )
