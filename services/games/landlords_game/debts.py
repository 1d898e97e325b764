"""Paying, and not being able to (LG-9, LG-10.6)."""

from __future__ import annotations

from services.games.landlords_game.course import Course
from services.games.landlords_game.events import (
    DebtOpened,
    Paid,
    SecuritySurrendered,
    SentToPoorhouse,
)
from services.games.landlords_game.loans import (
    free_lots,
    is_secured,
    loan_terms,
    most_notes,
)
from services.games.landlords_game.state import Due, PlayerLoan, Table
from services.games.landlords_game.turns import end_turn
from shared.game import Seat


def meet(course: Course, due: Due) -> bool:
    """Pay an obligation; whether play goes on with what follows it (LG-9.1 to 9.3).

    If not, the player is asked in the phase `debt`, or is in the poor house and the turn is over.
    """
    if course.player.cash >= due.amount:
        course.add(
            Paid(
                seat=course.seat,
                to=due.to,
                amount=due.amount,
                reason=due.reason,
                loan=due.loan,
                closes=due.closes,
            )
        )
        return True
    if course.state.phase != "debt":
        course.add(DebtOpened(seat=course.seat, due=due))
    if has_a_choice(course.state, course.seat):
        return False
    if is_secured(course.state, due):
        surrender(course, due)
        return True
    go_to_poorhouse(course)
    return False


def has_a_choice(table: Table, seat: Seat) -> bool:
    """Whether more can be done about the debt than surrender or go to the poor house (LG-9.3)."""
    return can_borrow_from_bank(table, seat) or loan_terms(table, seat) is not None


def can_borrow_from_bank(table: Table, seat: Seat) -> bool:
    """Whether the seat has property upon which the Bank would lend (LG-9.4)."""
    return most_notes(free_lots(table, seat)) > 0


def surrender(course: Course, due: Due) -> None:
    """All lots pledged for the loan go to the lender, and it is closed (LG-10.6, LG-10.10)."""
    loan = _loan_of(course.state, due)
    course.add(
        SecuritySurrendered(seat=course.seat, loan=loan.number, lender=loan.lender, lots=loan.lots)
    )


def go_to_poorhouse(course: Course) -> None:
    """The creditor gets all cash; of the passing's other dues nothing but securities (LG-9.5)."""
    due, *others = course.state.dues
    cash = course.player.cash
    secured = [other for other in others if is_secured(course.state, other)]
    lost = [due, *(other for other in others if other not in secured)]
    course.add(
        SentToPoorhouse(
            seat=course.seat,
            to=due.to,
            paid=cash,
            cancelled=sum(each.amount for each in lost) - cash,
            closes=tuple(each.loan for each in lost if each.closes and each.loan is not None),
        )
    )
    for other in secured:
        surrender(course, other)
    end_turn(course)


def _loan_of(table: Table, due: Due) -> PlayerLoan:
    return next(loan for loan in table.player_loans if loan.number == due.loan)
