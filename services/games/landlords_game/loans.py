"""Lots as security, and what can be borrowed on them (LG-10)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from services.games.landlords_game.board import MARGIN, NOTE, NOTE_INTEREST, worth
from services.games.landlords_game.moves import BorrowBank
from services.games.landlords_game.state import Due, Role, Table, is_finished
from services.games.landlords_game.templates import BankTerms, LoanOffer, LoanTerms, Range
from shared.game import Seat

FINANCE_MOVES = 10  # LG-4.4

Lots = tuple[int, ...]


def own_lots(table: Table, seat: Seat) -> Lots:
    """The lots a seat owns, ascending."""
    return tuple(lot for lot, owner in enumerate(table.owners, 1) if owner == seat)


def free_lots_by_seat(table: Table) -> list[Lots]:
    """The lots of each seat that carry no mortgage, of the Bank or of a player (LG-10.3)."""
    pledged: set[int] = set()
    for bank_loan in table.bank_loans:
        pledged.update(bank_loan.lots)
    for player_loan in table.player_loans:
        pledged.update(player_loan.lots)
    free: list[list[int]] = [[] for _ in table.players]
    for lot, owner in enumerate(table.owners, 1):
        if owner is not None and lot not in pledged:
            free[owner].append(lot)
    return [tuple(lots) for lots in free]


def free_lots(table: Table, seat: Seat) -> Lots:
    """A seat's own lots that carry no mortgage."""
    return free_lots_by_seat(table)[seat]


def most_notes(lots: Lots) -> int:
    """How many notes the Bank gives on these lots at most (LG-10.1)."""
    return max(0, (worth(lots) - MARGIN) // NOTE)


@lru_cache(maxsize=4096)
def bank_offers(lots: Lots) -> tuple[BorrowBank | BankTerms, ...]:
    """For each number of notes the canonical set of lots, then any other terms (LG-10.3a)."""
    most = most_notes(lots)
    if not most:
        return ()
    best = _smallest_sets(lots)
    canonical = (
        BorrowBank(notes=k, lots=best[min(total for total in best if total >= NOTE * k + MARGIN)])
        for k in range(1, most + 1)
    )
    return (*canonical, BankTerms(notes=Range(1, most), lots=lots))


@lru_cache(maxsize=4096)
def security(lots: Lots, amount: int) -> Lots:
    """Of these lots those worth least that are worth the amount; none where all are worth less."""
    best = _smallest_sets(lots)
    return best[min((total for total in best if total >= amount), default=0)]


def _smallest_sets(lots: Lots) -> dict[int, Lots]:
    """By total price: the set with the fewest lots, and of these the first in dictionary order.

    Lots are added from the highest down, so that each new one comes first in its set.
    """
    best: dict[int, Lots] = {0: ()}
    for lot in reversed(lots):
        for total, others in list(best.items()):
            new, at = (lot, *others), total + worth((lot,))
            if at not in best or (len(new), new) <= (len(best[at]), best[at]):
                best[at] = new
    return best


def notes_of(table: Table, seat: Seat) -> int:
    """How many notes of a seat the Bank holds."""
    return sum(loan.notes for loan in table.bank_loans if loan.borrower == seat)


def dues_at_passing(table: Table, seat: Seat, tally: int) -> tuple[Due, ...]:
    """What a seat owes at the passing that makes its tally this (LG-5.4, LG-10.6)."""
    interest = NOTE_INTEREST * notes_of(table, seat)
    dues = [Due(to="bank", amount=interest, reason="bank_interest")] if interest else []
    for loan in table.player_loans:
        if loan.borrower != seat:
            continue
        if loan.due_round == tally:
            amount = loan.interest + loan.principal
            dues.append(Due(loan.lender, amount, "loan_due", loan.number, closes=True))
        elif loan.interest:
            dues.append(Due(loan.lender, loan.interest, "loan_interest", loan.number))
    return tuple(dues)


def is_secured(table: Table, due: Due) -> bool:
    """Whether lots are pledged for what is due (LG-9.2)."""
    return any(loan.number == due.loan and loan.lots for loan in table.player_loans)


def may_propose(table: Table) -> bool:
    """Whether the table and this turn leave a proposal at all (LG-4.4, LG-10.4)."""
    return (
        table.options.player_loans
        and table.proposals < table.options.proposals_per_turn
        and table.finance_moves < FINANCE_MOVES
    )


def loan_terms(table: Table, seat: Seat) -> LoanTerms | None:
    """All proposals that a seat can make now, in its own turn (LG-10.4)."""
    if not may_propose(table):
        return None
    roles: tuple[Role, ...] = ("borrow",) if table.phase == "debt" else ("borrow", "lend")
    free = free_lots_by_seat(table)
    offers = [
        offer
        for role in roles
        for other in range(len(table.players))
        if other != seat and (offer := _loan_offer(table, seat, other, role, free)) is not None
    ]
    return LoanTerms(tuple(offers)) if offers else None


def _loan_offer(
    table: Table, seat: Seat, other: Seat, role: Role, free: Sequence[Lots]
) -> LoanOffer | None:
    """What can be agreed with one other seat; `None` where nothing can."""
    borrower, lender = (seat, other) if role == "borrow" else (other, seat)
    cash = table.players[lender].cash
    if cash < 1 or is_finished(table, borrower):
        return None
    offer = LoanOffer(
        role=role,
        other=other,
        principal=Range(1, cash),
        interest=Range(0, cash),
        due_round=Range(table.players[borrower].tally + 1, table.options.rounds),
        lots=free[borrower],
        refused=tuple(old for old in table.refused if (old.other, old.role) == (other, role)),
    )
    return offer if offer.is_open() else None
