"""Every way to lay track (MR-6.3 to 6.6), found from the routes that a board has measured."""

from __future__ import annotations

from collections.abc import Iterator

from services.games.mint_rails.board import DIRECT, Route, Site
from services.games.mint_rails.grid import bits, mask_of
from services.games.mint_rails.state import State, board_of

Lay = tuple[int, Site, Route]
"""The number of a company, a city and the way into it."""


def cubes_of(state: State) -> list[int]:
    """By company, the set of hexes with its cubes."""
    return [mask_of(track) for track in state.track]


def lays(state: State) -> Iterator[Lay]:
    """Each distinct lay once: by company, city, fewest cubes, then coordinates (MR-6.5, 11.8)."""
    board = board_of(state)
    cubes = cubes_of(state)
    open_sites = [site for site in board.cities if has_room(site, cubes)]
    for company, laid in enumerate(cubes):
        own = laid | board.headquarters[company]
        for site in open_sites:
            if not own & site.bit:
                for route in routes_into(site, own, state.asset[company]):
                    yield company, site, route


def has_room(site: Site, cubes: list[int]) -> bool:
    """Whether fewer companies have a cube in a city than it may hold (MR-6.3a)."""
    return sum(1 for laid in cubes if laid & site.bit) < site.city.capacity


def routes_into(site: Site, own: int, asset: int) -> Iterator[Route]:
    """The routes from any own hex that so many cubes can fill (MR-6.3b to 6.3f)."""
    if not asset:
        return
    if own & site.near[1]:
        yield DIRECT
    firsts = 0
    for start in bits(own & site.within(asset)):
        firsts |= site.steps[start]
    firsts &= ~own
    for level in site.levels[1:asset]:
        for first in bits(firsts & level):
            for route in site.routes(first):
                if not route.hexes & own:
                    yield route
