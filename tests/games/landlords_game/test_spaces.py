"""LG-6 and LG-7: lots, rents, railroads and all other spaces."""

import pytest

from services.games.landlords_game import GAME
from services.games.landlords_game.events import LotBought, Moved, Paid
from services.games.landlords_game.moves import BuyLuxury
from services.games.landlords_game.state import Charter
from tests.games.landlords_game.table import (
    BACKWARD,
    BUY,
    DECLINE,
    FORWARD,
    QUIET,
    RENT,
    THROW,
    after,
    cash,
    decide,
    gained,
    kinds,
    legal,
    names,
    note,
    one,
    player,
    refused,
    ride,
    table,
    thrown,
)

P = player
BUY_LUXURY = BuyLuxury()


def landed(*others, lots=None, at=4, dice=(1, 2), money=200, **more):
    """Seat 0 stops on lot 4 (space 7), where the others may stand."""
    return thrown(table(P(money, at=at), *(others or (P(),)), lots=lots, **more), *dice)


def test_lg_6_1_nothing_is_paid_on_an_own_lot_whoever_stands_there():
    assert cash(landed(P(at=7), lots={0: [4]})) == [200, 200]


def test_lg_6_2_an_unowned_lot_is_bought_or_rented():
    state = landed()
    assert state.phase == "lot_choice"
    events = decide(state, BUY)
    assert events[0] == LotBought(seat=0, lot=4, price=40, ticket=None)
    bought = after(state, BUY)
    assert (cash(bought), bought.owners[3], gained(state, bought)) == (
        [160, 200],
        0,
        {"public_treasury": 40},
    )
    rented = after(state, RENT)
    assert (cash(rented), rented.owners[3], gained(state, rented)) == (
        [196, 200],
        None,
        {"public_treasury": 4},
    )


def test_lg_6_2_only_for_cash():
    state = landed(money=39)
    assert "buy_lot" not in kinds(state)
    with refused(state, "lot-too-dear", "LG-6.2"):
        decide(state, BUY)


@pytest.mark.parametrize(
    "owner", [P(), P(at=10, place="jail"), P(at=20, place="poorhouse"), P(tally=5)]
)
def test_lg_6_3_full_rent_to_the_owner_wherever_he_is(owner):
    assert cash(landed(owner, lots={1: [4]})) == [196, 204]


def test_lg_6_3_a_mortgaged_lot_earns_rent():
    state = landed(lots={1: [4, 22]}, bank_loans=(note(1, 1, 1, 4, 22),))
    assert cash(state) == [196, 204]


@pytest.mark.parametrize(("lot", "half"), [(1, 1), (2, 1), (3, 2), (4, 2), (7, 4), (10, 5)])
def test_lg_6_4_half_the_rent_rounded_up_to_the_first_tenant(lot, half):
    space = {1: 1, 2: 3, 3: 6, 4: 7, 7: 12, 10: 18}[lot]
    state = table(P(at=(space - 3) % 40), P(at=space), P(), lots={2: [lot]})
    wages = 100 * (space < 3)
    assert cash(thrown(state, 1, 2)) == [200 + wages - half, 200 + half, 200]


def test_lg_6_5_a_the_owner_pays_no_half_rent():
    assert cash(landed(P(at=7), lots={0: [4]})) == [200, 200]


def test_lg_6_5_b_an_owner_on_his_lot_is_landlord_not_tenant():
    assert cash(landed(P(at=7), lots={1: [4]})) == [196, 204]


def test_lg_6_5_c_on_an_unowned_lot_with_a_tenant_one_buys_at_full_price_or_pays_half():
    state = landed(P(at=7))
    asked = GAME.view(state, None).asked
    assert (asked.price, asked.rent.to, asked.rent.amount) == (40, 1, 2)
    assert cash(after(state, BUY)) == [160, 200]
    assert cash(after(state, RENT)) == [198, 202]


def test_lg_6_6_a_checker_stands_until_it_moves_and_pays_only_on_arrival():
    state = table(P(at=4), P(at=7, misses_turn=True), P(), lots={2: [4]})
    state = thrown(state, 1, 2)
    assert state.turn == 2
    assert cash(state) == [198, 202, 200]
    state = table(P(at=4), P(at=10, place="jail"), P(), lots={2: [4]})
    assert cash(thrown(state, 1, 2)) == [196, 200, 204]  # who was sent away is no tenant


def test_lg_6_7_no_move_sells_or_swaps_a_lot():
    tags = {move.__struct_config__.tag for move in GAME.move_types}
    assert not {tag for tag in tags if "sell" in tag or "swap" in tag}


@pytest.mark.parametrize("space", [2, 10, 17, 32])
def test_lg_7_1_a_necessity_costs_5(space):
    before = table(P(at=space - 2), P())
    state = thrown(before, 1, 1)
    assert gained(before, state) == {"public_treasury": 5}
    assert cash(state) == [195, 200]


@pytest.mark.parametrize("space", [4, 30])
def test_lg_7_2_no_trespassing_leads_to_jail_at_once(space):
    events = decide(table(P(at=space - 3), P()), THROW, 1, 2)
    assert names(events) == ["DiceThrown", "Moved", "SentToJail", "TurnStarted"]
    assert events[2].cause == "no_trespassing"


@pytest.mark.parametrize("space", [5, 15, 25, 35])
def test_lg_7_3_a_railroad_costs_5(space):
    before = table(P(at=space - 3), P())
    assert gained(before, thrown(before, 1, 2)) == {"railroad": 5}


def test_lg_7_4_a_double_over_a_railroad_may_jump_once():
    state = thrown(table(P(at=3), P()), 4, 4)
    assert legal(state) == (FORWARD, ride(5, 15), ride(5, 25), ride(5, 35))
    events = decide(state, ride(5, 25))
    assert one(events, Moved).to == 31
    assert not [e for e in events if isinstance(e, Paid)]  # the ride costs nothing


def test_lg_7_4_no_double_no_pass():
    state = thrown(table(P(at=3), P()), 3, 5)
    assert state.players[0].at == 11
    with refused(thrown(table(P(at=3, tally=5), P()), 3, 5), "no-pass", "LG-7.4"):
        decide(thrown(table(P(at=3, tally=5), P()), 3, 5), ride(5, 15))


@pytest.mark.parametrize(("at", "dice"), [(1, (2, 2)), (5, (3, 3)), (6, (3, 3))])
def test_lg_7_4_stopping_on_or_leaving_a_railroad_is_no_passing_over(at, dice):
    assert thrown(table(P(at=at), P()), *dice).phase != "move_choice"


def test_lg_7_4_who_is_made_to_stop_short_on_a_railroad_has_no_pass():
    before = table(P(at=2), P(at=6), P(at=6))
    events = decide(before, THROW, 2, 2)
    assert one(events, Moved).shortened
    assert gained(before, thrown(before, 2, 2)) == {"railroad": 5}


def test_lg_7_4_stopping_on_a_railroad_by_a_jump_costs_5():
    # From 34 railroad 35 is passed after one; eleven remain, from 5 on: 16, where two stand.
    state = thrown(table(P(at=34), P(at=16), P(at=16)), 6, 6)
    after_ = after(state, ride(35, 5))
    assert (after_.players[0].at, gained(state, after_)["railroad"]) == (15, 5)


def test_lg_7_4_a_railroad_that_is_not_passed_is_refused():
    state = thrown(table(P(at=3), P()), 4, 4)
    with refused(state, "railroad-not-passed", "LG-7.4"):
        decide(state, ride(15, 25))
    with refused(state, "railroad-not-passed", "LG-7.4"):
        decide(state, ride(6, 25))


def test_lg_7_5_next_allows_only_the_next_railroad_in_the_direction_of_travel():
    state = thrown(table(P(at=3), P(), options={"rail_jump": "next"}), 4, 4)
    assert legal(state) == (FORWARD, ride(5, 15))
    with refused(state, "no-such-ride", "LG-7.5"):
        decide(state, ride(5, 25))
    state = thrown(table(P(at=7, tally=5), P(), options={"rail_jump": "next"}), 2, 2)
    assert legal(state) == (FORWARD, BACKWARD, ride(5, 35, "backward"))


@pytest.mark.parametrize("to", [5, 6, 40])
def test_lg_7_5_only_to_another_railroad(to):
    with refused(thrown(table(P(at=3), P()), 4, 4), "no-such-ride", "LG-7.5"):
        decide(thrown(table(P(at=3), P()), 4, 4), ride(5, to))


def test_lg_7_5_a_ride_over_mother_earth_is_a_passing_and_nothing_ridden_over_counts():
    state = thrown(table(P(at=23), P()), 2, 2)
    events = decide(state, ride(25, 5))
    moved = one(events, Moved)
    assert (moved.to, moved.passings) == (7, 1)
    assert names(events)[:3] == ["Moved", "MotherEarthPassed", "ChoiceOpened"]


def test_lg_7_5_of_two_railroads_passed_either_may_be_left():
    state = thrown(table(P(at=4), P()), 6, 6)
    assert len(legal(state)) == 1 + 3 + 3


def test_lg_7_6_a_single_way_is_moved_by_the_engine():
    assert names(decide(table(P(), P()), THROW, 1, 1))[:2] == ["DiceThrown", "Moved"]


def test_lg_7_7_a_luxury_costs_50_and_counts_60():
    state = thrown(table(P(at=5), P()), 1, 2)
    bought = after(state, BUY_LUXURY)
    assert cash(bought) == [150, 200]
    assert bought.players[0].luxuries == 1
    assert gained(state, bought) == {"public_treasury": 50}
    with refused(thrown(table(P(49, at=5), P()), 1, 2), "luxury-too-dear", "LG-7.7"):
        decide(thrown(table(P(49, at=5), P()), 1, 2), BUY_LUXURY)


def test_lg_7_7_declining_costs_the_next_turn():
    state = after(thrown(table(P(at=5), P()), 1, 2), DECLINE)
    assert state.players[0].misses_turn
    events = decide(state, THROW, 1, 1)
    assert [(type(e).__name__, e.seat) for e in events[-3:]] == [
        ("TurnStarted", 0),
        ("TurnMissed", 0),
        ("TurnStarted", 1),
    ]


def test_lg_7_8_the_first_places_his_charter_and_the_others_pay():
    state = thrown(table(P(at=10), P(at=10)), 1, 2)
    assert state.charters == (Charter(space=13, seat=0),)
    assert cash(state) == [200, 200]
    state = thrown(state, 1, 2)
    assert cash(state) == [205, 195]
    own = table(P(at=10), P(), charters=(Charter(space=13, seat=0),))
    assert cash(thrown(own, 1, 2)) == [200, 200]
    other = table(P(at=24), P(), charters=(Charter(space=13, seat=1),))
    assert len(thrown(other, 1, 2).charters) == 2
    over = table(P(at=12), P(), charters=(Charter(space=13, seat=1),))
    assert thrown(over, 1, 1).phase == "lot_choice"


def test_lg_7_8_the_holder_himself_pays_nothing():
    charters = (Charter(space=13, seat=0),)
    penniless = table(P(0, at=10), P(), charters=charters, options=QUIET)
    events = decide(penniless, THROW, 1, 2)
    assert names(events) == ["DiceThrown", "Moved", "TurnStarted"]


def test_lg_7_9_the_public_park_costs_nothing():
    state = thrown(table(P(at=17), P()), 1, 2)
    assert cash(state) == [200, 200]
    assert state.turn == 1


def test_lg_7_10_a_legacy_brings_100_and_a_ticket():
    before = table(P(at=34), P())
    state = thrown(before, 1, 2)
    assert cash(state) == [300, 200]
    assert state.players[0].legacies == 1
    assert gained(before, state) == {"wages": -100}


def test_lg_7_11_stopping_on_mother_earth_brings_the_wages_only():
    before = table(P(at=37), P(), options=QUIET)
    assert gained(before, thrown(before, 1, 2)) == {"wages": -100}
