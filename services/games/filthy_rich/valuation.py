"""What a table is worth to a seat: expected dollars a turn, in thousandths.

A turn is anybody's turn. On page q there are q dice, and each shows a given slot once in ten.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from services.games.filthy_rich.assets import Table, icons, tax_shelter
from services.games.filthy_rich.binder import Seen, seen
from services.games.filthy_rich.card_set import Business, Cards, CardSet, type_of
from services.games.filthy_rich.hits import strangers_beside
from services.games.filthy_rich.state import PAGES, Lot, Phase, Sign
from shared.game import Seat

DOLLAR = 1000
A_DIE = DOLLAR // 10
"""What one die brings on average for each dollar of one slot."""

KEEP = 3
"""How many taxes are kept in cash."""

BINGO_TWICE = 7
"""Twice the mean of a six-sided die."""


class Public(Table, Protocol):
    """What everybody sees and a choice depends on; a state and a view both have it."""

    @property
    def hands(self) -> tuple[Any, ...]: ...
    @property
    def out(self) -> tuple[Seat, ...]: ...
    @property
    def page(self) -> int: ...
    @property
    def phase(self) -> Phase: ...
    @property
    def supply(self) -> tuple[str, ...]: ...
    @property
    def lots(self) -> tuple[Lot, ...]: ...
    @property
    def extra_dice(self) -> int: ...


def incomes(table: Public, signs: tuple[Sign, ...], page: int) -> tuple[int, ...]:
    """What each seat's signs earn in a turn, whichever page is open then."""
    neons = _neons(table.cards, table.assets)
    return _incomes(table.cards, signs, len(table.hands) - len(table.out) - 1, neons, page)


@lru_cache(maxsize=4096)
def _incomes(
    cards: CardSet, signs: tuple[Sign, ...], others: int, neons: tuple[int, ...], page: int
) -> tuple[int, ...]:
    """Kept, as a choice compares many tables with the one that there is."""
    pages = _earned(cards, signs, others)
    seats = range(len(neons))
    dice = [q * (1 + (q == page)) for q in PAGES]  # the open page stays at 5 and 6
    rows = [[_a_die(earned, seat, neons) for earned in pages] for seat in seats]
    return tuple(
        sum(number * value for number, value in zip(dice, row, strict=True)) // (len(PAGES) + 1)
        for row in rows
    )


def on_page(table: Public, seat: Seat, signs: tuple[Sign, ...], page: int) -> int:
    """What one die earns for the seat with this page open."""
    others = len(table.hands) - len(table.out) - 1
    earned = _earned(table.cards, signs, others)[page - 1]
    return _a_die(earned, seat, _neons(table.cards, table.assets))


def _a_die(earned: dict[Seat, Earned], seat: Seat, neons: tuple[int, ...]) -> int:
    twice, number = earned.get(seat, NOTHING)
    return (2 * neons[seat] * number + twice) * A_DIE // 2


@lru_cache(maxsize=1024)
def _neons(cards: CardSet, assets: tuple[Cards, ...]) -> tuple[int, ...]:
    """The dollars more for a HIT of each seat."""
    rows = cards.assets
    owned = ([rows[type_of(card)] for card in row] for row in assets)
    return tuple(sum(a.amount for a in row if a.effect == "flashing_neon") for row in owned)


class Earned(NamedTuple):
    """What a page brings a seat: twice the sum of the HITs, and the number of cards seen."""

    twice: int
    cards: int


NOTHING = Earned(0, 0)


@lru_cache(maxsize=4096)
def _earned(cards: CardSet, signs: tuple[Sign, ...], others: int) -> tuple[dict[Seat, Earned], ...]:
    """For each page, all seats at once: a choice compares many tables that differ in one sign."""
    found = []
    for page in PAGES:
        sight, seats = seen(signs, page), dict[Seat, Earned]()
        for slot, sign in enumerate(sight):
            if sign is not None:
                twice, number = seats.get(sign.owner, NOTHING)
                hit = _twice_hit(cards.businesses[sign.business], sight, slot, page, others)
                seats[sign.owner] = Earned(twice + hit, number + 1)
        found.append(seats)
    return tuple(found)


def _twice_hit(row: Business, sight: Seen, slot: int, page: int, others: int) -> int:
    """Twice what a HIT brings, so that the mean of a die stays a whole number."""
    match row.hit:
        case "neighbours":
            counted = 2 * strangers_beside(sight, slot, row.id)
        case "open_page":
            counted = 2 * page
        case "collect":
            counted = 2 * others
        case "bingo":
            counted = BINGO_TWICE
        case _:
            counted = 0
    return 2 * row.amount + row.each * counted


def tax(table: Public, seat: Seat, more_icons: int = 0) -> int:
    """What the seat pays in a turn on average: one 10 in ten dice, and 2.5 dice a turn."""
    due = max(icons(table, seat) + more_icons - tax_shelter(table, seat), 0)
    return due * DOLLAR // 4


def reserve(table: Public, seat: Seat, more_icons: int = 0) -> int:
    """The dollars to keep for taxes."""
    due = max(icons(table, seat) + more_icons - tax_shelter(table, seat), 0)
    return KEEP * due
