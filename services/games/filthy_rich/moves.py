"""What a seat may ask for (FR-4). The order in which a client names slots does not matter."""

from __future__ import annotations

from typing import Any

import msgspec

from services.games.filthy_rich.card_set import Card, Slots
from shared.chance import Chance
from shared.game import Move, Seat


class BuyLuxury(Move, frozen=True, tag="buy_luxury", gc=False):
    """Buy a luxury of the supply (FR-4.3)."""

    luxury: str


class SkipLuxury(Move, frozen=True, tag="skip_luxury", gc=False):
    """Buy no luxury this turn."""


class DiscardForOne(Move, frozen=True, tag="discard_for_1", gc=False):
    """Discard a card for $1 (FR-5.1)."""

    card: Card


class PlayBusiness(Move, frozen=True, tag="play_business", gc=False):
    """Open a business and put its sign on the open page (FR-5.2)."""

    card: Card
    slots: Slots

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "slots", tuple(sorted(self.slots)))


class PlayAsset(Move, frozen=True, tag="play_asset", gc=False):
    """Lay down an asset (FR-5.3)."""

    card: Card


class PlayAction(Move, frozen=True, tag="play_action", omit_defaults=True, gc=False):
    """Carry out an action, with exactly the parameters of its card (FR-5.5, 14.4)."""

    card: Card
    target: Seat | None = None
    business: str | None = None
    page: int | None = None
    slots: Slots | None = None

    def __post_init__(self) -> None:
        if self.slots is not None:
            msgspec.structs.force_setattr(self, "slots", tuple(sorted(self.slots)))


class Give(Move, frozen=True, tag="give", gc=False):
    """Industrial Espionage: give a card in return (FR-14.4.4)."""

    card: Card


class SellBusiness(Move, frozen=True, tag="sell_business", gc=False):
    """Sell an own business in one's turn (FR-8.1)."""

    business: str


class RepayLoan(Move, frozen=True, tag="repay_loan", gc=False):
    """Repay an own loan (FR-14.3.2)."""

    card: Card


class Roll(Move, frozen=True, tag="roll", gc=False):
    """Roll the business dice (FR-4.7)."""


class TaxSell(Move, frozen=True, tag="tax_sell", gc=False):
    """Sell an own business before a tax is due (FR-7.4)."""

    business: str


class TaxDone(Move, frozen=True, tag="tax_done", gc=False):
    """Sell no more (FR-7.5)."""


class Bid(Move, frozen=True, tag="bid", gc=False):
    """Bid for the luxury at auction (FR-12.3)."""

    amount: int


class PassBid(Move, frozen=True, tag="pass", gc=False):
    """Make no bid now (FR-12.4)."""


RichMove = (
    BuyLuxury
    | SkipLuxury
    | DiscardForOne
    | PlayBusiness
    | PlayAsset
    | PlayAction
    | Give
    | SellBusiness
    | RepayLoan
    | Roll
    | TaxSell
    | TaxDone
    | Bid
    | PassBid
)

SKIP_LUXURY = SkipLuxury()
ROLL = Roll()
TAX_DONE = TaxDone()
PASS = PassBid()


class BidRange(msgspec.Struct, frozen=True, tag_field="type", tag="bid_range", gc=False):
    """Any bid from `minimum` to `maximum`, both included."""

    minimum: int
    maximum: int

    def holds(self, move: Any) -> bool:
        """Whether this is a bid within the range."""
        return isinstance(move, Bid) and self.minimum <= move.amount <= self.maximum

    def sample(self, chance: Chance) -> Bid:
        """Some bid, every one as likely as the other."""
        return Bid(self.minimum + chance.one("bid", self.maximum - self.minimum + 1))
