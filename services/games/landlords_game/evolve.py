"""Folding: what each event makes true. No rule is here; the event says all that follows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from msgspec.structs import replace

from services.games.landlords_game import events as e
from services.games.landlords_game.board import JAIL, POORHOUSE
from services.games.landlords_game.state import (
    BankLoan,
    Charter,
    Creditor,
    PlayerLoan,
    Proposal,
    State,
)
from shared.game import Seat

Row = tuple[tuple[str, ...], ...]


def evolve(state: State, event: e.LandlordsEvent) -> State:
    """The state after one event; the frequent ones come first."""
    match event:
        case e.DiceThrown():
            return replace(state, throw=(event.d1, event.d2), throws=state.throws + 1)
        case e.TurnStarted():
            return _turn_started(state, event)
        case e.Moved():
            return _moved(state, event)
        case e.LoanProposed():
            return _loan_proposed(state, event)
        case e.LoanRefused():
            return _loan_refused(state)
        case e.Paid():
            return _paid(state, event)
        case e.LoanAccepted():
            return _loan_accepted(state, event)
        case e.MotherEarthPassed():
            return _mother_earth_passed(state, event)
        case e.ChoiceOpened():
            return replace(state, turn=event.seat, phase=event.phase)
        case e.LotBought():
            return _lot_bought(state, event)
        case e.BankLoanMade() | e.BankNoteRepaid():
            return _bank(state, event)
        case e.LoanRepaid():
            state = replace(state, finance_moves=state.finance_moves + 1)
            return _transfer(
                _without_loan(state, event.loan), event.seat, event.lender, event.principal
            )
        case e.SecuritySurrendered():
            return _security_surrendered(state, event)
        case e.DebtOpened():
            return replace(state, phase="debt", dues=(event.due, *state.dues[1:]))
        case e.SentToJail():
            return _player(state, event.seat, at=JAIL, place="jail")
        case e.LeftJail():
            state = _player(state, event.seat, place="released")
            return _transfer(state, event.seat, "public_treasury", event.paid)
        case e.SentToPoorhouse():
            return _sent_to_poorhouse(state, event)
        case e.PoorCounted():
            return _player(state, event.seat, poor_count=event.value)
        case e.LeftPoorhouse():
            return _player(state, event.seat, place="board", poor_count=0)
        case e.LuxuryBought():
            luxuries = state.players[event.seat].luxuries + 1
            state = _player(state, event.seat, luxuries=luxuries)
            return _transfer(state, event.seat, "public_treasury", event.price)
        case e.LuxuryDeclined():
            return _player(state, event.seat, misses_turn=True)
        case e.TurnMissed():
            return _player(state, event.seat, misses_turn=False)
        case e.CharterPlaced():
            placed = Charter(space=event.space, seat=event.seat)
            return replace(state, charters=(*state.charters, placed))
        case e.LegacyReceived():
            legacies = state.players[event.seat].legacies + 1
            state = _player(state, event.seat, legacies=legacies)
            return _transfer(state, "wages", event.seat, event.amount)
        case e.TicketDrawn():
            drawn = () if event.ticket is None else (event.ticket,)
            return replace(state, tickets=_put(state.tickets, event.seat, lambda row: row + drawn))
        case e.TicketsReturned():
            return _tickets_returned(state, event)
        case e.FirstPlayerDecided():
            return replace(state, first=event.seat, throw=None)
        case e.GameEnded():
            return replace(
                state, phase="game_over", turn=None, cause=event.cause, count_up=event.count_up
            )
        case _:
            assert_never(event)


def _put(rows: Row, seat: Seat, change: Callable[[tuple[str, ...]], tuple[str, ...]]) -> Row:
    return (*rows[:seat], change(rows[seat]), *rows[seat + 1 :])


def _player(state: State, seat: Seat, **changes: Any) -> State:
    players = state.players
    changed = replace(players[seat], **changes)
    return replace(state, players=(*players[:seat], changed, *players[seat + 1 :]))


def _transfer(state: State, giver: Creditor, taker: Creditor, amount: int, **more: Any) -> State:
    """Money goes from a seat or box to another; `more` are further fields of the state."""
    players, boxes = list(state.players), state.boxes
    for party, change in ((giver, -amount), (taker, amount)):
        if isinstance(party, int):
            players[party] = replace(players[party], cash=players[party].cash + change)
        else:
            boxes = replace(boxes, **{party: getattr(boxes, party) + change})
    return replace(state, players=tuple(players), boxes=boxes, **more)


def _turn_started(state: State, event: e.TurnStarted) -> State:
    state = _player(state, event.seat, turns=state.players[event.seat].turns + 1)
    return replace(
        state,
        phase="turn_start",
        turn=event.seat,
        throw=None,
        passings=0,
        finance_moves=0,
        proposals=0,
        refused=(),
    )


def _moved(state: State, event: e.Moved) -> State:
    state = _player(state, event.seat, at=event.to, place="board")
    return replace(state, phase="moving", passings=event.passings)


def _mother_earth_passed(state: State, event: e.MotherEarthPassed) -> State:
    state = _player(state, event.seat, tally=event.tally)
    return _transfer(
        state, "wages", event.seat, event.wages, passings=state.passings - 1, dues=event.dues
    )


def _paid(state: State, event: e.Paid) -> State:
    """Obligations of a passing wait in `dues`; others are paid at once and never wait there."""
    if event.closes and event.loan is not None:
        state = _without_loan(state, event.loan)
    return _transfer(state, event.seat, event.to, event.amount, phase="moving", dues=state.dues[1:])


def _sent_to_poorhouse(state: State, event: e.SentToPoorhouse) -> State:
    for loan in event.closes:
        state = _without_loan(state, loan)
    state = _player(state, event.seat, at=POORHOUSE, place="poorhouse", poor_count=0)
    return _transfer(state, event.seat, event.to, event.paid, phase="moving", dues=(), passings=0)


def _lot_bought(state: State, event: e.LotBought) -> State:
    lot, ticket = event.lot, event.ticket
    if ticket is not None:
        state = replace(
            state,
            tickets=_put(
                state.tickets, event.seat, lambda row: tuple(t for t in row if t != ticket)
            ),
            bought=_put(state.bought, event.seat, lambda row: (*row, ticket)),
        )
    owners = (*state.owners[: lot - 1], event.seat, *state.owners[lot:])
    return _transfer(state, event.seat, "public_treasury", event.price, owners=owners)


def _tickets_returned(state: State, event: e.TicketsReturned) -> State:
    left = state.tickets[event.seat]
    return replace(
        state,
        tickets=_put(state.tickets, event.seat, lambda _: ()),
        returned=_put(state.returned, event.seat, lambda row: row + left),
    )


def _bank(state: State, event: e.BankLoanMade | e.BankNoteRepaid) -> State:
    if isinstance(event, e.BankLoanMade):
        made = BankLoan(number=event.loan, borrower=event.seat, notes=event.notes, lots=event.lots)
        return _transfer(
            state,
            "bank",
            event.seat,
            event.amount,
            bank_loans=(*state.bank_loans, made),
            loans_made=event.loan,
            finance_moves=state.finance_moves + event.counts,
        )
    kept = (
        replace(loan, notes=event.left) if loan.number == event.loan else loan
        for loan in state.bank_loans
    )
    return _transfer(
        state,
        event.seat,
        "bank",
        event.amount,
        bank_loans=tuple(loan for loan in kept if loan.notes),
        finance_moves=state.finance_moves + 1,
    )


def _loan_proposed(state: State, event: e.LoanProposed) -> State:
    return replace(
        state,
        phase="loan_reply",
        asked_in=state.phase,
        proposal=Proposal(
            seat=event.seat,
            other=event.other,
            role=event.role,
            principal=event.principal,
            interest=event.interest,
            due_round=event.due_round,
            lots=event.lots,
        ),
        proposals=state.proposals + 1,
        finance_moves=state.finance_moves + 1,
    )


def _loan_refused(state: State) -> State:
    refused = () if state.proposal is None else (state.proposal,)
    return replace(state, phase=state.asked_in, proposal=None, refused=(*state.refused, *refused))


def _loan_accepted(state: State, event: e.LoanAccepted) -> State:
    made = PlayerLoan(
        number=event.loan,
        borrower=event.borrower,
        lender=event.lender,
        principal=event.principal,
        interest=event.interest,
        due_round=event.due_round,
        lots=event.lots,
    )
    return _transfer(
        state,
        event.lender,
        event.borrower,
        event.principal,
        phase=state.asked_in,
        proposal=None,
        player_loans=(*state.player_loans, made),
        loans_made=event.loan,
    )


def _security_surrendered(state: State, event: e.SecuritySurrendered) -> State:
    owners = tuple(
        event.lender if lot in event.lots else owner for lot, owner in enumerate(state.owners, 1)
    )
    state = _without_loan(state, event.loan)
    return replace(state, phase="moving", owners=owners, dues=state.dues[1:])


def _without_loan(state: State, number: int) -> State:
    kept = tuple(loan for loan in state.player_loans if loan.number != number)
    return replace(state, player_loans=kept)
