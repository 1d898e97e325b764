"""The board of the patent's drawing (LG-2), one row a space."""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal[
    "mother_earth",
    "lot",
    "necessity",
    "no_trespassing",
    "railroad",
    "luxury",
    "franchise",
    "public_park",
    "legacy",
]


class Space(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One space. Where nothing is said, nothing applies.

    `name` is a key of the game's texts. `price` buys a lot or a luxury. `amount`: wages, legacy,
    rent, tax, fare, or what a luxury counts at the end. All money is in whole dollars.
    """

    index: int
    kind: Kind
    name: str
    lot: int | None = None
    price: int | None = None
    amount: int | None = None


BOARD: tuple[Space, ...] = (
    Space(0, "mother_earth", "mother_earth", amount=100),
    Space(1, "lot", "lot", lot=1, price=10, amount=1),
    Space(2, "necessity", "bread", amount=5),
    Space(3, "lot", "lot", lot=2, price=20, amount=2),
    Space(4, "no_trespassing", "no_trespassing"),
    Space(5, "railroad", "railroad", amount=5),
    Space(6, "lot", "lot", lot=3, price=30, amount=3),
    Space(7, "lot", "lot", lot=4, price=40, amount=4),
    Space(8, "luxury", "luxury", price=50, amount=60),
    Space(9, "lot", "lot", lot=5, price=50, amount=5),
    Space(10, "necessity", "coal", amount=5),
    Space(11, "lot", "lot", lot=6, price=60, amount=6),
    Space(12, "lot", "lot", lot=7, price=70, amount=7),
    Space(13, "franchise", "light", amount=5),
    Space(14, "lot", "lot", lot=8, price=80, amount=8),
    Space(15, "railroad", "railroad", amount=5),
    Space(16, "lot", "lot", lot=9, price=90, amount=9),
    Space(17, "necessity", "shelter", amount=5),
    Space(18, "lot", "lot", lot=10, price=100, amount=10),
    Space(19, "lot", "lot", lot=11, price=110, amount=11),
    Space(20, "public_park", "public_park"),
    Space(21, "lot", "lot", lot=12, price=120, amount=12),
    Space(22, "luxury", "luxury", price=50, amount=60),
    Space(23, "lot", "lot", lot=13, price=130, amount=13),
    Space(24, "lot", "lot", lot=14, price=140, amount=14),
    Space(25, "railroad", "railroad", amount=5),
    Space(26, "lot", "lot", lot=15, price=150, amount=15),
    Space(27, "franchise", "water", amount=5),
    Space(28, "lot", "lot", lot=16, price=160, amount=16),
    Space(29, "lot", "lot", lot=17, price=170, amount=17),
    Space(30, "no_trespassing", "lord_blueblood"),
    Space(31, "lot", "lot", lot=18, price=180, amount=18),
    Space(32, "necessity", "clothing", amount=5),
    Space(33, "lot", "lot", lot=19, price=190, amount=19),
    Space(34, "lot", "lot", lot=20, price=200, amount=20),
    Space(35, "railroad", "railroad", amount=5),
    Space(36, "lot", "lot", lot=21, price=210, amount=21),
    Space(37, "legacy", "legacy", amount=100),
    Space(38, "lot", "lot", lot=22, price=220, amount=22),
    Space(39, "luxury", "luxury", price=50, amount=60),
)

SPACES = len(BOARD)
LOTS = 22

JAIL = 10
"""Where a jailed checker is shown; the jail lies behind Coal (LG-2.2)."""
POORHOUSE = 20
"""Where a poor-house checker is shown; it lies behind the Public Park (LG-2.2)."""

RAILROADS = tuple(space.index for space in BOARD if space.kind == "railroad")
LOT_AT: tuple[int | None, ...] = tuple(space.lot for space in BOARD)
"""Lot number by space."""

WAGES = 100  # LG-5.3
FINE = 50  # LG-8.2
LUXURY_PRICE = 50  # LG-7.7
LUXURY_COUNTS = 60  # LG-12.2
LEGACY = 100  # LG-7.10
TAX = 5  # LG-7.1
FARE = 5  # LG-7.3
FRANCHISE_FEE = 5  # LG-7.8
NOTE = 100  # LG-10.1
MARGIN = 10  # LG-10.1
NOTE_INTEREST = 5  # LG-5.4
POOR_COUNT_NEEDED = 20  # LG-8.6


def price_of(lot: int) -> int:
    """What a lot costs, and counts at the end (LG-2)."""
    return 10 * lot


def worth(lots: tuple[int, ...]) -> int:
    """The total price of some lots."""
    return 10 * sum(lots)
