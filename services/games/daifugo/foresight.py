"""How a search looks ahead: to the end of the round, with everybody playing as `greedy` does."""

from __future__ import annotations

from collections.abc import Sequence

from services.games.daifugo.moves import DaifugoMove
from services.games.daifugo.policies import holding
from services.games.daifugo.policies import worth as greedy_worth
from services.games.daifugo.state import State, View
from shared.chance import Chance

FULL = 1000


def the_round(state: State) -> int:
    return state.round


def worth(state: State) -> tuple[int, ...]:
    points = state.results[-1].points
    return tuple(FULL * p // (len(points) - 1) for p in points)


MOST = 12


def rank(view: View, moves: Sequence[DaifugoMove], chance: Chance) -> list[DaifugoMove]:
    held = holding(view)
    return sorted(moves, key=lambda move: -greedy_worth(held, move))[:MOST]
