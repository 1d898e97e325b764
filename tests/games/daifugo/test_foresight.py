"""What a search is told of this game: where a look ahead ends, its worth, and which moves first."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from services.bots.ahead import Ahead
from services.bots.swift import SwiftChance
from services.games.daifugo import GAME
from services.games.daifugo.foresight import CANDIDATES, rank
from services.games.daifugo.moves import GiveCards
from services.games.daifugo.policies import greedy, greedy_at, holding
from services.games.daifugo.policies import worth as greedy_worth
from services.games.daifugo.state import Options, State
from shared.chance import Chance
from tests.games.greedy_matches import choices

SEED = bytes(range(32))
SEATS = 5


CHOICES = choices(GAME, Options(rounds=3), SEATS, [SEED])


def clock() -> float:
    return 0.0


def test_the_choice_without_a_view_is_that_of_the_level() -> None:
    chance = Chance(SEED)
    for state, seat in CHOICES:
        listed = GAME.legal_moves(state, seat)
        chosen = greedy(GAME.view(state, seat), listed, chance)
        assert greedy_at(state, seat, listed, chance) == chosen


def test_a_look_ahead_ends_with_the_round_and_is_worth_its_points() -> None:
    for state, _ in CHOICES[::7]:
        ahead = Ahead(GAME, SwiftChance(Chance(SEED), "search"), clock)
        rewards = ahead.playout(state, ahead.stage(state))
        if state.round < state.options.rounds:
            assert sorted(rewards) == [0, 250, 500, 750, 1000]
            assert ended(state, ahead) == rewards


def ended(state: State, ahead: Ahead) -> Any:
    """The same, by the points of the round that it was."""
    ahead = Ahead(GAME, SwiftChance(Chance(SEED), "search"), clock)
    number = state.round
    while state.round == number:
        seat = min(GAME.active_seats(state))
        listed = GAME.legal_moves(state, seat)
        state = ahead.play(state, seat, ahead.usual(state, seat, listed))
    return tuple(250 * points for points in state.results[number - 1].points)


def test_the_ranked_moves_are_legal_and_the_best_come_first() -> None:
    gifts = 0
    for state, seat in CHOICES:
        view, listed = GAME.view(state, seat), GAME.legal_moves(state, seat)
        ranked = rank(view, listed, Chance(SEED))
        assert set(ranked) <= set(listed)
        assert len(ranked) == min(CANDIDATES, len(listed))
        values = [greedy_worth(holding(view), move) for move in ranked]
        assert all(a >= b for a, b in pairwise(values))
        assert ranked[0] == greedy(view, listed, Chance(SEED))
        gifts += isinstance(ranked[0], GiveCards)
    assert gifts, "a gift was among the choices"
