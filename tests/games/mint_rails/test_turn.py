"""MR-5 and MR-7: turns, passes and purchases."""

import pytest

from services.games.mint_rails import GAME
from services.games.mint_rails.events import ShareBought, TurnPassed
from tests.games.mint_rails.table import (
    after,
    bought,
    buy,
    chance,
    decide,
    full,
    lay,
    lays_of,
    names,
    refused,
    table,
)

NO_CUBES = (0, 0, 0, 0)


def test_mr_5_1_lay_or_buy():
    state = table(fund=["pink 4"])
    kinds = {type(move).__name__ for move in GAME.legal_moves(state, 0)}
    assert kinds == {"LayTrack", "BuyShare"}
    assert GAME.view(state, 0).asked.kind == "act"
    assert GAME.view(state, 1).asked is None


def test_mr_5_2_who_has_no_legal_action_passes_by_itself():
    state = table(3, track=full(), fund=["pink 4", "", "brown 4"])
    events = decide(state, 0, buy("pink"))
    assert events == [
        ShareBought(seat=0, company="pink", price=4, grows=3, next=1),
        TurnPassed(seat=1, next=2),
    ]
    state = after(state, (0, buy("pink")))
    assert GAME.active_seats(state) == {2}
    assert state.passes == 1
    assert GAME.view(state, 2).passes == 1
    assert GAME.resample(GAME.view(state, 2), chance()) == state
    assert after(state, (2, buy("brown"))).phase == "ended"


def test_mr_5_2_a_pass_is_no_move():
    assert all("pass" not in kind.__struct_config__.tag for kind in GAME.move_types)


def test_mr_5_2_nobody_passes_while_a_lay_is_possible():
    state = table(3, asset=(2, 0, 0, 0), market=(3, 0, 0, 3))
    assert lays_of(state, "black")
    for seat in range(3):
        assert GAME.legal_moves(table(3, turn=seat, asset=(2, 4, 4, 4)), seat)


def test_mr_5_3_then_the_next_in_turn_order():
    state = table(3, turn=2)
    assert after(state, (2, lay("black", "0,2", "Highmoor", "pink"))).turn == 0


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_mr_5_4_when_all_have_to_pass_the_game_is_stalled(seats):
    state = table(seats, turn=1, track=full(), fund=["", "pink 4"], shares=["pink", "pink"])
    events = decide(state, 1, buy("pink"))
    assert names(events) == ["ShareBought", *["TurnPassed"] * seats, "MatchScored"]
    passed = [event.seat for event in events[1:-1]]
    assert passed == [*range(2, seats), 0, 1]  # who acted last passes too
    assert events[-1].reason == "stalled"
    state = after(state, (1, buy("pink")))
    assert GAME.active_seats(state) == frozenset()
    assert GAME.outcome(state).reason == "stalled"


def test_mr_5_4_a_pass_in_between_does_not_end_it():
    state = table(3, track=full(), fund=["pink 4 brown 4", "", "white 4"])
    state = after(state, (0, buy("pink")), (2, buy("white")))
    assert state.phase == "play"
    assert state.turn == 0
    assert state.passes == 0


def test_mr_7_1_a_share_is_paid_from_the_companys_own_fund():
    state = table(fund=["black 3 white 9 pink 4"], market=(3, 0, 3, 3))
    assert bought(state) == ["pink"]
    with refused(state, "fund-too-low", "MR-7.1"):
        decide(state, 0, buy("black"))
    with refused(state, "none-in-market", "MR-7.1"):
        decide(state, 0, buy("white"))


def test_mr_7_2_what_a_purchase_does():
    state = after(table(fund=["pink 6"], asset=(4, 4, 5, 4)), (0, buy("pink")))
    assert state.fund[0] == (0, 0, 1, 0)
    assert state.market == (3, 3, 2, 3)
    assert state.shares[0] == (0, 0, 1, 0)
    assert state.asset == (4, 4, 8, 4)
    assert state.worth == (0, 0, 0, 0)


def test_mr_7_3_a_share_may_be_free():
    state = table(asset=NO_CUBES)
    assert bought(state) == ["black", "white", "pink", "brown"]
    state = after(state, (0, buy("pink")))
    assert state.fund[0] == (0, 0, 0, 0)
    assert state.asset == (0, 0, 3, 0)


def test_mr_7_4_no_limit_on_shares_and_no_way_to_sell():
    state = table(shares=["pink 4"], fund=["pink 4"])
    assert after(state, (0, buy("pink"))).shares[0] == (0, 0, 5, 0)
    assert {kind.__struct_config__.tag for kind in GAME.move_types} == {
        *("draft_share", "lay_track", "buy_share")
    }


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_mr_8_1_the_game_ends_at_once_when_as_many_companies_are_sold_out_as_players(seats):
    market = ((1, 0, 3, 3), (1, 0, 0, 3), (1, 0, 0, 0))[seats - 2]
    state = table(seats, market=market, fund=["black 4"])
    events = decide(state, 0, buy("black"))
    assert names(events) == ["ShareBought", "MatchScored"]
    assert events[-1].reason == "sold_out"
    state = after(state, (0, buy("black")))
    assert state.phase == "ended"
    assert state.turn is None
    with refused(state, "game-over", "MR-8.1"):
        decide(state, 1, buy("white"))


def test_mr_8_1_fewer_sold_out_companies_do_not_end_it():
    state = table(3, market=(1, 0, 3, 3), fund=["black 4"])
    assert after(state, (0, buy("black"))).phase == "play"
