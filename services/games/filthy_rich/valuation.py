"""What a table is worth to a seat: expected dollars a turn, in thousandths.

A turn is anybody's turn. On page q there are q dice, and each shows a given slot once in ten.
"""

from __future__ import annotations

from collections.abc import Sequence

from services.games.filthy_rich.assets import amounts, icons, tax_shelter
from services.games.filthy_rich.binder import Seen, seen
from services.games.filthy_rich.card_set import Business
from services.games.filthy_rich.hits import strangers_beside
from services.games.filthy_rich.state import PAGES, Sign
from services.games.filthy_rich.view import View
from shared.game import Seat

DOLLAR = 1000
A_DIE = DOLLAR // 10
"""What one die brings on average for each dollar of one slot."""

KEEP = 3
"""How many taxes are kept in cash."""

BINGO_TWICE = 7
"""Twice the mean of a six-sided die."""


def page_weights(page: int) -> dict[int, int]:
    """How often each page is open from now on; the open one comes first and stays at 5 and 6."""
    return {other: 2 if other == page else 1 for other in PAGES}


def income(view: View, seat: Seat, signs: Sequence[Sign], page: int) -> int:
    """What the seat's signs earn in a turn, whichever page is open then."""
    weights = page_weights(page)
    total = sum(weight * on_page(view, seat, signs, q) * q for q, weight in weights.items())
    return total // sum(weights.values())


def on_page(view: View, seat: Seat, signs: Sequence[Sign], page: int) -> int:
    """What one die earns for the seat with this page open."""
    sight = seen(signs, page)
    neon = sum(amounts(view, seat, "flashing_neon"))
    earned = 0
    for slot, sign in enumerate(sight):
        if sign is not None and sign.owner == seat:
            row = view.cards.businesses[sign.business]
            earned += 2 * neon + _twice_hit(view, row, sight, slot, page)
    return earned * A_DIE // 2


def _twice_hit(view: View, row: Business, sight: Seen, slot: int, page: int) -> int:
    """Twice what a HIT brings, so that the mean of a die stays a whole number."""
    others = len(view.hands) - len(view.out) - 1
    counted = {
        "neighbours": 2 * strangers_beside(sight, slot, row.id),
        "open_page": 2 * page,
        "collect": 2 * others,
        "bingo": BINGO_TWICE,
    }
    return 2 * row.amount + row.each * counted.get(row.hit, 0)


def tax(view: View, seat: Seat, more_icons: int = 0) -> int:
    """What the seat pays in a turn on average: one 10 in ten dice, and 2.5 dice a turn."""
    due = max(icons(view, seat) + more_icons - tax_shelter(view, seat), 0)
    return due * DOLLAR // 4


def reserve(view: View, seat: Seat, more_icons: int = 0) -> int:
    """The dollars to keep for taxes."""
    due = max(icons(view, seat) + more_icons - tax_shelter(view, seat), 0)
    return KEEP * due
