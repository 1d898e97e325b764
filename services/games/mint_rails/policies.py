"""A plain way to play from the view alone: look one move ahead, and at what the others then buy.

Nothing is secret, so the view gives the whole table. A player is worth the dividends that its
shares would pay and the funds with which it can buy more. The weights were found by playing
matches against the Rival; without the others' purchases it leaves shares behind for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from services.games.mint_rails.cards import COMPANIES
from services.games.mint_rails.effects import bought, effect
from services.games.mint_rails.evolve import evolve
from services.games.mint_rails.legal import buyable
from services.games.mint_rails.moves import MintRailsMove
from services.games.mint_rails.scoring import is_sold_out, scored
from services.games.mint_rails.state import State, View, player_after
from services.games.mint_rails.visibility import state_of
from shared.chance import Chance
from shared.game import Move, Seat, Template

CUBE = 60
"""What a dividend cube counts; it can be divided by any usual number of shares."""

FUTURE = 4
"""The Worth that a company with shares in the market is expected to gain."""

FUND = 6
FUND_PER_WORTH = 4
"""What a unit of a fund counts, as far as the price of the next share goes."""

DECIDED = 1_000_000
"""More than any table can be worth: the match is over."""


def greedy(
    view: View, moves: Sequence[MintRailsMove | Template[MintRailsMove]], chance: Chance
) -> MintRailsMove:
    """The first of the moves that are worth most; it draws nothing."""
    if view.seat is None:
        raise ValueError("a spectator has no moves")
    state, seat = state_of(view), view.seat
    listed = (move for move in moves if isinstance(move, Move))  # this game has no templates
    return max(listed, key=lambda move: _worth(state, seat, move))


def _worth(state: State, seat: Seat, move: MintRailsMove) -> int:
    then = evolve(state, effect(state, seat, move))
    return _standing(_after_replies(then, seat), seat)


def _after_replies(state: State, seat: Seat) -> State:
    """The table when each other player has bought the share that suits it best, if any."""
    other = player_after(state, seat)
    while other != seat and state.phase == "play" and not is_sold_out(state):
        purchases = [evolve(state, bought(state, other, c)) for c in buyable(state, other)]
        if purchases:
            state = max((state, *purchases), key=lambda then: _standing(then, other))
        other = player_after(state, other)
    return state


def _standing(state: State, seat: Seat) -> int:
    """How far a player is before the best of the others."""
    if state.phase == "play" and is_sold_out(state):
        return DECIDED if scored(state, "sold_out").places[seat] == 1 else -DECIDED
    riches = _riches(state)
    return riches[seat] - max(rich for other, rich in enumerate(riches) if other != seat)


def _riches(state: State) -> list[int]:
    riches = [0] * len(state.fund)
    for company in range(len(COMPANIES)):
        held = [shares[company] for shares in state.shares]
        on_sale = state.market[company] > 0
        pile = CUBE * (state.worth[company] + (FUTURE if on_sale else FUTURE // 2))
        unit = FUND + FUND_PER_WORTH * state.worth[company] if on_sale else 0
        for player, fund in enumerate(state.fund):
            riches[player] += pile * held[player] // max(sum(held), 1)
            riches[player] += unit * min(fund[company], state.asset[company] + 1)
    return riches
