"""Views of the table. Nothing is secret (MR-11.2), so everybody sees everything."""

from __future__ import annotations

from functools import lru_cache

from services.games.mint_rails.board import BOARDS_KEPT, Board
from services.games.mint_rails.cards import COMPANIES, ICONS
from services.games.mint_rails.draft import is_second
from services.games.mint_rails.events import MintRailsEvent
from services.games.mint_rails.grid import BIT, HALVES, HEXES
from services.games.mint_rails.legal import active_seats
from services.games.mint_rails.state import (
    RIVAL,
    Asked,
    CompanyView,
    HexView,
    MapView,
    PlayerView,
    State,
    View,
    board_of,
    is_solo,
)
from shared.chance import Chance
from shared.game import Seat


def view(state: State, seat: Seat | None) -> View:
    """The table as a seat sees it."""
    return View(
        seat=seat,
        options=state.options,
        phase=state.phase,
        start=state.start,
        turn=state.turn,
        asked=_asked(state, seat),
        companies=tuple(_company(state, number) for number in range(len(COMPANIES))),
        players=tuple(
            PlayerView(
                seat=player,
                rival=is_solo(state) and player == RIVAL,
                fund=fund,
                shares=shares,
            )
            for player, (fund, shares) in enumerate(zip(state.fund, state.shares, strict=True))
        ),
        map=map_view(board_of(state)) if state.north else None,
        passes=state.passes,
        rival_choices=state.rival_choices,
        result=state.result,
    )


def _asked(state: State, seat: Seat | None) -> Asked | None:
    if seat not in active_seats(state):
        return None
    if state.phase == "play":
        return Asked(kind="act")
    return Asked(kind="draft_second" if is_second(state) else "draft_first")


def _company(state: State, number: int) -> CompanyView:
    company = COMPANIES[number]
    return CompanyView(
        company=company,
        icon=ICONS[company],
        asset=state.asset[number],
        worth=state.worth[number],
        market=state.market[number],
        draft=state.draft[number],
        sold_out=not state.market[number],
        cubes=state.track[number],
    )


@lru_cache(maxsize=BOARDS_KEPT)
def map_view(laid: Board) -> MapView:
    """All that does not change of a laid map."""
    hexes = tuple(_hex(laid, number) for number in range(len(HEXES)))
    return MapView(north=laid.north, south=laid.south, hexes=hexes, halves=HALVES)


def _hex(laid: Board, number: int) -> HexView:
    at = HEXES[number]
    if BIT[at] in laid.headquarters:
        company = COMPANIES[laid.headquarters.index(BIT[at])]
        return HexView(at=at, kind="headquarters", company=company)
    city = next((site.city for site in laid.cities if site.hex == at), None)
    if city is None:
        return HexView(at=at, kind="beige")
    return HexView(
        at=at,
        kind="city",
        city=city.id,
        name=city.name,
        capacity=city.capacity,
        icons=city.icons,
    )


def redact(event: MintRailsEvent, seat: Seat | None) -> MintRailsEvent:
    """Everybody sees everything."""
    return event


def resample(view: View, chance: Chance) -> State:
    """The one state that has this view: it needs no chance."""
    return state_of(view)


def state_of(view: View) -> State:
    """The table that a view shows."""
    rivals = sum(player.rival for player in view.players)
    return State(
        options=view.options,
        seats=len(view.players) - rivals,
        draft=tuple(company.draft for company in view.companies),
        fund=tuple(player.fund for player in view.players),
        shares=tuple(player.shares for player in view.players),
        asset=tuple(company.asset for company in view.companies),
        worth=tuple(company.worth for company in view.companies),
        market=tuple(company.market for company in view.companies),
        track=tuple(company.cubes for company in view.companies),
        north=view.map.north if view.map else (),
        south=view.map.south if view.map else (),
        phase=view.phase,
        start=view.start,
        turn=view.turn,
        passes=view.passes,
        rival_choices=view.rival_choices,
        result=view.result,
    )
