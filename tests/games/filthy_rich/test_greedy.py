"""The built-in way to play."""

import hashlib

import pytest

from services.bots.playout import at_random, playout
from services.games.filthy_rich import GAME
from services.games.filthy_rich import moves as m
from shared.chance import Chance
from tests.games.filthy_rich.table import act, after, dice, ready, sign, table

GREEDY = GAME.policies["greedy"]


def choice(state, seat=0):
    moves = GAME.legal_moves(state, seat)
    return GREEDY.choose(GAME.view(state, seat), moves, Chance(bytes(32)))


def shopping(*cash: int, **more):
    return table(*cash, **{"phase": "luxury", **more})


def test_it_buys_the_third_luxury_at_any_risk():
    state = shopping(12, 10, luxuries={0: "L01 L02"})
    assert choice(state) == m.BuyLuxury("L03")


def test_it_sells_businesses_to_win():
    signs = [sign(0, "B05-1", 1, "1 4"), sign(0, "B11-1", 1, "5 6 8 9")]
    state = shopping(4, 10, luxuries={0: "L01 L02"}, signs=signs)
    while isinstance(move := choice(state), m.SellBusiness):
        state = after(state, (0, move))
    assert move == m.BuyLuxury("L03")


def test_it_keeps_cash_for_taxes():
    assert choice(shopping(6, 10)) == m.SKIP_LUXURY
    assert choice(shopping(20, 10)) == m.BuyLuxury("L01")


def test_it_opens_a_business_rather_than_to_discard_it():
    state = table(14, 10, hands={0: "B05-1 A06-1"})
    assert isinstance(choice(state), m.PlayBusiness)


def test_it_covers_others_rather_than_itself():
    signs = [sign(0, "B02-1", 1, "1"), sign(1, "B01-1", 1, "9")]
    state = table(30, 10, hands={0: "B04-1 A06-1"}, page=2, signs=signs)
    assert choice(state) == m.PlayBusiness("B04-1", (9,))


def test_it_audits_who_cannot_pay():
    state = table(10, 0, 10, hands={0: "A01-1 A10-1"}, luxuries={1: "L02"})
    assert choice(state) == act("A01-1", target=1)


def test_it_bids_what_wins_and_passes_what_is_too_dear():
    def auctioned(*cash, **more):
        state = ready(*cash, **more)
        state = after(state, (0, m.ROLL, dice(10)))
        return after(state, *((seat, m.TAX_DONE) for seat in range(len(cash))))

    state = auctioned(0, 40, 10, luxuries={0: "L09", 1: "L04 L08"})
    assert choice(state, 1) == m.Bid(32)
    state = auctioned(0, 40, 40, luxuries={0: "L09"})
    assert choice(state, 1) == m.PASS


def test_it_draws_nothing():
    drawn = Chance(bytes(32))
    state = table(10, 10)
    GREEDY.choose(GAME.view(state, 0), GAME.legal_moves(state, 0), drawn)
    assert drawn.draws == []


@pytest.mark.parametrize("seats", GAME.seats)
def test_it_wins_most_matches_against_random_seats(seats):
    wins = sum(_wins(number, seats) for number in range(10))
    assert wins >= 7


def _wins(number, seats):
    seed = hashlib.sha256(b"greedy %d" % number).digest()
    me, random = number % seats, at_random(seed)

    def choose(state, seat, moves, version):
        return choice(state, seat) if seat == me else random(state, seat, moves, version)

    return playout(GAME, GAME.options_type(), seats, seed, choose).outcome.ranking[0] == (me,)
