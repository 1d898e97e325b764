"""LG-16: the worked examples, in their order."""

import pytest

from services.games.landlords_game import GAME
from services.games.landlords_game.events import (
    GameEnded,
    MotherEarthPassed,
    Moved,
    SentToPoorhouse,
)
from services.games.landlords_game.loans import most_notes
from services.games.landlords_game.state import Options
from tests.games.landlords_game.table import (
    BUY,
    FINE,
    FORWARD,
    POORHOUSE,
    QUIET,
    RENT,
    THROW,
    after,
    cash,
    chance,
    decide,
    fold,
    gained,
    kinds,
    legal,
    names,
    note,
    one,
    owed,
    player,
    ride,
    table,
    thrown,
)

P = player


def test_lg_16_1_buy_or_rent_lot_3():
    state = thrown(table(P(at=3), P()), 1, 2)
    assert state.players[0].at == 6
    assert (cash(after(state, BUY)), cash(after(state, RENT))) == ([170, 200], [197, 200])


@pytest.mark.parametrize(("lot", "at", "half"), [(7, 9, 4), (1, 38, 1), (10, 15, 5)])
def test_lg_16_2_half_rents(lot, at, half):
    space = (at + 3) % 40
    state = thrown(table(P(at=at, tally=5), P(at=space), P(), lots={2: [lot]}), 1, 2)
    assert cash(after(state, FORWARD)) == [200 - half, 200 + half, 200]


def test_lg_16_3_the_owner_stands_on_his_lot():
    assert cash(thrown(table(P(at=9), P(at=12), lots={1: [7]}), 1, 2)) == [193, 207]


def test_lg_16_4_one_space_short():
    full = table(P(at=1), P(at=7), P(at=7))
    assert one(decide(full, THROW, 2, 4), Moved).to == 6
    assert ride(5, 15) in legal(thrown(full, 3, 3))
    state = thrown(table(P(at=36), P(at=1), P(at=1)), 2, 3)
    assert (state.players[0].at, cash(state)[0]) == (0, 300)


def test_lg_16_5_three_rides():
    state = thrown(table(P(at=3), P()), 4, 4)
    ends = {move: one(decide(state, move), Moved) for move in legal(state)}
    assert [(m.to, m.passings) for m in ends.values()] == [(11, 0), (21, 0), (31, 0), (1, 1)]
    assert list(ends) == [FORWARD, ride(5, 15), ride(5, 25), ride(5, 35)]
    assert one(decide(state, ride(5, 35)), MotherEarthPassed).wages == 100


def test_lg_16_6_no_jump():
    before = table(P(at=1), P())
    assert gained(before, thrown(before, 2, 2)) == {"railroad": 5}
    assert thrown(table(P(at=5), P()), 3, 3).players[0].at == 11


def test_lg_16_7_two_passings():
    state = thrown(table(P(at=39), P()), 6, 6)
    assert one(decide(state, FORWARD), Moved).to == 11
    assert names(decide(state, FORWARD)).count("MotherEarthPassed") == 1
    state = after(state, ride(5, 35))
    assert (state.players[0].at, state.players[0].tally, cash(state)[0]) == (1, 2, 400)


def test_lg_16_8_out_of_jail_by_a_double():
    jailed = table(P(at=10, place="jail"), P())
    assert thrown(jailed, 2, 2).players[0].at == 13
    assert thrown(jailed, 1, 2).players[0].place == "jail"


def test_lg_16_9_out_of_jail_by_a_fine():
    state = thrown(after(table(P(60, at=10, place="jail"), P()), FINE), 1, 2)
    assert (state.players[0].at, cash(state)[0], state.phase) == (12, 10, "lot_choice")


def test_lg_16_10_out_of_the_poor_house():
    state = table(P(0, at=20, place="poorhouse"), P(at=20, place="poorhouse"))
    for dice in ((4, 5), (1, 1), (4, 4), (1, 1)):
        state = thrown(state, *dice)
    assert state.players[0].poor_count == 17
    state = thrown(state, 2, 4)
    assert (state.players[0].at, state.players[0].tally, cash(state)[0]) == (3, 1, 100)
    assert state.phase == "lot_choice"


@pytest.mark.parametrize(
    ("lots", "notes"), [((5, 6), 1), ((4, 5), 0), ((10,), 0), ((11,), 1), ((21,), 2), ((10, 21), 3)]
)
def test_lg_16_11_what_the_bank_lends(lots, notes):
    assert most_notes(lots) == notes
    assert ("borrow_bank" in kinds(table(P(), P(), lots={0: lots}))) == (notes > 0)


def test_lg_16_12_interest_of_three_notes():
    loans = (note(1, 0, 3, 22, 21),)
    state = thrown(table(P(2, at=38), P(), lots={0: [22, 21]}, bank_loans=loans), 1, 1)
    assert cash(state)[0] == 87


def test_lg_16_13_to_the_poor_house():
    alone = decide(table(P(3, at=2), P(), options=QUIET), THROW, 1, 2)
    assert one(alone, SentToPoorhouse) == SentToPoorhouse(
        seat=0, to="railroad", paid=3, cancelled=2, closes=()
    )
    state = thrown(table(P(3, at=2), P()), 1, 2)
    assert state.phase == "debt"
    assert one(decide(state, POORHOUSE), SentToPoorhouse) == one(alone, SentToPoorhouse)


def test_lg_16_14_the_count_up():
    state = table(
        P(40, at=17, turns=20, luxuries=1),
        P(10, turns=20),
        P(0, turns=20),
        lots={0: [21, 22]},
        bank_loans=(note(1, 0, 2, 21),),
        player_loans=(owed(2, 1, 2, 50, 9, 4),),
        options={"turn_limit": 20, **QUIET},
    )
    ended = one(decide(state, THROW, 1, 2), GameEnded)
    assert [row.total for row in ended.count_up] == [330, 0, 10]


@pytest.mark.parametrize(("seats", "each"), [(4, 3), (2, 6), (3, 4)])
def test_lg_16_15_tickets_a_player(seats, each):
    state = GAME.initial(Options(), seats)
    state = fold(state, GAME.open(state, chance(state)))
    assert [len(tickets) for tickets in state.tickets] == [each] * seats
