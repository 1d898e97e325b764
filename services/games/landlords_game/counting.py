"""The count-up and the outcome (LG-12). All payments are on paper: cash and loans stay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from services.games.landlords_game.board import LUXURY_COUNTS, NOTE, worth
from services.games.landlords_game.events import GameEnded
from services.games.landlords_game.loans import notes_of, own_lots
from services.games.landlords_game.state import Cause, CountUp, Creditor, Due, Table
from shared.game import Outcome, Seat


def count_up(table: Table, cause: Cause) -> GameEnded:
    """Each seat's total; `table.dues` are what the last passing made due (LG-12.1)."""
    seats = range(len(table.players))
    lots = [worth(own_lots(table, seat)) for seat in seats]
    luxuries = [LUXURY_COUNTS * player.luxuries for player in table.players]
    gross = [a + b + p.cash for a, b, p in zip(lots, luxuries, table.players, strict=True)]
    paid, received = [0] * len(seats), [0] * len(seats)
    for seat in seats:
        for creditor, claim in claims(table, seat):
            met = min(claim, gross[seat] - paid[seat])
            paid[seat] += met
            if isinstance(creditor, int):
                received[creditor] += met
    totals = [gross[seat] - paid[seat] + received[seat] for seat in seats]
    rows = tuple(
        CountUp(
            lots=lots[seat],
            cash=table.players[seat].cash,
            luxuries=luxuries[seat],
            paid=paid[seat],
            received=received[seat],
            total=totals[seat],
        )
        for seat in seats
    )
    winners = tuple(seat for seat in seats if totals[seat] == max(totals))
    return GameEnded(cause=cause, count_up=rows, winners=winners)


def claims(table: Table, seat: Seat) -> Iterator[tuple[Creditor, int]]:
    """What is claimed from a seat: first the Bank, then player loans, oldest first (LG-12.3)."""
    mine: Sequence[Due] = table.dues if seat == table.turn else ()
    interest = sum(due.amount for due in mine if due.reason == "bank_interest")
    yield "bank", NOTE * notes_of(table, seat) + interest
    for loan in table.player_loans:
        if loan.borrower == seat:
            is_due = any(due.loan == loan.number for due in mine)
            yield loan.lender, loan.principal + (loan.interest if is_due else 0)


def outcome(table: Table) -> Outcome | None:
    """The ranking by totals; equal totals share a place (LG-12.4, 12.5)."""
    if table.cause is None:
        return None
    totals = tuple(row.total for row in table.count_up)
    ranking = tuple(
        tuple(seat for seat, total in enumerate(totals) if total == place)
        for place in sorted(set(totals), reverse=True)
    )
    return Outcome(ranking=ranking, scores=totals, reason=table.cause)
