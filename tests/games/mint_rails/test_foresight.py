"""What a search is told of Mint Rails."""

from __future__ import annotations

import pytest

from services.games.mint_rails import GAME
from services.games.mint_rails.foresight import BEST, rank, worth
from services.games.mint_rails.moves import LayTrack
from services.games.mint_rails.state import State
from tests.games.mint_rails.table import after, chance, opened, table


def ranked(state: State, seat: int = 0):
    return rank(GAME.view(state, seat), GAME.legal_moves(state, seat), chance())


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_seat_is_worth_the_same_before_anything_is_done(seats):
    assert worth(opened(seats)) == (500,) * seats


def test_shares_of_worth_and_money_for_more_are_before_nothing():
    for better in (
        table(shares=["black", ""], worth=(3, 0, 0, 0)),
        table(shares=["black 2", "black"], worth=(6, 0, 0, 0)),
        table(fund=["black 3", "black"], worth=(2, 0, 0, 0)),
    ):
        first, second = worth(better)
        assert 0 <= second < 500 < first <= 1000


def test_a_larger_lead_is_worth_more():
    small, large = (worth(table(shares=["black", ""], worth=(w, 0, 0, 0)))[0] for w in (3, 9))
    assert 500 < small < large < 1000


def test_a_lone_player_is_measured_by_the_rival():
    assert len(worth(table(1, shares=["black", ""], worth=(3, 0, 0, 0)))) == 1


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_rank_lists_some_legal_moves_with_the_choice_of_greedy_first(seats):
    state = opened(seats)
    for _ in range(12):
        seat = state.turn
        legal = GAME.legal_moves(state, seat)
        moves = ranked(state, seat)
        assert set(moves) <= set(legal)
        assert 0 < len(moves) == len(set(moves)) <= BEST
        assert moves[0] == GAME.policies["greedy"].choose(GAME.view(state, seat), legal, chance())
        state = after(state, (seat, moves[0]))


def test_of_two_ways_of_the_same_length_into_a_city_rank_names_one():
    lays = [move for move in ranked(table()) if isinstance(move, LayTrack)]
    assert len({(m.company, m.city, len(m.path), m.icon) for m in lays}) == len(lays) > 1
