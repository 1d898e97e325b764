"""The built-in way to play."""

import random

import pytest

from services.games.daifugo import GAME
from services.games.daifugo.evolve import fold
from services.games.daifugo.state import Options
from shared.chance import Chance
from tests.games.daifugo.table import give, legal, second_round, table

REST = ("KC KD QC QD", "JC JD 4C 4D", "TC TD 5C 5D")


def choice(state, seat=0):
    moves = GAME.legal_moves(state, seat)
    return GAME.policies["greedy"].choose(GAME.view(state, seat), moves, Chance(bytes(32)))


def choice_text(state, seat=0):
    return " ".join(getattr(choice(state, seat), "cards", ())) or "pass"


@pytest.mark.parametrize(
    ("hand", "field", "chosen"),
    [
        ("3C 3D 9H KH AH", "", "3C 3D"),  # the weakest set, whole
        ("3C 9H 9D QH QS", "7H", "pass"),  # no pair is broken for a trick
        ("3C 9H KH AH", "7H", "9H"),
        ("J1 9H 6H 5H", "AH", "pass"),  # control is kept
        ("8C 4H", "", "8C"),  # clear, then go out
        ("2C 4H", "KH", "2C"),
        ("9C", "7H", "9C"),
    ],
)
def test_it_plays_like_a_careful_person(hand, field, chosen):
    state = table(hand, *REST, field=field)
    assert chosen in legal(state, 0)
    assert choice_text(state) == chosen


def test_it_does_not_strand_a_forbidden_last_card():
    assert choice_text(table("9C 8D", *REST)) == "8D"
    assert choice_text(table("9C 2D", *REST, field="7H")) in {"2D", "pass"}


def test_it_gives_weak_cards_that_stand_alone():
    state = second_round({0: "3C 3D 3H 4C 5C 6D 6H 8C"})
    assert choice(state) == give("4C 5C")


@pytest.mark.parametrize("seats", [4, 5, 8])
def test_it_beats_random_seats(seats):
    rnd = random.Random(seats)
    places = [place for number in range(12) for place in _places(rnd, seats, number % seats)]
    assert sum(places) / len(places) < (seats - 1) / 4


def _places(rnd, seats, me):
    chance, state = Chance(rnd.randbytes(32)), GAME.initial(Options(rounds=3), seats)
    state = fold(state, GAME.open(state, chance))
    while active := sorted(GAME.active_seats(state)):
        for seat in active:
            move = choice(state, seat) if seat == me else rnd.choice(GAME.legal_moves(state, seat))
            state = fold(state, GAME.decide(state, seat, move, chance))
            if state.phase == "play":
                break
    return [result.order.index(me) for result in state.results]
