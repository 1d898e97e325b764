"""The grid that all maps share (MR-3.3, 3.4). A set of hexes is a whole number, one bit a hex.

Bits go by q, then r, so that reading them from the lowest up gives the order of MR-11.8. Each
q has one bit more than there are rows: what steps over the edge falls on it, or off the map.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from services.games.mint_rails.cards import Hex

ROWS = 8
COLUMNS = 12
CARD_ROWS = 4
CARD_COLUMNS = 3
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


def at(column: int, row: int) -> Hex:
    """The hex in a column of a row."""
    return column - (row - row % 2) // 2, row


HEXES: tuple[Hex, ...] = tuple(
    sorted(at(column, row) for row in range(ROWS) for column in range(COLUMNS - row % 2))
)
HALVES: tuple[Hex, ...] = tuple(
    at(column, row) for row in range(1, ROWS, 2) for column in (-1, COLUMNS - 1)
)
"""The half hexes at both ends, which are outside the map (MR-3.2)."""

COLUMN = ROWS + 1
LEAST_Q = HEXES[0][0]
SHIFTS = (1, COLUMN - 1, COLUMN)
"""From a hex to its neighbours (0, +1), (+1, -1) and (+1, 0); the other three lie opposite."""

BIT: dict[Hex, int] = {(q, r): 1 << (q - LEAST_Q) * COLUMN + r for q, r in HEXES}
HEX_OF: dict[int, Hex] = {bit: hex_ for hex_, bit in BIT.items()}
ALL = sum(BIT.values())


def touches(one: Hex, other: Hex) -> bool:
    """Whether two hexes are neighbours."""
    return (other[0] - one[0], other[1] - one[1]) in STEPS


def mask_of(hexes: Iterable[Hex]) -> int:
    """The set of these different hexes."""
    return sum(map(BIT.__getitem__, hexes))


def bits(mask: int) -> Iterator[int]:
    """Each hex of a set, as a set of one."""
    while mask:
        lowest = mask & -mask
        yield lowest
        mask ^= lowest


def around(mask: int) -> int:
    """All hexes that touch one of these."""
    found = 0
    for shift in SHIFTS:
        found |= mask << shift | mask >> shift
    return found & ALL


def on_map(local: Hex, slot: int, band: int) -> Hex:
    """Where a card's own hex lies; slots from the left, band 0 is the north (MR-3.5)."""
    return local[0] + CARD_COLUMNS * slot - 2 * band, local[1] + CARD_ROWS * band
