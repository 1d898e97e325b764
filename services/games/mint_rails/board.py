"""A map of eight laid cards: what lies where, and every shortest route, measured once a board.

Distances look at the map alone and never at cubes (MR-6.4), so that a board is the same for all
its matches. Routes are spelled out when first asked for.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from services.games.mint_rails.cards import CARD_SETS, NUMBER, CardSet, City, Hex
from services.games.mint_rails.grid import ALL, BIT, HEX_OF, around, bits, on_map

BOARDS_KEPT = 576
"""All of them (MR-3.1): measured in 0.2 ms each, and some 60 MB when every one is in use."""


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
        icons: the numbers of the companies whose icons it shows.
        rings: by n, the hexes from which it is exactly n steps away.
        levels: by n, the beige ones among them.
    """

    __slots__ = ("_routes", "bit", "city", "hex", "icons", "levels", "rings")

    def __init__(self, city: City, hex_: Hex, beige: int) -> None:
        self.city = city
        self.hex = hex_
        self.bit = BIT[hex_]
        self.icons = tuple(NUMBER[icon] for icon in city.icons)
        self.rings = rings_round(self.bit, beige)
        self.levels = [ring & beige for ring in self.rings]
        self._routes: dict[int, tuple[Route, ...]] = {}

    def distance(self, bit: int) -> int | None:
        """Steps from a hex to here; `None` where no way leads here."""
        return next((steps for steps, ring in enumerate(self.rings) if ring & bit), None)

    def firsts(self, steps: int, starts: int) -> int:
        """The beige hexes that follow these starts, so many steps away, on a shortest route."""
        return around(starts & self.rings[steps]) & self.levels[steps - 1]

    def routes(self, first: int, steps: int) -> tuple[Route, ...]:
        """The shortest routes from this beige hex on, so many steps away, by coordinates."""
        found = self._routes.get(first)
        if found is None:
            following = self.firsts(steps, first)
            rests = [rest for then in bits(following) for rest in self.routes(then, steps - 1)]
            hex_ = HEX_OF[first]
            found = tuple(Route(first | r.hexes, (hex_, *r.path)) for r in rests or [DIRECT])
            self._routes[first] = found
        return found


def rings_round(city: int, beige: int) -> list[int]:
    """Hexes by distance, breadth first from the city; only beige ones are passed (MR-6.4)."""
    rings, reached, ring = [city], city, city
    while ring := around(ring & (beige | city)) & ~reached:
        rings.append(ring)
        reached |= ring
    return rings


class Board:
    """A laid map.

    Attributes:
        north, south: the cards of both rows, from the left.
        beige: the plain hexes.
        headquarters: by company.
        cities: in the order of MR-3.7; `site` has them by id.
        with_capacity: by number of places, the cities that have so many.
    """

    __slots__ = ("beige", "cities", "headquarters", "north", "site", "south", "with_capacity")

    def __init__(self, cards: CardSet, north: tuple[str, ...], south: tuple[str, ...]) -> None:
        self.north, self.south = north, south
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
            Site(city, place, self.beige) for city, place in zip(cards.cities, places, strict=True)
        )
        self.site = {site.city.id: site for site in self.cities}
        self.with_capacity = [
            sum(site.bit for site in self.cities if site.city.capacity == capacity)
            for capacity in range(len(NUMBER) + 1)
        ]

    def reach(self, own: int, steps: int) -> int:
        """The hexes to which so many steps lead from one of these through beige hexes."""
        reached, edge = own, own
        for _ in range(steps):
            edge = around(edge) & ~reached
            reached |= edge
            edge &= self.beige
        return reached


@lru_cache(maxsize=BOARDS_KEPT)
def board(cards: str, north: tuple[str, ...], south: tuple[str, ...]) -> Board:
    """The board of a named set's cards in this order, each row from the left."""
    return Board(CARD_SETS[cards], north, south)
