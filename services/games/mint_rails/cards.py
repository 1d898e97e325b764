"""The map cards as data (MR-3.7). Hexes are in a card's own coordinates (MR-3.5)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

import msgspec

Company = Literal["black", "white", "pink", "brown"]
Icon = Literal["coal", "chicken", "pig", "wood"]
Hex = tuple[int, int]
"""Axial coordinates (q, r)."""

COMPANIES: tuple[Company, ...] = ("black", "white", "pink", "brown")
"""In the fixed order of MR-1.1; elsewhere a company is often its number in this row."""

NUMBER: Mapping[Company, int] = {company: number for number, company in enumerate(COMPANIES)}

ICONS: Mapping[Company, Icon] = {
    "black": "coal",
    "white": "chicken",
    "pink": "pig",
    "brown": "wood",
}


class City(msgspec.Struct, frozen=True):
    """A city, and which companies' icons it shows (MR-3.6b)."""

    card: str
    id: str
    name: str
    at: Hex
    capacity: int
    icons: tuple[Company, ...]


class Headquarters(msgspec.Struct, frozen=True):
    """Where a company's track begins (MR-3.6c)."""

    card: str
    at: Hex
    company: Company


class CardSet(msgspec.Struct, frozen=True):
    """Four northern and four southern cards. Ids of cities are unique over all sets."""

    north: tuple[str, ...]
    south: tuple[str, ...]
    headquarters: tuple[Headquarters, ...]
    cities: tuple[City, ...]


STANDARD = CardSet(
    north=("N1", "N2", "N3", "N4"),
    south=("S1", "S2", "S3", "S4"),
    headquarters=(
        Headquarters("N1", (1, 1), "black"),
        Headquarters("N2", (0, 1), "brown"),
        Headquarters("S1", (1, 1), "white"),
        Headquarters("S2", (0, 1), "pink"),
    ),
    cities=(
        City("N1", "N1a", "Frostwick", (0, 0), 2, ("white",)),
        City("N1", "N1b", "Highmoor", (0, 3), 3, ("pink", "brown")),
        City("N2", "N2a", "Pinecrest", (2, 0), 1, ("black",)),
        City("N2", "N2b", "Snowgate", (0, 3), 2, ("white", "pink")),
        City("N3", "N3a", "Larkfell", (1, 0), 2, ("brown",)),
        City("N3", "N3b", "Greyholm", (1, 2), 3, ("black", "white")),
        City("N3", "N3c", "Stonebeck", (-1, 3), 1, ("pink",)),
        City("N4", "N4a", "Windle", (2, 0), 1, ("white",)),
        City("N4", "N4b", "Northpier", (0, 1), 3, ("pink", "brown")),
        City("N4", "N4c", "Firth End", (0, 3), 2, ("black",)),
        City("S1", "S1a", "Mintwell", (0, 0), 1, ("pink",)),
        City("S1", "S1b", "Redbank", (0, 3), 3, ("black", "brown")),
        City("S2", "S2a", "Barleyton", (2, 0), 2, ("brown",)),
        City("S2", "S2b", "Goosemere", (0, 3), 2, ("black", "white")),
        City("S3", "S3a", "Sunholm", (1, 0), 3, ("white", "pink")),
        City("S3", "S3b", "Saltby", (-1, 2), 2, ("black",)),
        City("S3", "S3c", "Brookby", (0, 3), 1, ("brown",)),
        City("S4", "S4a", "Claypit", (0, 0), 2, ("pink",)),
        City("S4", "S4b", "Orchard Hill", (1, 1), 3, ("black", "white")),
        City("S4", "S4c", "Southgate", (-1, 3), 1, ("brown",)),
    ),
)

CARD_SETS: Mapping[str, CardSet] = MappingProxyType({"standard": STANDARD})
"""By name. An option of a match may choose among them one day; see `state.card_set`."""

ONLY_ICON: Mapping[str, Company] = MappingProxyType(
    {
        city.id: city.icons[0]
        for cards in CARD_SETS.values()
        for city in cards.cities
        if len(city.icons) == 1
    }
)
"""The icon of each city that shows only one, so that a move may leave it out (MR-11.3)."""
