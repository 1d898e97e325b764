"""Every way to lay track (MR-6.3 to 6.6), found from the routes that a board has measured."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from services.games.mint_rails.board import DIRECT, Board, Route, Site
from services.games.mint_rails.cards import COMPANIES, Hex
from services.games.mint_rails.grid import ALL, bits, mask_of
from services.games.mint_rails.moves import LayTrack
from services.games.mint_rails.state import State, board_of

LISTS_KEPT = 1_024
"""A turn changes the track of one company, so the lists of the others are wanted again."""


def lays(state: State) -> Iterator[LayTrack]:
    """Each distinct lay once for each icon of its city, in the order of MR-11.8 (MR-6.5)."""
    board = board_of(state)
    full = full_cities(board, cubes_of(state))
    for company, track in enumerate(state.track):
        yield from lays_for(board, company, track, state.asset[company], full)


@lru_cache(maxsize=LISTS_KEPT)
def lays_for(
    board: Board, company: int, track: tuple[Hex, ...], asset: int, full: int
) -> tuple[LayTrack, ...]:
    """The lays of a company: by city, fewest cubes, coordinates, then icon."""
    laid = mask_of(track)
    own = laid | board.headquarters[company]
    wanted = board.reach(own, asset) & ~(full | laid)
    return tuple(
        LayTrack(company=COMPANIES[company], path=route.path, city=site.city.id, icon=icon)
        for site in board.cities
        if site.bit & wanted
        for route in routes_into(site, own, asset)
        for icon in site.city.icons
    )


def cubes_of(state: State) -> list[int]:
    """By company, the set of hexes with its cubes."""
    return [mask_of(track) for track in state.track]


def full_cities(board: Board, cubes: list[int]) -> int:
    """The cities that hold as many companies as they have places (MR-6.3a)."""
    holding = [ALL] + [0] * len(cubes)
    for laid in cubes:
        for companies in range(len(cubes), 0, -1):
            holding[companies] |= holding[companies - 1] & laid
    full = 0
    for places, cities in enumerate(board.with_capacity):
        full |= cities & holding[places]
    return full


def routes_into(site: Site, own: int, asset: int) -> Iterator[Route]:
    """The routes from any own hex that so many cubes can fill (MR-6.3b to 6.3f)."""
    for steps, ring in enumerate(site.rings[1 : asset + 1], 1):
        if not own & ring:
            continue
        if steps == 1:
            yield DIRECT
        for first in bits(site.firsts(steps, own) & ~own):
            for route in site.routes(first, steps - 1):
                if not route.hexes & own:
                    yield route
