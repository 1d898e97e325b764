"""What a search is told of this game: who is nearest to winning, and which moves come first."""

from __future__ import annotations

from itertools import pairwise

from msgspec.structs import replace

from services.games.filthy_rich import GAME
from services.games.filthy_rich.foresight import CANDIDATES, rank, worth
from services.games.filthy_rich.policies import greedy, greedy_at
from services.games.filthy_rich.policies import worth as greedy_worth
from services.games.filthy_rich.state import Options
from shared.chance import Chance
from shared.game import is_listed
from tests.games.greedy_matches import choices

SEED = bytes(range(32))
SEATS = 3


CHOICES = choices(GAME, Options(), SEATS, [bytes([number]) * 32 for number in range(4)])


def test_the_choice_without_a_view_is_that_of_the_level() -> None:
    chance = Chance(SEED)
    for state, seat in CHOICES:
        listed = GAME.legal_moves(state, seat)
        chosen = greedy(GAME.view(state, seat), listed, chance)
        assert greedy_at(state, seat, listed, chance) == chosen


def test_worth_is_shared_out_between_0_and_1000() -> None:
    for state, _ in CHOICES:
        shares = worth(state)
        assert all(0 <= share <= 1000 for share in shares)
        assert SEATS * 500 - SEATS <= sum(shares) <= SEATS * 500


def test_money_and_luxuries_bring_a_seat_nearer_to_winning() -> None:
    state = CHOICES[0][0]
    before = worth(state)
    richer = replace(state, cash=(state.cash[0] + 10, *state.cash[1:]))
    assert worth(richer)[0] > before[0]
    assert worth(richer)[1] < before[1]
    owner = replace(state, luxuries=(("L01",), *state.luxuries[1:]), supply=state.supply[1:])
    assert worth(owner)[0] > before[0]


def test_a_seat_that_is_out_is_worth_nothing() -> None:
    state = replace(CHOICES[0][0], out=(1,))
    assert worth(state)[1] == 0
    assert worth(state)[0] > 500


def test_the_ranked_moves_are_legal_and_the_best_come_first() -> None:
    for state, seat in CHOICES:
        view, listed = GAME.view(state, seat), GAME.legal_moves(state, seat)
        ranked = rank(view, listed, Chance(SEED))
        assert 0 < len(ranked) <= CANDIDATES
        assert all(is_listed(listed, move) for move in ranked)
        values = [greedy_worth(view, seat, move) for move in ranked]
        assert all(a >= b for a, b in pairwise(values))
        assert ranked[0] == greedy(view, listed, Chance(SEED))
