"""What happened. `decide` writes all consequences down, so that folding needs no rule.

In `TicketDrawn` the ticket is `None` for everybody but its drawer (LG-13.5).
"""

from __future__ import annotations

from typing import Literal

from services.games.landlords_game.moves import Jump
from services.games.landlords_game.state import (
    Cause,
    CountUp,
    Creditor,
    Direction,
    Due,
    Phase,
    Reason,
    Role,
)
from shared.game import Event, Seat

Purpose = Literal["first_player", "move", "jail", "poorhouse"]


class DiceThrown(Event, frozen=True, tag="landlords_game.dice_thrown", gc=False):
    """A throw of two dice (LG-13.4)."""

    seat: Seat
    d1: int
    d2: int
    purpose: Purpose


class FirstPlayerDecided(Event, frozen=True, tag="landlords_game.first_player_decided", gc=False):
    """Who starts (LG-3.2)."""

    seat: Seat


class TicketDrawn(Event, frozen=True, tag="landlords_game.ticket_drawn", gc=False):
    """A lot ticket was drawn (LG-3.3)."""

    seat: Seat
    ticket: str | None


class ChoiceOpened(Event, frozen=True, tag="landlords_game.choice_opened", gc=False):
    """A seat is asked in a phase that does not open by another event (LG-3.4, LG-4.6)."""

    seat: Seat
    phase: Phase


class TicketsReturned(Event, frozen=True, tag="landlords_game.tickets_returned", gc=False):
    """A seat returned all `count` tickets that it still had (LG-3.4)."""

    seat: Seat
    count: int


class LotBought(Event, frozen=True, tag="landlords_game.lot_bought", gc=False):
    """A lot was bought, with the `ticket` drawn for it or on landing (LG-3.4, LG-6.2)."""

    seat: Seat
    lot: int
    price: int
    ticket: str | None


class TurnStarted(Event, frozen=True, tag="landlords_game.turn_started", gc=False):
    """A seat's turn begins."""

    seat: Seat


class TurnMissed(Event, frozen=True, tag="landlords_game.turn_missed", gc=False):
    """It is over at once: a luxury was declined (LG-4.1, LG-7.7)."""

    seat: Seat


class Moved(Event, frozen=True, tag="landlords_game.moved", gc=False):
    """A checker was set on its final space (LG-5.9).

    The first space counted is the one after `start`. `shortened`: two others stood on the lot
    (LG-5.7). `passings`: how often it has reached or passed Mother Earth, going forward.
    """

    seat: Seat
    start: int
    to: int
    direction: Direction
    jump: Jump | None
    shortened: bool
    passings: int


class MotherEarthPassed(Event, frozen=True, tag="landlords_game.mother_earth_passed", gc=False):
    """Wages were paid; `dues` falls due now, in this order (LG-5.3, LG-5.4)."""

    seat: Seat
    tally: int
    wages: int
    finished: bool
    dues: tuple[Due, ...]


class Paid(Event, frozen=True, tag="landlords_game.paid", gc=False):
    """An obligation was met; `closes` where that closes the player loan (LG-9.1)."""

    seat: Seat
    to: Creditor
    amount: int
    reason: Reason
    loan: int | None
    closes: bool


class DebtOpened(Event, frozen=True, tag="landlords_game.debt_opened", gc=False):
    """Cash does not cover what is due (LG-9.2)."""

    seat: Seat
    due: Due


class SentToJail(Event, frozen=True, tag="landlords_game.sent_to_jail", gc=False):
    """LG-8.1; `refused`: the clock ran out on the seat (LG-14.3)."""

    seat: Seat
    cause: Literal["no_trespassing", "refused"]


class LeftJail(Event, frozen=True, tag="landlords_game.left_jail", gc=False):
    """Free by a double, or by a fine of `paid` to the Public Treasury (LG-8.2, LG-8.3)."""

    seat: Seat
    how: Literal["fine", "double"]
    paid: int


class SentToPoorhouse(Event, frozen=True, tag="landlords_game.sent_to_poorhouse", gc=False):
    """All cash went `to` the creditor; `closes`: unsecured loans whose principal is lost (LG-9.5).

    `cancelled` is what nobody gets, without what is met by surrender.
    """

    seat: Seat
    to: Creditor
    paid: int
    cancelled: int
    closes: tuple[int, ...]


class PoorCounted(Event, frozen=True, tag="landlords_game.poor_count", gc=False):
    """The throws in the poor house add up to this (LG-8.6)."""

    seat: Seat
    value: int


class LeftPoorhouse(Event, frozen=True, tag="landlords_game.left_poorhouse", gc=False):
    """The count is enough to finish the round (LG-8.6)."""

    seat: Seat


class LuxuryBought(Event, frozen=True, tag="landlords_game.luxury_bought", gc=False):
    """LG-7.7."""

    seat: Seat
    price: int


class LuxuryDeclined(Event, frozen=True, tag="landlords_game.luxury_declined", gc=False):
    """The seat misses its next turn (LG-7.7)."""

    seat: Seat


class CharterPlaced(Event, frozen=True, tag="landlords_game.charter_placed", gc=False):
    """The first ever to stop on a franchise (LG-7.8)."""

    seat: Seat
    space: int


class LegacyReceived(Event, frozen=True, tag="landlords_game.legacy_received", gc=False):
    """Cash and a legacy ticket (LG-7.10)."""

    seat: Seat
    amount: int


class BankLoanMade(Event, frozen=True, tag="landlords_game.bank_loan_made", gc=False):
    """LG-10.1. `counts`: whether it is one of the turn's finance moves (LG-4.4)."""

    seat: Seat
    loan: int
    notes: int
    amount: int
    lots: tuple[int, ...]
    counts: bool


class BankNoteRepaid(Event, frozen=True, tag="landlords_game.bank_note_repaid", gc=False):
    """Notes were redeemed; without a `left` one the mortgage is lifted (LG-10.3)."""

    seat: Seat
    loan: int
    notes: int
    amount: int
    left: int


class LoanProposed(Event, frozen=True, tag="landlords_game.loan_proposed", gc=False):
    """LG-10.4; `other` is asked now."""

    seat: Seat
    other: Seat
    role: Role
    principal: int
    interest: int
    due_round: int
    lots: tuple[int, ...]


class LoanAccepted(Event, frozen=True, tag="landlords_game.loan_accepted", gc=False):
    """The `lender` paid the principal out to the `borrower` (LG-10.5)."""

    seat: Seat
    loan: int
    borrower: Seat
    lender: Seat
    principal: int
    interest: int
    due_round: int
    lots: tuple[int, ...]


class LoanRefused(Event, frozen=True, tag="landlords_game.loan_refused", gc=False):
    """LG-10.5."""

    seat: Seat


class LoanRepaid(Event, frozen=True, tag="landlords_game.loan_repaid", gc=False):
    """The whole principal, early (LG-10.7)."""

    seat: Seat
    loan: int
    lender: Seat
    principal: int


class SecuritySurrendered(Event, frozen=True, tag="landlords_game.security_surrendered", gc=False):
    """The pledged lots are the lender's now, and the loan is closed (LG-10.6)."""

    seat: Seat
    loan: int
    lender: Seat
    lots: tuple[int, ...]


class GameEnded(Event, frozen=True, tag="landlords_game.game_ended", gc=False):
    """The count-up, a row a seat (LG-12)."""

    cause: Cause
    count_up: tuple[CountUp, ...]
    winners: tuple[Seat, ...]


LandlordsEvent = (
    DiceThrown
    | FirstPlayerDecided
    | TicketDrawn
    | ChoiceOpened
    | TicketsReturned
    | LotBought
    | TurnStarted
    | TurnMissed
    | Moved
    | MotherEarthPassed
    | Paid
    | DebtOpened
    | SentToJail
    | LeftJail
    | SentToPoorhouse
    | PoorCounted
    | LeftPoorhouse
    | LuxuryBought
    | LuxuryDeclined
    | CharterPlaced
    | LegacyReceived
    | BankLoanMade
    | BankNoteRepaid
    | LoanProposed
    | LoanAccepted
    | LoanRefused
    | LoanRepaid
    | SecuritySurrendered
    | GameEnded
)
