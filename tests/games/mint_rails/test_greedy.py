"""The built-in way to play."""

import random

import pytest

from services.bots.playout import from_views, playout
from services.bots.random_bot import RANDOM
from services.games.mint_rails import GAME
from services.games.mint_rails.moves import BuyShare
from services.games.mint_rails.state import Options
from tests.games.mint_rails.table import after, chance, opened, table

GREEDY = GAME.policies["greedy"]


def choice(state, seat=0):
    return GREEDY.choose(GAME.view(state, seat), GAME.legal_moves(state, seat), chance())


def won(seed, seats, me, options=None):
    """How much of the win a greedy seat gets among random ones."""
    chance_seed = random.Random(seed).randbytes(32)
    policies = [GREEDY if seat == me else RANDOM for seat in range(seats)]
    choose = from_views(GAME, policies, chance_seed)
    best = playout(GAME, options or Options(), seats, chance_seed, choose).outcome.ranking[0]
    return 1 / len(best) if me in best else 0


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_beats_random_seats(seats):
    assert sum(won(seed, seats, seed % seats) for seed in range(10)) > 7


def test_it_beats_the_rival():
    assert sum(won(seed, 1, 0) for seed in range(12)) > 9


def test_it_takes_a_free_share_rather_than_leave_it():
    state = table(asset=(0, 4, 4, 4), worth=(5, 0, 0, 0), shares=["white", "pink"])
    assert choice(state) == BuyShare(company="black")


def test_it_ends_the_match_when_it_wins_by_it_and_not_when_it_loses():
    ending = {"market": (1, 0, 3, 3), "fund": ["black 4"], "worth": (6, 0, 0, 0)}
    assert choice(table(shares=["black", "white"], **ending)) == BuyShare(company="black")
    losing = {**ending, "worth": (0, 9, 0, 0)}
    assert choice(table(shares=["black", "white"], **losing)) != BuyShare(company="black")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_drafts_to_the_end(seats):
    state = opened(seats)
    while state.phase == "draft":
        state = after(state, (state.turn, choice(state, state.turn)))
    assert len(set(state.shares)) == seats


def test_a_spectator_has_nothing_to_choose():
    with pytest.raises(ValueError, match="spectator"):
        GREEDY.choose(GAME.view(table(), None), (), chance())
