"""The standing effects of assets and businesses (FR-14.3): one small function an effect.

Each takes `Table`, so that the same rule serves a decision and a preview.
"""

from __future__ import annotations

from typing import Protocol

from services.games.filthy_rich.card_set import Cards, CardSet, type_of
from services.games.filthy_rich.state import Sign, others
from services.games.filthy_rich.story import BANK, Story
from shared.game import Seat


class Table(Protocol):
    """The public facts that money depends on; a state and a view both have them."""

    @property
    def cards(self) -> CardSet: ...
    @property
    def assets(self) -> tuple[Cards, ...]: ...
    @property
    def luxuries(self) -> tuple[tuple[str, ...], ...]: ...
    @property
    def signs(self) -> tuple[Sign, ...]: ...
    @property
    def cash(self) -> tuple[int, ...]: ...


def amounts(table: Table, seat: Seat, effect: str) -> list[int]:
    """What each asset of this effect that the seat owns is worth; copies add up (FR-5.4)."""
    rows = table.cards.assets
    owned = (rows[type_of(card)] for card in table.assets[seat])
    return [row.amount for row in owned if row.effect == effect]


def street_lease(table: Table, seat: Seat) -> int:
    """Dollars less for each covered sign card."""
    return sum(amounts(table, seat, "street_lease"))


def tax_shelter(table: Table, seat: Seat) -> int:
    """Dollars less of tax."""
    return sum(amounts(table, seat, "tax_shelter"))


def accountant(table: Table, seat: Seat) -> int:
    """Dollars at the beginning of a tax procedure."""
    return sum(amounts(table, seat, "accountant"))


def flashing_neon(story: Story, owner: Seat) -> None:
    """Dollars more for a HIT."""
    story.pay(BANK, owner, sum(amounts(story.state, owner, "flashing_neon")), "flashing_neon")


def street_vendor(story: Story) -> None:
    """Dollars of the turn player for a die that shows an empty slot."""
    player = story.state.player
    story.pay(BANK, player, sum(amounts(story.state, player, "street_vendor")), "street_vendor")


def rich_uncle(story: Story, seat: Seat) -> None:
    """Dollars from the bank at the start of the owner's turn, a copy at a time."""
    for amount in amounts(story.state, seat, "rich_uncle"):
        story.pay(BANK, seat, amount, "rich_uncle")


def protection_racket(story: Story, seat: Seat) -> None:
    """All others with a business pay at the start of the owner's turn, a copy at a time."""
    for amount in amounts(story.state, seat, "protection_racket"):
        for payer in others(story.state, seat):
            if any(sign.owner == payer for sign in story.state.signs):
                story.pay_up_to(payer, seat, amount, "protection_racket")


def loan(story: Story, seat: Seat, amount: int) -> None:
    """Money from the bank when the card is played; `repay_loan` pays it back."""
    story.pay(BANK, seat, amount, "loan")


def icons(table: Table, seat: Seat) -> int:
    """The tax icons in front of a seat, whether its signs are visible or not (FR-7.6)."""
    cards = table.cards
    return (
        sum(cards.businesses[sign.business].icons for sign in table.signs if sign.owner == seat)
        + sum(cards.luxuries[luxury].icons for luxury in table.luxuries[seat])
        + sum(cards.assets[type_of(card)].icons for card in table.assets[seat])
    )


def tax_due(table: Table, seat: Seat) -> int:
    """FR-7.6."""
    return max(icons(table, seat) - tax_shelter(table, seat), 0)


def tax_income(table: Table, seat: Seat) -> int:
    """What assets and businesses bring in step a of a tax procedure (FR-7.3)."""
    rows = table.cards.businesses
    mine = (rows[sign.business].tax_income for sign in table.signs if sign.owner == seat)
    return sum(mine) + accountant(table, seat)
