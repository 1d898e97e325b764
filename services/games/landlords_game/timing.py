"""What the clock does (LG-14.2, LG-14.3)."""

from __future__ import annotations

from collections.abc import Sequence

from services.games.landlords_game.course import Course
from services.games.landlords_game.decide import carry_out
from services.games.landlords_game.events import LandlordsEvent
from services.games.landlords_game.legal import DONE, NO_LUXURY, POORHOUSE, RENT, SURRENDER, THROW
from services.games.landlords_game.loans import bank_offers, free_lots, is_secured
from services.games.landlords_game.moves import BorrowBank, LandlordsMove, MoveChecker, RefuseLoan
from services.games.landlords_game.state import Phase, State
from shared.chance import Chance
from shared.game import Seat

DEFAULTS: dict[Phase, LandlordsMove] = {
    "ticket_buy": DONE,
    "turn_start": THROW,
    "move_choice": MoveChecker(direction="forward"),
    "lot_choice": RENT,
    "luxury_choice": NO_LUXURY,
    "loan_reply": RefuseLoan(),
}
"""LG-14.2, all but `debt`."""

NO_OFFENCE: frozenset[Phase] = frozenset(("ticket_buy", "loan_reply"))
"""To leave a ticket or a loan unanswered sends nobody to jail (LG-14.3)."""


def time_out(state: State, seat: Seat, chance: Chance) -> Sequence[LandlordsEvent]:
    """The default move; of a turn also all later ones, and then jail."""
    course = Course(state, chance, offends=state.phase not in NO_OFFENCE)
    carry_out(course, default_move(course.state))
    while course.offends and not course.turn_over:
        carry_out(course, default_move(course.state))
    return course.events


def default_move(state: State) -> LandlordsMove:
    """What is played for the seat to act."""
    if state.phase != "debt":
        return DEFAULTS[state.phase]
    seat = state.turn or 0
    offers = bank_offers(free_lots(state, seat))
    if offers and isinstance(offers[0], BorrowBank):
        return offers[0]
    return SURRENDER if is_secured(state, state.dues[0]) else POORHOUSE
