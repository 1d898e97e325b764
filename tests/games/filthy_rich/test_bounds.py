"""How long a match can be: FR-16.6 counts moves by turns, auctions by money."""

import pytest

from services.games.filthy_rich import GAME
from services.games.filthy_rich import moves as m
from services.games.filthy_rich.evolve import fold
from services.games.filthy_rich.setup import DOLLARS_A_TURN, START_MONEY
from services.games.filthy_rich.state import Auction, Options
from tests.games.filthy_rich.table import act, after, decide, dice, ready, sign, table
from tests.laws.match import play


def duel(*cash: int, loser: int, lots: str):
    """Auctions of what the loser had, while the others have this much."""
    return ready(
        *cash,
        phase="rolled",
        out=(loser,),
        hands={loser: ""},
        lots=[(luxury, loser) for luxury in lots.split()],
        auction=Auction((loser + 1) % len(cash)),
        turn=400,
    )


def moves_of_a_creeping_auction(state):
    """Everybody raises by a dollar as long as it goes."""
    lots, moves = state.lots, 0
    while state.lots == lots and not state.end:
        seat = min(GAME.active_seats(state))
        offer = GAME.legal_moves(state, seat)[1]
        state = after(state, (seat, m.Bid(offer.minimum)))
        moves += 1
    return state, moves


@pytest.mark.parametrize("cash", [(500, 500, 0), (90, 61, 80, 33, 0), (6, 6, 0), (6, 7, 7, 0)])
def test_fr_16_6_an_auction_has_fewer_moves_than_the_players_have_dollars(cash):
    state = duel(*cash, loser=len(cash) - 1, lots="L01")
    end, moves = moves_of_a_creeping_auction(state)
    assert moves <= sum(max(0, dollars - 5) for dollars in cash)
    assert end.lots == ()


def test_fr_16_6_bids_and_passes_alternating_ask_nobody_twice_at_the_same_bid():
    state, asked = duel(40, 40, 40, 0, loser=3, lots="L01"), set()
    while state.lots:
        seat = min(GAME.active_seats(state))
        least = GAME.legal_moves(state, seat)[1].minimum
        assert (seat, least) not in asked
        asked.add((seat, least))
        state = after(state, (seat, m.PASS if (seat + least) % 3 else m.Bid(least)))
    assert len(asked) <= 3 * 35


def test_fr_16_6_two_rich_players_may_raise_dollar_by_dollar_within_the_bound():
    """Money that 400 turns can bring; a bound of 1200 moves for all auctions was too low."""
    options = Options(turn_limit=400)
    assert 3 * START_MONEY + 400 * DOLLARS_A_TURN >= 3000
    state = duel(1500, 1500, 0, loser=2, lots="L01 L02")
    state, moves = moves_of_a_creeping_auction(state)
    state, more = moves_of_a_creeping_auction(state)
    assert moves == 1500 - 5
    turns = options.turn_limit * (6 + 8 * 3)
    assert moves + more <= GAME.max_moves(options, 3) - turns


def test_fr_16_6_two_seats_never_see_an_auction():
    assert GAME.max_moves(Options(turn_limit=1), 2) == 6 + 8 * 2


def test_fr_16_6_a_turn_brings_so_much_at_most():
    """Sven's among four others, all eight dice on it, with Neons and Uncles: the dearest turn."""
    signs = [
        sign(0, "B03-1", 4, "5"),
        *(sign(1, card, 1, where) for card, where in [("B01-1", "2"), ("B02-1", "4")]),
        *(sign(1, card, 1, where) for card, where in [("B04-1", "6"), ("B05-1", "5 8")]),
    ]
    state = table(
        0, 0,
        page=4, signs=signs, assets={0: "S07-1 S07-2 S06-1 S06-2"}, hands={0: "A05-1 A05-2 A01-1"},
    )  # fmt: skip
    before = state.bank
    state = after(state, (0, act("A05-1")), (0, act("A05-2")))
    state = after(state, (0, m.ROLL, dice(*[5] * 8)))
    assert before - state.bank == 8 * 9 == DOLLARS_A_TURN - 2


def test_fr_16_6_a_turn_of_eight_tens_asks_each_seat_eight_times():
    state = table(9, 9, 9, page=4, hands={0: "A05-1 A05-2 A01-1"})
    state = after(state, (0, act("A05-1")), (0, act("A05-2")), (0, m.ROLL, dice(*[10] * 8)))
    sales = 0
    while state.turn == 9:
        events = decide(state, min(GAME.active_seats(state)), m.TAX_DONE)
        sales += 1
        state = fold(state, events)
    assert sales == 8 * 3


@pytest.mark.parametrize("seats", GAME.seats)
def test_fr_16_6_no_turn_brings_more_than_that(seats):
    match = play(GAME, Options(), seats, 7)
    for state in match.prefixes:
        assert sum(state.cash) <= START_MONEY * seats + DOLLARS_A_TURN * state.turn
