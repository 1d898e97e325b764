"""FR-12 and FR-11.4: auctions of a knocked-out player's luxuries."""

import pytest

from services.games.filthy_rich import GAME
from services.games.filthy_rich import moves as m
from services.games.filthy_rich.events import AuctionWon, BidMade, BidPassed, GameEnded
from services.games.filthy_rich.evolve import fold
from services.games.filthy_rich.state import Auction, BestBid
from shared.chance import Chance
from tests.games.filthy_rich.table import (
    after,
    chance,
    decide,
    dice,
    first,
    legal,
    paid,
    ready,
    refused,
    sign,
    tags,
)


def auction(*cash: int, loser: int = 3, lots="L02", **more):
    """The auction of a knocked-out player's first luxury, just opened; seat 0 rolled."""
    return ready(
        *cash,
        **{
            "phase": "rolled",
            "out": (loser,),
            "hands": {loser: ""},
            "lots": [(luxury, loser) for luxury in lots.split()],
            "auction": Auction((loser + 1) % len(cash)),
            **more,
        },
    )


def test_fr_12_1_the_cheapest_luxury_goes_first():
    state = ready(0, 30, 30, luxuries={0: "L02 L01"})
    state = after(state, (0, m.ROLL, dice(10)), *((seat, m.TAX_DONE) for seat in range(3)))
    assert [lot.luxury for lot in state.lots] == ["L01", "L02"]
    assert GAME.view(state, 1).asked.luxury == "L01"
    state = after(state, (1, m.PASS), (2, m.PASS))
    assert [lot.luxury for lot in state.lots] == ["L02"]
    assert state.removed == ("L01",)


@pytest.mark.parametrize(("loser", "speaker"), [(0, 1), (1, 2), (3, 0)])
def test_fr_12_2_the_first_to_speak_is_left_of_the_loser_for_each_card_anew(loser, speaker):
    cash = [30] * 4
    cash[loser] = 0
    state = ready(*cash, luxuries={loser: "L01 L02"})
    state = after(state, (0, m.ROLL, dice(10)), *((seat, m.TAX_DONE) for seat in range(4)))
    assert GAME.active_seats(state) == {speaker}
    while len(state.lots) == 2:
        state = after(state, (min(GAME.active_seats(state)), m.PASS))
    assert GAME.active_seats(state) == {speaker}


def test_fr_12_2_who_is_out_does_not_speak():
    state = ready(0, 0, 30, 30, luxuries={0: "L02", 1: "L03"})
    state = after(state, (0, m.ROLL, dice(10)), *((seat, m.TAX_DONE) for seat in range(4)))
    assert state.out == (0, 1)
    assert GAME.active_seats(state) == {2}  # seat 1, left of the loser, is out too
    state = after(state, (2, m.PASS), (3, m.PASS))
    assert state.removed == ("L02",)


def test_fr_12_3_a_bid_is_at_least_the_price_and_above_the_best_and_in_cash():
    state = auction(30, 20, 20, 0)
    assert legal(state, 0) == [m.PASS, m.BidRange(9, 30)]
    for amount in (8, 0, -5):
        with refused(state, "bid-too-low", "FR-12.3"):
            decide(state, 0, m.Bid(amount))
    with refused(state, "bid-too-high", "FR-12.3"):
        decide(state, 0, m.Bid(31))
    state = after(state, (0, m.Bid(12)))
    assert legal(state, 1) == [m.PASS, m.BidRange(13, 20)]
    with refused(state, "bid-too-low", "FR-12.3"):
        decide(state, 1, m.Bid(12))


def test_fr_12_3_the_template_holds_and_samples_its_range():
    bids = m.BidRange(9, 11)
    assert [bids.holds(m.Bid(n)) for n in (8, 9, 11, 12)] == [False, True, True, False]
    assert not bids.holds(m.PASS)
    drawn = {bids.sample(Chance(bytes([n] * 32))).amount for n in range(40)}
    assert drawn == {9, 10, 11}


def test_fr_12_3_who_cannot_bid_passes_automatically():
    state = auction(30, 8, 30, 0)
    events = decide(state, 0, m.PASS)
    assert events[1] == BidPassed(1, automatic=True, next=2)
    assert GAME.active_seats(fold(state, events)) == {2}
    events = decide(state, 0, m.Bid(30))  # the others have no more than that
    assert [e.automatic for e in events if isinstance(e, BidPassed)] == [True, True]
    assert first(events, AuctionWon).seat == 0


def test_fr_12_3_if_nobody_can_bid_nobody_is_asked():
    state = ready(0, 5, 5, luxuries={0: "L02"})
    state = after(state, (0, m.ROLL, dice(10)), *((seat, m.TAX_DONE) for seat in range(2)))
    events = decide(state, 2, m.TAX_DONE)
    assert [e.automatic for e in events if isinstance(e, BidPassed)] == [True, True]
    assert fold(state, events).removed == ("L02",)


def test_fr_12_4_who_passed_may_bid_later():
    state = auction(30, 30, 30, 0)
    state = after(state, (0, m.PASS), (1, m.Bid(9)), (2, m.PASS))
    assert GAME.active_seats(state) == {0}
    state = after(state, (0, m.Bid(10)))
    assert state.auction.best == BestBid(0, 10)


def test_fr_12_5_the_auction_ends_when_all_others_have_passed_since_the_last_bid():
    state = auction(30, 30, 30, 0)
    state = after(state, (0, m.Bid(9)), (1, m.PASS), (2, m.Bid(11)), (0, m.PASS))
    events = decide(state, 1, m.PASS)
    assert paid(events)[0] == (2, None, 11, "auction")
    assert first(events, AuctionWon) == AuctionWon(2, "L02")
    state = fold(state, events)
    assert state.luxuries[2] == ("L02",)
    assert (state.auction, state.lots) == (None, ())


def test_fr_12_5_the_highest_bidder_is_not_asked_to_outbid_herself():
    state = after(auction(30, 30, 0, loser=2), (0, m.Bid(9)))
    assert GAME.active_seats(state) == {1}
    assert "AuctionWon" in tags(decide(state, 1, m.PASS))
    assert first(decide(state, 1, m.Bid(10)), BidMade) == BidMade(1, 10, 0)


def test_fr_12_5_without_a_bid_the_luxury_is_out_of_the_game():
    state = auction(30, 30, 30, 0)
    state = after(state, (0, m.PASS), (1, m.PASS))
    assert "LuxuryRemoved" in tags(decide(state, 2, m.PASS))
    state = after(state, (2, m.PASS))
    assert state.removed == ("L02",)
    assert "L02" not in state.supply


def test_fr_12_6_nobody_may_sell_during_an_auction():
    state = auction(30, 30, 30, 0, signs=[sign(0, "B02-1", 1, "1")], assets={0: "S01-1"})
    for move in (m.SellBusiness("B02"), m.TaxSell("B02"), m.RepayLoan("S01-1"), m.ROLL):
        with refused(state, "not-now", "FR-4.9"):
            decide(state, 0, move)


def test_fr_11_4_and_15_10_a_third_luxury_won_at_auction_wins_the_game():
    state = auction(10, 30, 30, 0, luxuries={1: "L01 L03"}, lots="L02 L05")
    state = after(state, (0, m.PASS), (1, m.Bid(9)), (2, m.PASS))
    events = decide(state, 0, m.PASS)
    assert first(events, GameEnded) == GameEnded("auction", 1)
    state = fold(state, events)
    assert GAME.outcome(state).reason == "auction"
    assert GAME.outcome(state).ranking[0] == (1,)
    assert state.player == 0  # on another's turn


def test_fr_12_7_the_remaining_auctions_are_cancelled():
    state = auction(30, 30, 0, loser=2, luxuries={0: "L01 L03"}, lots="L02 L05")
    state = after(state, (0, m.Bid(9)), (1, m.PASS))
    assert [lot.luxury for lot in state.lots] == ["L05"]
    assert GAME.active_seats(state) == frozenset()


def test_fr_4_11_the_default_move_at_an_auction_is_a_pass():
    state = auction(30, 30, 30, 0)
    assert GAME.time_out(state, 0, chance()) == decide(state, 0, m.PASS)
