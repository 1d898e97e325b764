"""The options, moves, events, state and view of Secrets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec

from shared import game as contract
from shared.chance import Chance
from shared.game import Seat

DECK = tuple(f"K{number}" for number in range(1, 13))
SEATS = range(2, 5)
HAND = 2
COINS = 10


class Options(contract.Options, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How many cards of the pile are sold."""

    auctions: Annotated[int, msgspec.Meta(ge=1, le=4)] = 2


class GiveCard(contract.Move, frozen=True, tag="give_card"):
    """The card for the neighbour."""

    card: str


class Bid(contract.Move, frozen=True, tag="bid"):
    """So many coins for the next card of the pile."""

    coins: int


class PassBid(contract.Move, frozen=True, tag="pass_bid"):
    """No bid."""


AnyMove = GiveCard | Bid | PassBid


class BidRange(msgspec.Struct, frozen=True, tag_field="type", tag="bid_range"):
    """Any bid from `low` to `high`, both included."""

    low: int
    high: int

    def holds(self, move: Any) -> bool:
        return isinstance(move, Bid) and self.low <= move.coins <= self.high

    def sample(self, chance: Chance) -> Bid:
        return Bid(self.low + chance.one("coins", self.high - self.low + 1))


class CardDealt(contract.Event, frozen=True, tag="secrets.card_dealt"):
    """Only its seat may know of it; how many cards each gets is in the rules."""

    seat: Seat
    card: str


class CardChosen(contract.Event, frozen=True, tag="secrets.card_chosen"):
    """`seat` has chosen; others see no card."""

    seat: Seat
    card: str | None


class CardsPassed(contract.Event, frozen=True, tag="secrets.cards_passed"):
    """What each seat gave to the next; a seat sees what it gave and what it got."""

    cards: tuple[str | None, ...]


class BidMade(contract.Event, frozen=True, tag="secrets.bid_made"):
    """`coins` is `None` for a pass; `turn` is who is asked next, `None` if the auction is over."""

    seat: Seat
    coins: int | None
    turn: Seat | None


class CardDrawn(contract.Event, frozen=True, tag="secrets.card_drawn"):
    """`seat` paid `coins` and drew; others see no card."""

    seat: Seat
    coins: int
    card: str | None


class AuctionOpened(contract.Event, frozen=True, tag="secrets.auction_opened"):
    """`turn` is asked first."""

    turn: Seat


class HandsShown(contract.Event, frozen=True, tag="secrets.hands_shown"):
    """The end: what each seat holds and scores."""

    hands: tuple[tuple[str, ...], ...]
    scores: tuple[int, ...]


AnyEvent = CardDealt | CardChosen | CardsPassed | BidMade | CardDrawn | AuctionOpened | HandsShown


class State(msgspec.Struct, frozen=True):
    """`given` is what each seat chose for its neighbour, `None` before; the pile is the rest."""

    auctions: int
    hands: tuple[tuple[str, ...], ...]
    given: tuple[str | None, ...]
    coins: tuple[int, ...]
    bank: int = 0
    passed: bool = False
    opened: int = 0
    turn: Seat | None = None
    best: tuple[Seat, int] | None = None
    drawn: int = 0
    scores: tuple[int, ...] = ()


class View(msgspec.Struct, frozen=True):
    """What `seat` knows: its hand, what it gave and got, how many cards each holds, all coins.

    `chosen` tells who has chosen a card to give. `hands` is empty before the end.
    """

    seat: Seat | None
    auctions: int
    hand: tuple[str, ...]
    gave: str | None
    got: str | None
    chosen: tuple[bool, ...]
    counts: tuple[int, ...]
    coins: tuple[int, ...]
    bank: int
    passed: bool
    opened: int
    turn: Seat | None
    best: tuple[Seat, int] | None
    drawn: int
    hands: tuple[tuple[str, ...], ...]
    scores: tuple[int, ...]


def rank(card: str) -> int:
    return int(card[1:])


def sorted_hand(cards: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(sorted(cards, key=rank))


def with_card(state: State, seat: Seat, card: Any) -> tuple[str, ...]:
    return sorted_hand((*state.hands[seat], card))


def unseen(hands: Sequence[Sequence[str]]) -> list[str]:
    held = {card for hand in hands for card in hand}
    return [card for card in DECK if card not in held]


def put(row: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    return (*row[:at], value, *row[at + 1 :])
