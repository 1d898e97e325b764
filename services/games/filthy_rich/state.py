"""What is true at the table (`State`): everything that an event can change.

Piles and hands are sets of cards, kept in text order; no order of a pile exists (FR-2.2).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from services.games.filthy_rich.card_set import Card, Cards, CardSet, Slots
from services.games.filthy_rich.shipped import SHIPPED
from shared.game import Options as BaseOptions
from shared.game import Seat

SEATS = range(2, 6)  # FR-1.1
PAGES = range(1, 5)  # FR-1.3

Phase = Literal["waiting", "luxury", "actions", "rolled", "ended"]
Reason = Literal["luxuries", "auction", "last_one_left", "turn_limit"]


class Options(
    BaseOptions, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True
):
    """Settings of a match."""

    turn_limit: Annotated[int, msgspec.Meta(ge=1, le=2000)] = 400  # FR-11.8


CARD_SETS: dict[str, CardSet] = {"shipped": SHIPPED}


def card_set(options: Options) -> CardSet:
    """The cards that a match is played with.

    Another set is one more entry of `CARD_SETS`; once hosts may choose, an option names it here.
    """
    return CARD_SETS["shipped"]


class Sign(msgspec.Struct, frozen=True, gc=False):
    """A business in play: its card lies in front of `owner`, its sign in these slots of a page."""

    business: str
    card: Card
    owner: Seat
    page: int
    slots: Slots


class Spied(msgspec.Struct, frozen=True, gc=False):
    """Industrial Espionage under way: `card` was taken and another one is still to be given.

    In a view `card` is `None` for whom it does not concern (FR-13.4).
    """

    target: Seat
    card: Card | None


class Tax(msgspec.Struct, frozen=True, gc=False):
    """A tax procedure before its payment (FR-7): who takes part, in order, and who may sell now."""

    order: tuple[Seat, ...]
    deciding: Seat | None


class Lot(msgspec.Struct, frozen=True, gc=False):
    """A luxury of a knocked-out player, waiting for its auction (FR-12.1)."""

    luxury: str
    loser: Seat


class BestBid(msgspec.Struct, frozen=True, gc=False):
    """The highest bid so far."""

    seat: Seat
    amount: int


class Auction(msgspec.Struct, frozen=True, gc=False):
    """The auction of the first lot (FR-12). `passes` counts those since the last bid."""

    speaker: Seat | None
    best: BestBid | None = None
    passes: int = 0


class End(msgspec.Struct, frozen=True, gc=False):
    """Why the game is over, and who won; nobody by the turn limit (FR-11)."""

    reason: Reason
    winner: Seat | None


class Sighting(msgspec.Struct, frozen=True, gc=False, tag="sighting"):
    """A card was seen to come into a hand: by all, or by the two seats `by` alone."""

    card: Card
    seat: Seat
    by: tuple[Seat, Seat] | None


class Swap(msgspec.Struct, frozen=True, gc=False, tag="swap"):
    """Two hands exchanged a card each, which only these two seats saw."""

    seats: tuple[Seat, Seat]


class Reshuffle(msgspec.Struct, frozen=True, gc=False, tag="reshuffle"):
    """The discard pile became the draw pile: what is in a hand now, is not in the pile."""


Trace = Sighting | Swap | Reshuffle
"""What happened to hidden cards before somebody's eyes, as far as it still tells something."""


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The whole table. Tuples with one entry a seat are in seat order."""

    options: Options
    hands: tuple[Cards, ...]
    pile: Cards
    discard: Cards = ()
    pool: Cards
    """What the draw pile was made of: the deck, later the discard pile of the last reshuffle."""

    traces: tuple[Trace, ...] = ()
    cash: tuple[int, ...]
    bank: int
    """What the bank has taken in less what it has paid out: it never runs out (FR-1.8)."""

    assets: tuple[Cards, ...]
    luxuries: tuple[tuple[str, ...], ...]
    supply: tuple[str, ...]
    """The luxuries that can be bought."""

    removed: tuple[str, ...] = ()
    """The luxuries that nobody wanted at an auction (FR-12.5)."""

    lots: tuple[Lot, ...] = ()
    auction: Auction | None = None
    signs: tuple[Sign, ...] = ()
    """In order of the types; all other signs are in the sign supply (FR-3.7)."""

    page: int = 1
    phase: Phase = "waiting"
    turn: int = 0
    player: Seat = 0
    """Whose turn it is."""

    first: Seat = 0
    """Who had the first turn."""

    actions_left: int = 0
    action: Card | None = None
    """The action card that is being carried out (FR-5.5)."""

    revealed: Cards = ()
    """What a Business Scout has revealed and not yet laid down."""

    spied: Spied | None = None
    extra_dice: int = 0
    tax_holiday: bool = False
    dice: tuple[int, ...] = ()
    """The last roll of business dice."""

    page_die: int | None = None
    taxes_left: int = 0
    """How many tax procedures of this roll have not begun (FR-7.1)."""

    tax: Tax | None = None
    out: tuple[Seat, ...] = ()
    """The knocked-out players, in order of knockout."""

    end: End | None = None

    @property
    def cards(self) -> CardSet:
        """The cards that this match is played with."""
        return card_set(self.options)


def active(out: tuple[Seat, ...], seats: int, start: Seat) -> list[Seat]:
    """The active players clockwise, beginning with `start` itself if it is one (FR-7.4)."""
    around = (seat % seats for seat in range(start, start + seats))
    return [seat for seat in around if seat not in out]


def others(state: State, seat: Seat) -> list[Seat]:
    """The other active players, clockwise from this one's left."""
    found = active(state.out, len(state.hands), seat + 1)
    return [other for other in found if other != seat]


def sign_of(signs: tuple[Sign, ...], business: str | None) -> Sign | None:
    """The sign of this type, if it is in the binder."""
    return next((sign for sign in signs if sign.business == business), None)
