"""What a legal move surely costs and brings, so that a client needs no rules (MR-11.4)."""

from __future__ import annotations

from typing import Any

from services.games.mint_rails.cards import NUMBER
from services.games.mint_rails.effects import bought, laid
from services.games.mint_rails.evolve import evolve
from services.games.mint_rails.moves import BuyShare, LayTrack, MintRailsMove
from services.games.mint_rails.scoring import is_sold_out
from services.games.mint_rails.state import View
from services.games.mint_rails.visibility import state_of


def preview(view: View, move: MintRailsMove) -> dict[str, Any]:
    """Facts for the view's own seat.

    Of a lay: `cubes` it takes, `asset_left` of its company, `worth_gained`, the companies whose
    funds rise by one, `income` and `bonus` (or null), and `asset_grows`, those that get a cube.
    Of a purchase: `price`, `fund_left`, `market_left`, the new price `asset_then`, and whether it
    `ends_match`. Of a pick: `left`, how many draft shares of the company remain.
    """
    if view.seat is None:
        raise ValueError("a spectator has no moves")
    state, seat, company = state_of(view), view.seat, NUMBER[move.company]
    if isinstance(move, LayTrack):
        lay = laid(state, seat, move)
        cubes = len(lay.path) + 1
        return {
            "cubes": cubes,
            "asset_left": state.asset[company] - cubes,
            "worth_gained": lay.worth,
            "income": lay.income,
            "bonus": lay.bonus,
            "asset_grows": list(lay.grows),
        }
    if isinstance(move, BuyShare):
        purchase = bought(state, seat, move.company)
        then = evolve(state, purchase)
        return {
            "price": purchase.price,
            "fund_left": then.fund[seat][company],
            "market_left": then.market[company],
            "asset_then": then.asset[company],
            "ends_match": is_sold_out(then),
        }
    return {"left": state.draft[company] - 1}
