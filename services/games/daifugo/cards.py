"""The cards and their names (DF-2). Inside the state a hand is a set of bits, bit i = `CARDS[i]`.

Rank r (0 = 3, ..., 12 = 2) has the bits 4r..4r+3 for clubs, diamonds, hearts, spades; the jokers
have the bits 52 and 53. So the bits ascend in the normal order of strength, and within a rank in
the order in which ties are broken.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

# fmt: off - one rank a line
Card = Literal[
    "3C",
    "3D",
    "3H",
    "3S",
    "4C",
    "4D",
    "4H",
    "4S",
    "5C",
    "5D",
    "5H",
    "5S",
    "6C",
    "6D",
    "6H",
    "6S",
    "7C",
    "7D",
    "7H",
    "7S",
    "8C",
    "8D",
    "8H",
    "8S",
    "9C",
    "9D",
    "9H",
    "9S",
    "TC",
    "TD",
    "TH",
    "TS",
    "JC",
    "JD",
    "JH",
    "JS",
    "QC",
    "QD",
    "QH",
    "QS",
    "KC",
    "KD",
    "KH",
    "KS",
    "AC",
    "AD",
    "AH",
    "AS",
    "2C",
    "2D",
    "2H",
    "2S",
    "J1",
    "J2",
]
# fmt: on

Cards = tuple[Card, ...]
Hidden = Cards | int
"""Cards, or only their number where the reader may not see them."""

CARDS: Cards = get_args(Card)
DECK: Cards = CARDS[:53]  # DF-2.2
RANKS = range(14)
"""3 to 2, then the jokers."""

THREE, EIGHT, TWO, JOKER = 0, 5, 12, 13
JOKER_SHIFT = 4 * JOKER

BIT: dict[str, int] = {card: 1 << i for i, card in enumerate(CARDS)}
RANK_MASK: tuple[int, ...] = (*(0b1111 << 4 * rank for rank in range(13)), 0b11 << JOKER_SHIFT)
ANY_CARD = sum(BIT.values())


def mask_of(cards: Iterable[str]) -> int:
    """The set of these cards, which must all differ."""
    return sum(map(BIT.__getitem__, cards))


def cards_of(mask: int) -> Cards:
    """The cards of a set, in canonical order."""
    cards = []
    while mask:
        lowest = mask & -mask
        cards.append(CARDS[lowest.bit_length() - 1])
        mask ^= lowest
    return tuple(cards)


def canonical(cards: Cards) -> Cards:
    """The same cards ordered 3 to 2, clubs to spades, jokers last; doubles stay."""
    return tuple(sorted(cards, key=BIT.__getitem__))


def strongest(hand: int, count: int) -> Cards:
    """The cards that a poorer player must give: normal order, spades first (DF-4.2)."""
    return cards_of(hand)[-count:]


def weakest(hand: int, count: int) -> Cards:
    """The cards that are given for who does not choose: normal order, clubs first (DF-4.5)."""
    return cards_of(hand)[:count]


def number_of(cards: Hidden) -> int:
    """How many cards these are, seen or not."""
    return cards if isinstance(cards, int) else len(cards)


def shown(cards: Hidden) -> Cards:
    """The cards of a stored event or a state, which hide nothing.

    Raises:
        TypeError: for a redacted value, which cannot be folded.
    """
    if isinstance(cards, int):
        raise TypeError("these cards are redacted")
    return cards
