"""Taxes, sales and knockouts (FR-7, 8, 11)."""

from __future__ import annotations

from collections.abc import Sequence

from services.games.filthy_rich.assets import tax_due, tax_income
from services.games.filthy_rich.binder import size
from services.games.filthy_rich.card_set import Business
from services.games.filthy_rich.events import (
    BusinessSold,
    GameEnded,
    SalesEnded,
    SeatKnockedOut,
    TaxBegan,
    TaxEnded,
)
from services.games.filthy_rich.state import Sign, active
from services.games.filthy_rich.story import BANK, Story
from shared.game import Seat

SALE_OF_SIGN_CARD = 2  # FR-8.2


def begin_tax(story: Story) -> None:
    """The next tax procedure of the roll (FR-7.1, 7.2)."""
    state = story.state
    order = active(state.out, len(state.hands), state.player)  # FR-7.4
    begin_tax_for(story, order, state.taxes_left - 1)


def begin_tax_for(story: Story, order: Sequence[Seat], left: int) -> None:
    """Step a, and the first participant of step b is asked."""
    story.tell(TaxBegan(tuple(order), left))
    for seat in order:
        story.pay(BANK, seat, tax_income(story.state, seat), "tax_income")  # FR-7.3


def end_sales(story: Story, seat: Seat) -> None:
    """The seat sells no more; the next participant decides (FR-7.4)."""
    order = story.state.tax.order if story.state.tax else ()
    later = order[order.index(seat) + 1 :]
    story.tell(SalesEnded(seat, later[0] if later else None))


def collect_tax(story: Story) -> None:
    """Step c: all participants pay or are knocked out (FR-7.7)."""
    order = story.state.tax.order if story.state.tax else ()
    for seat in order:
        due = tax_due(story.state, seat)
        if due <= story.state.cash[seat]:
            story.pay(seat, BANK, due, "tax")
            continue
        knock_out(story, seat)
        left = active(story.state.out, len(story.state.hands), seat)
        if len(left) == 1:
            story.tell(GameEnded("last_one_left", left[0]))  # FR-11.3
            return
    story.tell(TaxEnded())


def knock_out(story: Story, seat: Seat) -> None:
    """FR-11.2."""
    state = story.state
    businesses = tuple(sign.card for sign in state.signs if sign.owner == seat)
    rows = state.cards.luxuries
    luxuries = sorted(state.luxuries[seat], key=lambda luxury: rows[luxury].price)  # FR-12.1
    story.pay(seat, BANK, state.cash[seat], "estate")
    cards = (*state.hands[seat], *state.assets[seat], *businesses)
    story.tell(SeatKnockedOut(seat, tuple(sorted(cards)), tuple(luxuries)))


def sale_value(row: Business) -> int:
    """FR-8.2; Chapter 11 Books: FR-14.2.2a."""
    return SALE_OF_SIGN_CARD * size(row.shape) + row.sale_bonus


def sell(story: Story, sign: Sign) -> None:
    """The bank pays the owner; the card is discarded, the sign goes back (FR-8.2)."""
    row = story.state.cards.businesses[sign.business]
    story.pay(BANK, sign.owner, sale_value(row), "sale")
    story.tell(BusinessSold(sign.owner, sign.card, sign.business))
