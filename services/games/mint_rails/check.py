"""Why a move is refused: the first reason in the order of MR-11.6. None of it needs chance."""

from __future__ import annotations

from itertools import pairwise
from typing import NoReturn

from services.games.mint_rails.board import Board, Site
from services.games.mint_rails.cards import NUMBER, Company
from services.games.mint_rails.draft import completes_equal_pair, is_second
from services.games.mint_rails.grid import BIT, around, bits, touches
from services.games.mint_rails.lays import cubes_of, full_cities
from services.games.mint_rails.moves import BuyShare, DraftShare, LayTrack, MintRailsMove
from services.games.mint_rails.state import RIVAL, State, board_of, is_solo
from shared.errors import IllegalMove
from shared.game import Seat


def check(state: State, seat: Seat, move: MintRailsMove) -> None:
    """Raises `IllegalMove` where the rules forbid the move."""
    if isinstance(move, LayTrack) and state.north and move.city not in board_of(state).site:
        _refuse("unknown-city", "MR-11.3", "There is no such city on this map.")
    if state.phase == "ended":
        _refuse("game-over", "MR-8.1", "The game is over.")
    if is_solo(state) and seat == RIVAL:
        _refuse("rival-plays-itself", "MR-10.1", "Nobody can send a move for the Rival.")
    if state.phase == "draft":
        _check_draft(state, seat, move)
        return
    if seat != state.turn:
        _refuse("not-your-turn", "MR-5.3", "It is another player's turn.")
    match move:
        case LayTrack():
            _check_lay(state, move)
        case BuyShare():
            _check_purchase(state, seat, move.company)
        case DraftShare():
            _refuse("draft-over", "MR-5.1", "The draft is over: lay track or buy a share.")


def _check_draft(state: State, seat: Seat, move: MintRailsMove) -> None:
    rule = "MR-4.3" if is_second(state) else "MR-4.2"
    if seat != state.turn:
        _refuse("not-your-pick", rule, "It is another player's turn to draft a share.")
    if not isinstance(move, DraftShare):
        _refuse("draft-first", rule, "First take a draft share.")
    company = NUMBER[move.company]
    if not state.draft[company]:
        _refuse("no-draft-share-left", "MR-2.6", f"No draft share of {move.company} is left.")
    if completes_equal_pair(state, seat, company):
        _refuse("equal-pair", "MR-4.4", "Another player already holds this pair of companies.")


def _check_lay(state: State, move: LayTrack) -> None:
    board, cubes = board_of(state), cubes_of(state)
    site, own = board.site[move.city], cubes[NUMBER[move.company]]
    if own & site.bit:
        _refuse("company-in-city", "MR-6.3a", f"{site.city.name} already has a cube of it.")
    if site.bit & full_cities(board, cubes):
        _refuse("city-full", "MR-6.3a", f"{site.city.name} has no place left.")
    _check_path(board, own, site, move)
    needed = len(move.path) + 1
    if state.asset[NUMBER[move.company]] < needed:
        _refuse("too-few-cubes", "MR-6.3f", f"This takes {needed} cubes of {move.company}.")
    if move.icon is None:
        _refuse("icon-missing", "MR-6.7", "Choose one of the city's icons for the income.")
    if move.icon not in site.city.icons:
        _refuse("icon-not-shown", "MR-6.7", f"{site.city.name} does not show this icon.")


def _check_path(board: Board, own: int, site: Site, move: LayTrack) -> None:
    for hex_ in move.path:
        if not BIT.get(hex_, 0) & board.beige:
            _refuse("not-beige", "MR-6.3b", f"{list(hex_)} is no beige hex.")
        if BIT[hex_] & own:
            _refuse("cube-in-path", "MR-6.3b", f"{list(hex_)} already has a cube of the company.")
    way = (*move.path, site.hex)
    if len(set(way)) < len(way) or not all(touches(a, b) for a, b in pairwise(way)):
        _refuse("broken-path", "MR-6.3c", "The hexes must follow each other, each only once.")
    own |= board.headquarters[NUMBER[move.company]]
    starts = own & around(BIT[way[0]])
    if not starts:
        _refuse("no-start", "MR-6.3d", "The path must begin beside the company's own hexes.")
    if all(site.distance(start) != len(way) for start in bits(starts)):
        _refuse("not-shortest", "MR-6.3e", "There is a shorter way from there to the city.")


def _check_purchase(state: State, seat: Seat, company: Company) -> None:
    number = NUMBER[company]
    if not state.market[number]:
        _refuse("none-in-market", "MR-7.1", f"The market has no share of {company} left.")
    if state.fund[seat][number] < state.asset[number]:
        price, fund = state.asset[number], state.fund[seat][number]
        _refuse("fund-too-low", "MR-7.1", f"A share costs {price}; your fund has {fund}.")


def _refuse(code: str, rule: str, sentence: str) -> NoReturn:
    raise IllegalMove(f"mint-rails.{code}", rule, sentence)
