"""Why a move is refused: the first reason in the order of MR-11.6. None of it needs chance."""

from __future__ import annotations

from itertools import pairwise

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
        raise IllegalMove(
            "mint-rails.unknown-city", "MR-11.3", "There is no such city on this map."
        )
    if state.phase == "ended":
        raise IllegalMove("mint-rails.game-over", "MR-8.1", "The game is over.")
    if is_solo(state) and seat == RIVAL:
        raise IllegalMove(
            "mint-rails.rival-plays-itself", "MR-10.1", "Nobody can send a move for the Rival."
        )
    if state.phase == "draft":
        _check_draft(state, seat, move)
        return
    if seat != state.turn:
        raise IllegalMove("mint-rails.not-your-turn", "MR-5.3", "It is another player's turn.")
    match move:
        case LayTrack():
            _check_lay(state, move)
        case BuyShare():
            _check_purchase(state, seat, move.company)
        case DraftShare():
            raise IllegalMove(
                "mint-rails.draft-over", "MR-5.1", "The draft is over: lay track or buy a share."
            )


def _check_draft(state: State, seat: Seat, move: MintRailsMove) -> None:
    rule = "MR-4.3" if is_second(state) else "MR-4.2"
    if seat != state.turn:
        raise IllegalMove(
            "mint-rails.not-your-pick", rule, "It is another player's turn to draft a share."
        )
    if not isinstance(move, DraftShare):
        raise IllegalMove("mint-rails.draft-first", rule, "First take a draft share.")
    company = NUMBER[move.company]
    if not state.draft[company]:
        raise IllegalMove(
            "mint-rails.no-draft-share-left", "MR-2.6", f"No draft share of {move.company} is left."
        )
    if completes_equal_pair(state, seat, company):
        raise IllegalMove(
            "mint-rails.equal-pair",
            "MR-4.4",
            "Another player already holds this pair of companies.",
        )


def _check_lay(state: State, move: LayTrack) -> None:
    board, cubes = board_of(state), cubes_of(state)
    site, own = board.site[move.city], cubes[NUMBER[move.company]]
    if own & site.bit:
        raise IllegalMove(
            "mint-rails.company-in-city",
            "MR-6.3a",
            f"{site.city.name} already has a cube of {move.company}.",
        )
    if site.bit & full_cities(board, cubes):
        raise IllegalMove("mint-rails.city-full", "MR-6.3a", f"{site.city.name} has no place left.")
    _check_path(board, own, site, move)
    needed = len(move.path) + 1
    if state.asset[NUMBER[move.company]] < needed:
        raise IllegalMove(
            "mint-rails.too-few-cubes", "MR-6.3f", f"This takes {needed} cubes of {move.company}."
        )
    if move.icon is None:
        raise IllegalMove(
            "mint-rails.icon-missing", "MR-6.7", "Choose one of the city's icons for the income."
        )
    if move.icon not in site.city.icons:
        raise IllegalMove(
            "mint-rails.icon-not-shown", "MR-6.7", f"{site.city.name} does not show this icon."
        )


def _check_path(board: Board, own: int, site: Site, move: LayTrack) -> None:
    for hex_ in move.path:
        if not BIT.get(hex_, 0) & board.beige:
            raise IllegalMove("mint-rails.not-beige", "MR-6.3b", f"{list(hex_)} is no beige hex.")
        if BIT[hex_] & own:
            raise IllegalMove(
                "mint-rails.cube-in-path",
                "MR-6.3b",
                f"{list(hex_)} already has a cube of the company.",
            )
    way = (*move.path, site.hex)
    if len(set(way)) < len(way) or not all(touches(a, b) for a, b in pairwise(way)):
        raise IllegalMove(
            "mint-rails.broken-path", "MR-6.3c", "The hexes must follow each other, each only once."
        )
    own |= board.headquarters[NUMBER[move.company]]
    starts = own & around(BIT[way[0]])
    if not starts:
        raise IllegalMove(
            "mint-rails.no-start", "MR-6.3d", "The path must begin beside the company's own hexes."
        )
    if all(site.distance(start) != len(way) for start in bits(starts)):
        raise IllegalMove(
            "mint-rails.not-shortest", "MR-6.3e", "There is a shorter way from there to the city."
        )


def _check_purchase(state: State, seat: Seat, company: Company) -> None:
    number = NUMBER[company]
    if not state.market[number]:
        raise IllegalMove(
            "mint-rails.none-in-market", "MR-7.1", f"The market has no share of {company} left."
        )
    if state.fund[seat][number] < state.asset[number]:
        price, fund = state.asset[number], state.fund[seat][number]
        raise IllegalMove(
            "mint-rails.fund-too-low", "MR-7.1", f"A share costs {price}; your fund has {fund}."
        )
