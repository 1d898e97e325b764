from __future__ import annotations

from functools import reduce
from typing import Any

import pytest

from shared.chance import Chance
from shared.errors import IllegalMove
from tests.toys.secrets import (
    GAME,
    AuctionOpened,
    Bid,
    BidMade,
    BidRange,
    CardChosen,
    CardDealt,
    CardDrawn,
    CardsPassed,
    GiveCard,
    HandsShown,
    Options,
    PassBid,
    State,
)

CHANCE = Chance(bytes(32))
SCRIPT = {"draw/1": "K9"}
DEALT = [CardDealt(0, "K1"), CardDealt(1, "K2"), CardDealt(0, "K3"), CardDealt(1, "K4")]
PASSED = [CardChosen(0, "K1"), CardChosen(1, "K4"), CardsPassed(("K1", "K4")), AuctionOpened(0)]


def given(*events: Any, auctions: int = 1) -> State:
    return reduce(GAME.evolve, events, GAME.initial(Options(auctions=auctions), 2))


def test_sec_1_two_cards_a_seat_are_dealt_in_secret() -> None:
    chance = Chance(bytes(32), script={f"deal/{n}": f"K{n}" for n in range(1, 5)})
    events = GAME.open(given(), chance)
    assert events == DEALT
    assert GAME.redact(events[0], 1) is None
    assert GAME.redact(events[0], None) is None
    assert GAME.redact(events[0], 0) == events[0]


def test_sec_2_all_choose_before_cards_change_hands() -> None:
    state = given(*DEALT)
    assert GAME.active_seats(state) == {0, 1}
    assert GAME.decide(state, 1, GiveCard("K4"), CHANCE) == [CardChosen(1, "K4")]
    one_chose = given(*DEALT, CardChosen(0, "K1"))
    assert GAME.active_seats(one_chose) == {1}
    assert GAME.decide(one_chose, 1, GiveCard("K4"), CHANCE) == PASSED[1:]
    assert given(*DEALT, *PASSED).hands == (("K3", "K4"), ("K1", "K2"))


def test_sec_2_giver_and_receiver_know_the_card() -> None:
    passed = CardsPassed(("K1", "K4", "K7"))
    assert GAME.redact(passed, 0) == CardsPassed(("K1", None, "K7"))
    assert GAME.redact(passed, 1) == CardsPassed(("K1", "K4", None))
    assert GAME.redact(passed, 2) == CardsPassed((None, "K4", "K7"))
    assert GAME.redact(passed, None) == CardsPassed((None, None, None))
    view = GAME.view(given(*DEALT, *PASSED), 0)
    assert (view.gave, view.got) == ("K1", "K4")
    assert GAME.redact(CardChosen(0, "K1"), 1) == CardChosen(0, None)


def test_sec_3_a_bid_is_higher_than_the_last() -> None:
    state = given(*DEALT, *PASSED, BidMade(0, 4, 1))
    assert GAME.legal_moves(state, 1) == (PassBid(), BidRange(5, 10))
    for move, code in [(Bid(4), "too-low"), (Bid(11), "too-poor"), (GiveCard("K1"), "not-now")]:
        with pytest.raises(IllegalMove) as refused:
            GAME.check(state, 1, move)
        assert refused.value.code == f"secrets.{code}"


def test_sec_4_the_highest_bidder_pays_and_draws_in_secret() -> None:
    state = given(*DEALT, *PASSED, BidMade(0, 4, 1), auctions=2)
    events = GAME.decide(state, 1, PassBid(), Chance(bytes(32), script=SCRIPT))
    assert events == [BidMade(1, None, None), CardDrawn(0, 4, "K9"), AuctionOpened(0)]
    after = reduce(GAME.evolve, events, state)
    assert (after.coins, after.bank) == ((6, 10), 4)
    assert after.hands[0] == ("K3", "K4", "K9")
    assert GAME.redact(events[1], 1) == CardDrawn(0, 4, None)


def test_sec_4_nobody_pays_where_nobody_bids() -> None:
    state = given(*DEALT, *PASSED, BidMade(0, None, 1), auctions=2)
    chance = Chance(bytes(32))
    assert GAME.decide(state, 1, PassBid(), chance) == [BidMade(1, None, None), AuctionOpened(0)]
    assert chance.draws == []


def test_sec_5_coins_and_cards_are_scored_at_the_end() -> None:
    state = given(*DEALT, *PASSED, BidMade(0, 4, 1))
    events = GAME.decide(state, 1, PassBid(), Chance(bytes(32), script=SCRIPT))
    hands = (("K3", "K4", "K9"), ("K1", "K2"))
    assert events[-1] == HandsShown(hands, (6 + 16, 10 + 3))
    outcome = GAME.outcome(reduce(GAME.evolve, events, state))
    assert outcome is not None
    assert outcome.ranking == ((0,), (1,))


def test_sec_6_who_is_late_gives_the_lowest_card_or_passes() -> None:
    assert GAME.time_out(given(*DEALT), 1, CHANCE) == [CardChosen(1, "K2")]
    state = given(*DEALT, *PASSED)
    assert GAME.time_out(state, 0, CHANCE) == [BidMade(0, None, 1)]
