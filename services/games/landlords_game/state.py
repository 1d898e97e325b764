"""What is true at the table. Nearly all of it is public (LG-13.1) and lies in `Table`.

`State` adds the tickets that players have drawn and not bought; `View` has of these only what one
seat knows.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from services.games.landlords_game.board import LOTS, Space
from shared.game import Options as BaseOptions
from shared.game import Seat

SEATS = range(2, 5)  # LG-1.1

Box = Literal["bank", "wages", "public_treasury", "railroad"]
Creditor = Seat | Box
Phase = Literal[
    "setup",
    "ticket_buy",
    "turn_start",
    "move_choice",
    "moving",
    "lot_choice",
    "luxury_choice",
    "debt",
    "loan_reply",
    "game_over",
]
"""`setup` and `moving` are passed through within one command; nobody is ever asked in them."""

Place = Literal["board", "jail", "released", "poorhouse"]
"""`released`: the fine is paid, the checker has not moved yet (LG-8.2)."""

Reason = Literal[
    "rent",
    "half_rent",
    "necessity",
    "railroad",
    "franchise",
    "bank_interest",
    "loan_interest",
    "loan_due",
]
Direction = Literal["forward", "backward"]
Role = Literal["borrow", "lend"]
Cause = Literal["rounds", "turn_limit"]
Hidden = tuple[str, ...] | int
"""Tickets by name, or their number where the seat may not see them."""


class Options(
    BaseOptions, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True
):
    """Settings of a table (LG-1.2). `turn_limit` null is 60 + 40 for each round."""

    variant: Literal["tickets", "no_tickets"] = "tickets"
    rounds: Annotated[int, msgspec.Meta(ge=1, le=10)] = 5
    first_player: Literal["throw", "seat0"] = "throw"
    rail_jump: Literal["any", "next"] = "any"
    player_loans: bool = True
    proposals_per_turn: Annotated[int, msgspec.Meta(ge=0, le=5)] = 3
    turn_limit: Annotated[int, msgspec.Meta(ge=20, le=1000)] | None = None


class Player(msgspec.Struct, frozen=True, gc=False):
    """One seat's checker, purse and records; all of it is public."""

    cash: int
    at: int = 0
    place: Place = "board"
    poor_count: int = 0
    tally: int = 0
    turns: int = 0
    """How many turns this seat has had, missed ones too (LG-15.3)."""
    misses_turn: bool = False
    luxuries: int = 0
    legacies: int = 0


class Boxes(msgspec.Struct, frozen=True, gc=False):
    """The four running totals of LG-1.4; they may be negative."""

    bank: int = 0
    wages: int = 0
    public_treasury: int = 0
    railroad: int = 0


class Charter(msgspec.Struct, frozen=True, gc=False):
    """Who was first on a franchise (LG-7.8)."""

    space: int
    seat: Seat


class BankLoan(msgspec.Struct, frozen=True, gc=False):
    """Notes of 100 each that the Bank holds, with one mortgage on these lots (LG-10.1)."""

    number: int
    borrower: Seat
    notes: int
    lots: tuple[int, ...]


class PlayerLoan(msgspec.Struct, frozen=True, gc=False):
    """A loan between players; without lots it is unsecured (LG-10.4)."""

    number: int
    borrower: Seat
    lender: Seat
    principal: int
    interest: int
    due_round: int
    lots: tuple[int, ...]


class Proposal(msgspec.Struct, frozen=True, gc=False):
    """Terms that `seat` proposes to `other`; `role` is that of `seat` (LG-10.4)."""

    seat: Seat
    other: Seat
    role: Role
    principal: int
    interest: int
    due_round: int
    lots: tuple[int, ...]

    @property
    def borrower(self) -> Seat:
        """Who would owe."""
        return self.seat if self.role == "borrow" else self.other

    @property
    def lender(self) -> Seat:
        """Who would pay out the principal."""
        return self.other if self.role == "borrow" else self.seat


class Due(msgspec.Struct, frozen=True, gc=False):
    """An obligation (LG-9.1). `closes`: paying it closes the player loan of this number."""

    to: Creditor
    amount: int
    reason: Reason
    loan: int | None = None
    closes: bool = False


class CountUp(msgspec.Struct, frozen=True, gc=False):
    """A seat's row of the count-up: gross is the sum of the first three (LG-12.2 to 12.4)."""

    lots: int
    cash: int
    luxuries: int
    paid: int
    received: int
    total: int


class Table(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Everything that all may see. `owners` has lot 1 first; `bought` the tickets bought a seat."""

    options: Options
    players: tuple[Player, ...]
    owners: tuple[Seat | None, ...] = (None,) * LOTS
    charters: tuple[Charter, ...] = ()
    boxes: Boxes = Boxes()
    bank_loans: tuple[BankLoan, ...] = ()
    player_loans: tuple[PlayerLoan, ...] = ()
    loans_made: int = 0
    bought: tuple[tuple[str, ...], ...]
    first: Seat | None = None
    phase: Phase = "setup"
    turn: Seat | None = None
    throws: int = 0
    throw: tuple[int, int] | None = None
    """The dice of this turn."""
    passings: int = 0
    """How often the move under way has still to pass Mother Earth."""
    dues: tuple[Due, ...] = ()
    """What the move under way has still to pay; the first is the debt in the phase `debt`."""
    finance_moves: int = 0
    proposals: int = 0
    proposal: Proposal | None = None
    asked_in: Phase = "setup"
    """The phase to which play returns when the proposal is answered."""
    refused: tuple[Proposal, ...] = ()
    """Terms that were refused in this turn (LG-10.4)."""
    cause: Cause | None = None
    count_up: tuple[CountUp, ...] = ()


class State(Table, frozen=True, gc=False, kw_only=True):
    """The whole table: `tickets` in hand and `returned` ones, by seat, as drawn."""

    tickets: tuple[tuple[str, ...], ...]
    returned: tuple[tuple[str, ...], ...]


class Asked(msgspec.Struct, frozen=True, gc=False):
    """Who is to act, and on what; shown to everybody.

    `kind` is the phase. In `lot_choice` and `luxury_choice` there is the `price`, and in
    `lot_choice` the `rent` that falls due instead. In `debt` there is the `due` that cash does not
    cover, in `move_choice` the `throw`, in `loan_reply` the `proposal`.
    """

    seat: Seat
    kind: Phase
    lot: int | None = None
    price: int | None = None
    rent: Due | None = None
    throw: tuple[int, int] | None = None
    due: Due | None = None
    proposal: Proposal | None = None


class View(Table, frozen=True, gc=False, kw_only=True):
    """The table as one seat sees it; `seat` is `None` for a spectator.

    Of `tickets` and `returned` a seat sees its own, and of the others the number, until the match
    is over. `board` is the same in every view.
    """

    seat: Seat | None
    active: tuple[Seat, ...]
    asked: Asked | None
    turn_limit: int
    tickets: tuple[Hidden, ...]
    returned: tuple[Hidden, ...]
    board: tuple[Space, ...]


def turn_limit(options: Options) -> int:
    """How many turns each seat has at most (LG-1.2, LG-15.3)."""
    if options.turn_limit is not None:
        return options.turn_limit
    return 60 + 40 * options.rounds


def actor(table: Table) -> Seat | None:
    """The one seat to act (LG-1.6)."""
    return table.turn if table.proposal is None else table.proposal.other


def is_finished(table: Table, seat: Seat) -> bool:
    """Whether the seat has made all its rounds (LG-5.8)."""
    return table.players[seat].tally >= table.options.rounds


def owner_of(table: Table, lot: int) -> Seat | None:
    """Who owns a lot."""
    return table.owners[lot - 1]


def tenants(table: Table, space: int, but: Seat) -> list[Seat]:
    """The other checkers on a space; nobody in jail or poor house stands on a lot (LG-2.2)."""
    return [s for s, player in enumerate(table.players) if player.at == space and s != but]
