"""What a card set is made of. The rules read every price and number from here, never from an id.

A business card is named by its type and copy, `B05-1`; a sign and a business by the type, `B05`.
The words in the columns `hit` and `effect` name functions in `hits`, `assets` and `actions`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from shared.game import Text

Card = str
"""A deck card: type and copy."""

Cards = tuple[Card, ...]
Slots = tuple[int, ...]

Shape = Literal["S1", "V2", "H2", "V3", "H3", "Q4"]

COPIES = {"business": 3, "asset": 2, "action": 2}  # FR-1.6


@dataclass(frozen=True, slots=True)
class Luxury:
    """FR-14.1."""

    id: str
    name: Text
    price: int
    icons: int


@dataclass(frozen=True, slots=True)
class Business:
    """FR-14.2. A HIT brings `amount`, and `each` dollars for whatever its effect counts."""

    id: str
    name: Text
    cost: int
    shape: Shape
    icons: int
    hit: str
    amount: int
    each: int = 0
    sale_bonus: int = 0
    tax_income: int = 0


@dataclass(frozen=True, slots=True)
class Asset:
    """FR-14.3. `amount` is what its effect is worth, in dollars."""

    id: str
    name: Text
    cost: int
    icons: int
    effect: str
    amount: int


@dataclass(frozen=True, slots=True)
class Action:
    """FR-14.4. `amount` is in dollars or dice."""

    id: str
    name: Text
    effect: str
    amount: int = 0


Row = TypeVar("Row", Luxury, Business, Asset, Action)


@dataclass(frozen=True, slots=True, eq=False)
class CardSet:
    """Every card of a game, by id, in the order of the rules text."""

    luxuries: Mapping[str, Luxury]
    businesses: Mapping[str, Business]
    assets: Mapping[str, Asset]
    actions: Mapping[str, Action]
    deck: Cards
    """All deck cards in text order."""

    @staticmethod
    def of(
        luxuries: Iterable[Luxury],
        businesses: Iterable[Business],
        assets: Iterable[Asset],
        actions: Iterable[Action],
    ) -> CardSet:
        """A set of these rows, with the usual number of copies of each (FR-1.6)."""
        of_business, of_asset, of_action = by_id(businesses), by_id(assets), by_id(actions)
        deck = [
            *_copies(of_business, COPIES["business"]),
            *_copies(of_asset, COPIES["asset"]),
            *_copies(of_action, COPIES["action"]),
        ]
        return CardSet(by_id(luxuries), of_business, of_asset, of_action, tuple(sorted(deck)))


def _copies(types: Iterable[str], count: int) -> list[Card]:
    return [f"{kind}-{copy}" for kind in types for copy in range(1, count + 1)]


def by_id(rows: Iterable[Row]) -> dict[str, Row]:
    """The rows by their ids."""
    return {row.id: row for row in rows}


def type_of(card: Card) -> str:
    """The type of a deck card."""
    return card.partition("-")[0]
