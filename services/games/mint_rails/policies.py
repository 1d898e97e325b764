"""A plain way to play from the view alone: look one move ahead, and at what the others then buy.

Nothing is secret, so the view gives the whole table. A player is worth the dividends that its
shares would pay and the funds with which it can buy more. The weights were found by playing
matches against the Rival; without the others' purchases it leaves shares behind for nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache

from services.games.mint_rails.effects import bought, effect
from services.games.mint_rails.evolve import evolve
from services.games.mint_rails.legal import buyable
from services.games.mint_rails.moves import LayTrack, MintRailsMove
from services.games.mint_rails.scoring import is_sold_out, scored
from services.games.mint_rails.state import Counts, State, View, player_after
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

COLUMNS_KEPT = 16_384
"""A move changes a company or two, so what the others count is wanted again."""

DECIDED = 1_000_000
"""More than any table can be worth: the match is over."""


def greedy(
    view: View, moves: Sequence[MintRailsMove | Template[MintRailsMove]], chance: Chance
) -> MintRailsMove:
    """The first of the moves that are worth most; it draws nothing."""
    if view.seat is None:
        raise ValueError("a spectator has no moves")
    state, seat = state_of(view), view.seat
    return max(unlike(moves), key=lambda move: worth(state, seat, move))


def unlike(moves: Sequence[MintRailsMove | Template[MintRailsMove]]) -> Iterable[MintRailsMove]:
    """The first of all moves that are worth the same, as they differ by the way of a track alone.

    They are a third of all moves.
    """
    found: dict[Hashable, MintRailsMove] = {}
    for move in moves:
        if isinstance(move, LayTrack):
            found.setdefault((move.company, move.city, len(move.path), move.icon), move)
        elif isinstance(move, Move):  # this game has no templates
            found[move] = move
    return found.values()


def worth(state: State, seat: Seat, move: MintRailsMove) -> int:
    """How far the player is before the best of the others after a move and what they then buy."""
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
    rich = riches(state)
    return rich[seat] - max(rich[:seat] + rich[seat + 1 :])


def riches(state: State) -> list[int]:
    """What each player is worth; a dividend cube counts `CUBE`."""
    held, funds = zip(*state.shares, strict=True), zip(*state.fund, strict=True)
    columns = map(_company_riches, state.worth, state.market, state.asset, held, funds)
    return [sum(column) for column in zip(*columns, strict=True)]


@lru_cache(maxsize=COLUMNS_KEPT)
def _company_riches(
    worth: int, market: int, price: int, held: Counts, funds: Counts
) -> tuple[int, ...]:
    """By player, what its shares and its fund of one company count."""
    pile = CUBE * (worth + (FUTURE if market else FUTURE // 2))
    unit = FUND + FUND_PER_WORTH * worth if market else 0
    all_held = max(sum(held), 1)
    return tuple(
        pile * shares // all_held + unit * min(fund, price + 1)
        for shares, fund in zip(held, funds, strict=True)
    )
