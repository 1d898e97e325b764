"""A map of eight laid cards: what lies where, and every shortest route, measured once a board.

Distances look at the map alone and never at cubes (MR-6.4), so that a board is the same for all
its matches. Routes are spelled out when first asked for.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from services.games.mint_rails.cards import CARD_SETS, NUMBER, CardSet, City, Hex
from services.games.mint_rails.grid import ALL, BIT, HEX_OF, NEIGHBOURS, around, bits, on_map

BOARDS_KEPT = 64
"""A board takes about 5 ms to measure and some 100 KB once it is in use."""


class Route(NamedTuple):
    """The beige hexes on the way into a city, in order; none where a start touches the city."""

    hexes: int
    path: tuple[Hex, ...]


DIRECT = Route(0, ())


class Site:
    """A city on a board, with the ways into it.

    Attributes:
        city: as printed.
        hex: its place on the map, also as `bit`.
        number: its place in the order of MR-3.7.
        icons: the numbers of the companies whose icons it shows.
        near: by n, the hexes from which it is at most n steps away.
        levels: by n, the beige hexes from which it is exactly n steps away.
    """

    __slots__ = ("_routes", "bit", "city", "hex", "icons", "levels", "near", "number", "steps")

    def __init__(self, number: int, city: City, hex_: Hex, beige: int) -> None:
        self.number = number
        self.city = city
        self.hex = hex_
        self.bit = BIT[hex_]
        self.icons = tuple(NUMBER[icon] for icon in city.icons)
        self.near = [0]
        self.levels = [0]
        self.steps: dict[int, int] = {}
        """By hex: the beige hexes next on its shortest routes to here."""
        self._routes: dict[int, tuple[Route, ...]] = {}
        self._measure(beige)

    def _measure(self, beige: int) -> None:
        """Breadth first from the city; only beige hexes are passed through (MR-6.4)."""
        reached, edge = self.bit, self.bit
        while ring := around(edge) & ~reached:
            for bit in bits(ring):
                self.steps[bit] = NEIGHBOURS[bit] & self.levels[-1]
            reached |= ring
            edge = ring & beige
            self.near.append(self.near[-1] | ring)
            self.levels.append(edge)

    def distance(self, bit: int) -> int | None:
        """Steps from a hex to here; `None` where no way leads here."""
        return next((n for n, near in enumerate(self.near) if near & bit), None)

    def within(self, steps: int) -> int:
        """The hexes from which the city is at most so many steps away."""
        return self.near[min(steps, len(self.near) - 1)]

    def routes(self, first: int) -> tuple[Route, ...]:
        """All shortest routes that begin with this beige hex, by coordinates."""
        found = self._routes.get(first)
        if found is None:
            hex_ = HEX_OF[first]
            following = self.steps[first]
            rests = [r for then in bits(following) for r in self.routes(then)] or [DIRECT]
            found = tuple(Route(first | r.hexes, (hex_, *r.path)) for r in rests)
            self._routes[first] = found
        return found


class Board:
    """A laid map.

    Attributes:
        beige: the plain hexes.
        headquarters: by company.
        cities: in the order of MR-3.7; `site` has them by id.
    """

    __slots__ = ("beige", "cities", "headquarters", "site")

    def __init__(self, cards: CardSet, north: tuple[str, ...], south: tuple[str, ...]) -> None:
        slots = {
            card: (slot, band)
            for band, row in enumerate((north, south))
            for slot, card in enumerate(row)
        }
        hqs = {NUMBER[hq.company]: on_map(hq.at, *slots[hq.card]) for hq in cards.headquarters}
        self.headquarters = tuple(BIT[hqs[number]] for number in sorted(hqs))
        places = [on_map(city.at, *slots[city.card]) for city in cards.cities]
        self.beige = ALL & ~sum(self.headquarters) & ~sum(map(BIT.__getitem__, places))
        self.cities = tuple(
            Site(number, city, place, self.beige)
            for number, (city, place) in enumerate(zip(cards.cities, places, strict=True))
        )
        self.site = {site.city.id: site for site in self.cities}


@lru_cache(maxsize=BOARDS_KEPT)
def board(cards: str, north: tuple[str, ...], south: tuple[str, ...]) -> Board:
    """The board of a named set's cards in this order, each row from the left."""
    return Board(CARD_SETS[cards], north, south)
