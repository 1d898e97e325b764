"""Small changes to tuples: a row of seats, or a set of cards in text order."""

from __future__ import annotations

from typing import TypeVar

from services.games.filthy_rich.card_set import Card, Cards

Item = TypeVar("Item")


def put(row: tuple[Item, ...], at: int, value: Item) -> tuple[Item, ...]:
    """The row with one entry replaced."""
    return (*row[:at], value, *row[at + 1 :])


def with_cards(cards: Cards, *more: Card) -> Cards:
    """The set with some cards more."""
    return tuple(sorted((*cards, *more)))


def without(cards: Cards, card: Card) -> Cards:
    """The set with one card less."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def shown(cards: Cards | int) -> Cards:
    """The cards of a stored event. Raises `TypeError` for a redacted one, which can't be folded."""
    if isinstance(cards, int):
        raise TypeError("these cards are redacted")
    return cards


def named(card: Card | None) -> Card:
    """The card of a stored event. Raises `TypeError` for a redacted one."""
    if card is None:
        raise TypeError("this card is redacted")
    return card
