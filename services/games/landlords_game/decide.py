"""What follows from a move: one function a command. All rules of consequence start here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from services.games.landlords_game.board import (
    BOARD,
    FINE,
    JAIL,
    LUXURY_PRICE,
    NOTE,
    POOR_COUNT_NEEDED,
    POORHOUSE,
    price_of,
)
from services.games.landlords_game.check import check
from services.games.landlords_game.course import Course
from services.games.landlords_game.debts import go_to_poorhouse, surrender
from services.games.landlords_game.events import (
    BankLoanMade,
    BankNoteRepaid,
    ChoiceOpened,
    LandlordsEvent,
    LeftJail,
    LeftPoorhouse,
    LoanAccepted,
    LoanProposed,
    LoanRefused,
    LoanRepaid,
    LotBought,
    LuxuryBought,
    LuxuryDeclined,
    PoorCounted,
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
    RefuseLoan,
    RentLot,
    RepayBank,
    RepayLoan,
    SurrenderSecurity,
    Throw,
    TicketsDone,
)
from services.games.landlords_game.routes import counted_from, route, routes
from services.games.landlords_game.setup import tickets_done
from services.games.landlords_game.state import State
from services.games.landlords_game.tickets import ticket_of
from services.games.landlords_game.travel import depart, go_on, pay_on_landing, rent_due
from services.games.landlords_game.turns import end_turn
from shared.chance import Chance
from shared.game import Seat


def decide(
    state: State, seat: Seat, move: LandlordsMove, chance: Chance
) -> Sequence[LandlordsEvent]:
    """The events of a move.

    Raises:
        IllegalMove: see `check`.
    """
    check(state, seat, move)
    course = Course(state, chance)
    carry_out(course, move)
    return course.events


def carry_out(course: Course, move: LandlordsMove) -> None:
    """A legal move of the seat to act, with all that follows from it."""
    match move:
        case Throw():
            decide_throw(course)
        case ProposeLoan():
            decide_propose_loan(course, move)
        case RefuseLoan():
            decide_refuse_loan(course)
        case AcceptLoan():
            decide_accept_loan(course)
        case RentLot():
            decide_rent_lot(course)
        case BuyLot():
            decide_buy_lot(course)
        case BorrowBank():
            decide_borrow_bank(course, move)
        case MoveChecker():
            decide_move(course, move)
        case RepayBank():
            decide_repay_bank(course, move)
        case RepayLoan():
            decide_repay_loan(course, move)
        case BuyLuxury():
            course.add(LuxuryBought(seat=course.seat, price=LUXURY_PRICE))
            end_turn(course)
        case DeclineLuxury():
            course.add(LuxuryDeclined(seat=course.seat))
            end_turn(course)
        case SurrenderSecurity():
            surrender(course, course.state.dues[0])
            go_on(course)
        case GoPoorhouse():
            go_to_poorhouse(course)
        case PayFine():
            course.add(LeftJail(seat=course.seat, how="fine", paid=FINE))
        case BuyTicket():
            decide_buy_ticket(course, move)
        case TicketsDone():
            tickets_done(course)
        case _:
            assert_never(move)


def decide_buy_ticket(course: Course, move: BuyTicket) -> None:
    """LG-3.4: without another ticket the seat's buying is over."""
    course.add(
        LotBought(
            seat=course.seat,
            lot=move.lot,
            price=price_of(move.lot),
            ticket=ticket_of(move.lot),
        )
    )
    if not course.state.tickets[course.seat]:
        tickets_done(course)


def decide_throw(course: Course) -> None:
    """LG-4.1: one throw a turn, with another meaning in jail and poor house."""
    match course.player.place:
        case "poorhouse":
            _throw_in_poorhouse(course)
        case "jail":
            _throw_in_jail(course)
        case "board" | "released":
            _throw_to_move(course)


def _throw_to_move(course: Course) -> None:
    throw = course.throw(course.seat, "move")
    found = routes(course.state, course.seat, throw)
    if len(found) == 1:
        depart(course, found[0])  # LG-7.6
    else:
        course.add(ChoiceOpened(seat=course.seat, phase="move_choice"))


def _throw_in_jail(course: Course) -> None:
    """A double frees, and is used up by that (LG-8.3, LG-8.4)."""
    d1, d2 = course.throw(course.seat, "jail")
    if d1 != d2:
        end_turn(course)
        return
    course.add(LeftJail(seat=course.seat, how="double", paid=0))
    depart(course, route(course.state, course.seat, JAIL - 1, d1 + d2))


def _throw_in_poorhouse(course: Course) -> None:
    """Throws add up until they finish the round (LG-8.6)."""
    count = course.player.poor_count + sum(course.throw(course.seat, "poorhouse"))
    course.add(PoorCounted(seat=course.seat, value=count))
    if count < POOR_COUNT_NEEDED:
        end_turn(course)
        return
    course.add(LeftPoorhouse(seat=course.seat))
    depart(course, route(course.state, course.seat, POORHOUSE, count))


def decide_move(course: Course, move: MoveChecker) -> None:
    """LG-7.6."""
    start = counted_from(course.state, course.seat)
    total = sum(course.state.throw or ())
    depart(course, route(course.state, course.seat, start, total, move.direction, move.jump))


def decide_buy_lot(course: Course) -> None:
    """LG-6.2: nothing more is to be paid."""
    space = BOARD[course.player.at]
    course.add(LotBought(seat=course.seat, lot=space.lot or 0, price=space.price or 0, ticket=None))
    end_turn(course)


def decide_rent_lot(course: Course) -> None:
    """LG-6.2: the rent falls due, which may lead into debt (LG-9.6)."""
    due = rent_due(course.state, course.seat, BOARD[course.player.at])
    if due is not None:
        pay_on_landing(course, due)


def decide_borrow_bank(course: Course, move: BorrowBank) -> None:
    """LG-10.1; in debt play goes on with the payment."""
    in_debt = course.state.phase == "debt"
    course.add(
        BankLoanMade(
            seat=course.seat,
            loan=course.state.loans_made + 1,
            notes=move.notes,
            amount=NOTE * move.notes,
            lots=move.lots,
            counts=not in_debt,
        )
    )
    if in_debt:
        go_on(course)


def decide_repay_bank(course: Course, move: RepayBank) -> None:
    """LG-10.3."""
    loan = next(loan for loan in course.state.bank_loans if loan.number == move.loan)
    course.add(
        BankNoteRepaid(
            seat=course.seat,
            loan=move.loan,
            notes=move.notes,
            amount=NOTE * move.notes,
            left=loan.notes - move.notes,
        )
    )


def decide_propose_loan(course: Course, move: ProposeLoan) -> None:
    """LG-10.4: the other player is asked."""
    course.add(
        LoanProposed(
            seat=course.seat,
            other=move.other,
            role=move.role,
            principal=move.principal,
            interest=move.interest,
            due_round=move.due_round,
            lots=move.lots,
        )
    )


def decide_accept_loan(course: Course) -> None:
    """LG-10.5: play returns to the phase it came from; in debt, to the payment."""
    proposal = course.state.proposal
    if proposal is None:
        raise ValueError("nothing is proposed")
    course.add(
        LoanAccepted(
            seat=proposal.other,
            loan=course.state.loans_made + 1,
            borrower=proposal.borrower,
            lender=proposal.lender,
            principal=proposal.principal,
            interest=proposal.interest,
            due_round=proposal.due_round,
            lots=proposal.lots,
        )
    )
    if course.state.phase == "debt":
        go_on(course)


def decide_refuse_loan(course: Course) -> None:
    """LG-10.5; in debt nothing but surrender or the poor house may be left (LG-9.7)."""
    proposal = course.state.proposal
    if proposal is None:
        raise ValueError("nothing is proposed")
    course.add(LoanRefused(seat=proposal.other))
    if course.state.phase == "debt":
        go_on(course)


def decide_repay_loan(course: Course, move: RepayLoan) -> None:
    """LG-10.7: the whole principal, and no interest for the running round."""
    loan = next(loan for loan in course.state.player_loans if loan.number == move.loan)
    course.add(
        LoanRepaid(seat=course.seat, loan=loan.number, lender=loan.lender, principal=loan.principal)
    )
