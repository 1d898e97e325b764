"""Open-ended moves: the terms of loans, as ranges that a client can fill in.

`sample` draws under labels that begin with `terms/`.
"""

from __future__ import annotations

from itertools import count
from typing import Any

import msgspec

from services.games.landlords_game.board import MARGIN, NOTE, worth
from services.games.landlords_game.moves import BorrowBank, ProposeLoan
from services.games.landlords_game.state import Proposal, Role
from shared.chance import Chance
from shared.game import Seat


class Range(msgspec.Struct, frozen=True, gc=False):
    """Whole numbers from `low` to `high`, both included."""

    low: int
    high: int

    def __contains__(self, number: int) -> bool:
        return self.low <= number <= self.high

    def sample(self, chance: Chance, label: str) -> int:
        """One of them."""
        return self.low + chance.one(label, self.high - self.low + 1)


class BankTerms(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="bank_terms"):
    """Any `borrow_bank` of so many `notes` on some of these `lots` (LG-10.1).

    The total price of the chosen lots is at least `note` for each note and `margin` more.
    """

    notes: Range
    lots: tuple[int, ...]
    note: int = NOTE
    margin: int = MARGIN

    def holds(self, move: Any) -> bool:
        """Whether the Bank would make this loan."""
        return (
            isinstance(move, BorrowBank)
            and move.notes in self.notes
            and _is_set_of(move.lots, self.lots)
            and worth(move.lots) >= self._needed(move.notes)
        )

    def sample(self, chance: Chance) -> BorrowBank:
        """So many notes, on lots added in random order until they are enough."""
        notes = self.notes.sample(chance, "terms/notes")
        pledged: tuple[int, ...] = ()
        for lot in chance.shuffle("terms/lots", [f"{lot:02}" for lot in self.lots]):
            if worth(pledged) < self._needed(notes):
                pledged = (*pledged, int(lot))
        return BorrowBank(notes=notes, lots=pledged)

    def _needed(self, notes: int) -> int:
        return self.note * notes + self.margin


class LoanOffer(msgspec.Struct, frozen=True, gc=False):
    """What can be agreed with one other player in one role (LG-10.4).

    `interest` is never more than the principal chosen; `lots` is any set of these, or none.
    `refused` terms cannot be proposed again in this turn.
    """

    role: Role
    other: Seat
    principal: Range
    interest: Range
    due_round: Range
    lots: tuple[int, ...]
    refused: tuple[Proposal, ...] = ()

    def within(self, terms: ProposeLoan | Proposal) -> bool:
        """Whether the terms lie within the ranges, refused or not."""
        return (
            (terms.role, terms.other) == (self.role, self.other)
            and terms.principal in self.principal
            and self.interest.low <= terms.interest <= terms.principal
            and terms.due_round in self.due_round
            and _is_set_of(terms.lots, self.lots)
        )

    def holds(self, move: ProposeLoan) -> bool:
        """Whether these terms can be proposed now."""
        return self.within(move) and not any(same_terms(move, old) for old in self.refused)

    def is_open(self) -> bool:
        """Whether any terms are left that were not refused (LG-9.7)."""
        most = self.principal.high
        amounts = most * (most + 3) // 2  # of principal p there are p + 1 interests
        rounds = self.due_round.high - self.due_round.low + 1
        refused = sum(self.within(old) for old in self.refused)
        return amounts * (rounds << len(self.lots)) > refused

    def sample(self, chance: Chance) -> ProposeLoan:
        """Some terms that were not refused."""
        attempts = (self._any(chance, f"terms/{attempt}") for attempt in count())
        return next(move for move in attempts if self.holds(move))

    def _any(self, chance: Chance, label: str) -> ProposeLoan:
        principal = self.principal.sample(chance, f"{label}/principal")
        return ProposeLoan(
            role=self.role,
            other=self.other,
            principal=principal,
            interest=Range(0, principal).sample(chance, f"{label}/interest"),
            due_round=self.due_round.sample(chance, f"{label}/due"),
            lots=_some_of(self.lots, chance, f"{label}/lots"),
        )


class LoanTerms(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="loan_terms"):
    """Any `propose_loan` within one of these `offers` (LG-10.4)."""

    offers: tuple[LoanOffer, ...]

    def holds(self, move: Any) -> bool:
        """Whether these terms can be proposed now."""
        return isinstance(move, ProposeLoan) and any(o.holds(move) for o in self.offers)

    def sample(self, chance: Chance) -> ProposeLoan:
        """Some terms of one of the offers."""
        return self.offers[chance.one("terms/offer", len(self.offers))].sample(chance)


def same_terms(move: ProposeLoan, old: Proposal) -> bool:
    """Whether a proposal repeats terms; lots are compared as a set (LG-10.4)."""
    return _terms(move) == _terms(old)


def _terms(proposed: ProposeLoan | Proposal) -> tuple[object, ...]:
    amounts = (proposed.principal, proposed.interest, proposed.due_round)
    return (proposed.role, proposed.other, *amounts, proposed.lots)


def _is_set_of(chosen: tuple[int, ...], lots: tuple[int, ...]) -> bool:
    return len(set(chosen)) == len(chosen) and set(chosen) <= set(lots)


def _some_of(lots: tuple[int, ...], chance: Chance, label: str) -> tuple[int, ...]:
    bits = chance.one(label, 1 << len(lots))
    return tuple(lot for at, lot in enumerate(lots) if bits >> at & 1)
