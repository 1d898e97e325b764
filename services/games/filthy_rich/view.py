"""What one seat may know of the table: enough to draw all of it without knowing the rules."""

from __future__ import annotations

from typing import Literal

import msgspec

from services.games.filthy_rich.card_set import Card, Cards, CardSet
from services.games.filthy_rich.knowledge import Kept, Known
from services.games.filthy_rich.state import (
    Auction,
    End,
    Lot,
    Options,
    Phase,
    Sign,
    Spied,
    Tax,
    Trace,
    card_set,
)
from shared.game import Seat

AskedKind = Literal["buy_luxury", "take_action", "roll", "give", "sell_for_tax", "bid"]


class Asked(msgspec.Struct, frozen=True, gc=False):
    """Whose decision the table waits for, and which.

    `take_action`: `count` actions are left. `give`: a card to the seat `to`. `sell_for_tax`: `tax`
    is due after the sales. `bid`: for `luxury`, from `minimum` to `maximum`.
    """

    seat: Seat
    kind: AskedKind
    count: int | None = None
    to: Seat | None = None
    tax: int | None = None
    luxury: str | None = None
    minimum: int | None = None
    maximum: int | None = None


class View(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The table as one seat sees it; `seat` is `None` for a spectator.

    Tuples with one entry a seat are in seat order. `hands` has the seat's own cards, and of the
    others their number. `seen` has the business that is seen at slots 1 to 9 of the open page,
    `owners` whose it is. `dice_now` is the number of dice that would be rolled now. `known`,
    `kept`, `pool` and `traces` are what the seat can be sure of about hidden cards (see
    `knowledge`). The other fields are those of the state.
    """

    seat: Seat | None
    options: Options
    phase: Phase
    turn: int
    player: Seat
    first: Seat
    active: tuple[Seat, ...]
    asked: Asked | None
    actions_left: int
    page: int
    seen: tuple[str | None, ...]
    owners: tuple[Seat | None, ...]
    signs: tuple[Sign, ...]
    sign_supply: tuple[str, ...]
    """The type of each sign card that is not in the binder."""

    supply: tuple[str, ...]
    removed: tuple[str, ...]
    lots: tuple[Lot, ...]
    auction: Auction | None
    hands: tuple[Cards | int, ...]
    pile: int
    discard: Cards
    cash: tuple[int, ...]
    bank: int
    assets: tuple[Cards, ...]
    luxuries: tuple[tuple[str, ...], ...]
    tax_due: tuple[int, ...]
    action: Card | None
    revealed: Cards
    spied: Spied | None
    extra_dice: int
    dice_now: int
    tax_holiday: bool
    dice: tuple[int, ...]
    page_die: int | None
    taxes_left: int
    tax: Tax | None
    out: tuple[Seat, ...]
    end: End | None
    known: tuple[Known, ...]
    kept: tuple[Kept, ...]
    pool: Cards
    traces: tuple[Trace, ...]

    @property
    def cards(self) -> CardSet:
        """The cards that this match is played with."""
        return card_set(self.options)
