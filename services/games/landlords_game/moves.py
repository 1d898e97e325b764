"""What a seat may ask for (LG-4). Terms are plain numbers: the rules say what is wrong with them.

The order in which lots are named does not matter.
"""

from __future__ import annotations

import msgspec

from services.games.landlords_game.state import Direction, Role
from shared.game import Move, Seat


class BuyTicket(Move, frozen=True, tag="buy_ticket", gc=False):
    """Buy the lot of a ticket that you drew (LG-3.4)."""

    lot: int


class TicketsDone(Move, frozen=True, tag="tickets_done", gc=False):
    """Return all tickets that are left (LG-3.4)."""


class Throw(Move, frozen=True, tag="throw", gc=False):
    """Throw the dice (LG-4.3)."""


class PayFine(Move, frozen=True, tag="pay_fine", gc=False):
    """Leave jail for 50 before throwing (LG-8.2)."""


class Jump(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A ride from one railroad to another (LG-7.4)."""

    from_: int = msgspec.field(name="from")
    to: int


class MoveChecker(Move, frozen=True, tag="move", gc=False):
    """Choose between the ways to move (LG-7.6)."""

    direction: Direction
    jump: Jump | None = None


class BuyLot(Move, frozen=True, tag="buy_lot", gc=False):
    """Buy the unowned lot you stand on (LG-6.2)."""


class RentLot(Move, frozen=True, tag="rent_lot", gc=False):
    """Pay its rent instead (LG-6.2, LG-6.4)."""


class BuyLuxury(Move, frozen=True, tag="buy_luxury", gc=False):
    """Pay 50 for a luxury that counts 60 at the end (LG-7.7)."""


class DeclineLuxury(Move, frozen=True, tag="decline_luxury", gc=False):
    """Buy no luxury and miss the next turn (LG-7.7)."""


class BorrowBank(Move, frozen=True, tag="borrow_bank", gc=False):
    """Borrow 100 a note on a mortgage of own lots (LG-10.1)."""

    notes: int
    lots: tuple[int, ...]

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "lots", tuple(sorted(self.lots)))


class RepayBank(Move, frozen=True, tag="repay_bank", gc=False):
    """Redeem notes of a bank loan (LG-10.3)."""

    loan: int
    notes: int


class ProposeLoan(Move, frozen=True, tag="propose_loan", gc=False):
    """Propose to another player to borrow from, or to lend to them (LG-10.4)."""

    role: Role
    other: Seat
    principal: int
    interest: int
    due_round: int
    lots: tuple[int, ...]

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "lots", tuple(sorted(self.lots)))


class AcceptLoan(Move, frozen=True, tag="accept_loan", gc=False):
    """Agree to the proposal (LG-10.5)."""


class RefuseLoan(Move, frozen=True, tag="refuse_loan", gc=False):
    """Refuse the proposal (LG-10.5)."""


class RepayLoan(Move, frozen=True, tag="repay_loan", gc=False):
    """Repay the whole principal of a player loan early (LG-10.7)."""

    loan: int


class SurrenderSecurity(Move, frozen=True, tag="surrender_security", gc=False):
    """Give up the pledged lots instead of paying (LG-10.6)."""


class GoPoorhouse(Move, frozen=True, tag="go_poorhouse", gc=False):
    """Pay what is there and go to the poor house (LG-9.4)."""


LandlordsMove = (
    BuyTicket
    | TicketsDone
    | Throw
    | PayFine
    | MoveChecker
    | BuyLot
    | RentLot
    | BuyLuxury
    | DeclineLuxury
    | BorrowBank
    | RepayBank
    | ProposeLoan
    | AcceptLoan
    | RefuseLoan
    | RepayLoan
    | SurrenderSecurity
    | GoPoorhouse
)
