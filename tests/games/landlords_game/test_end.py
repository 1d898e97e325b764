"""LG-11 and LG-12: finished players, the end, the count-up."""

import pytest

from services.games.landlords_game import GAME
from services.games.landlords_game.events import GameEnded, MotherEarthPassed, Moved
from services.games.landlords_game.state import CountUp
from shared.game import Outcome
from tests.games.landlords_game.table import (
    BACKWARD,
    FORWARD,
    QUIET,
    THROW,
    after,
    borrow,
    cash,
    decide,
    gained,
    kinds,
    legal,
    names,
    note,
    one,
    owed,
    player,
    refused,
    ride,
    table,
    thrown,
)

P = player


def counted(*players, **more):
    """The count-up after the turn limit: seat 0 goes from 17 to the park, and no turn is left."""
    state = table(*players, options={"turn_limit": 20, **QUIET}, **more)
    return one(decide(state, THROW, 1, 2), GameEnded)


def at_limit(money=0, **more):
    return P(money, turns=20, **more)


def test_lg_11_1_a_finished_player_goes_on_without_wages():
    before = table(P(at=37, tally=5), P(), bank_loans=(note(1, 0, 1, 22),), lots={0: [22]})
    state = thrown(before, 4, 6)  # to 7, over Mother Earth
    assert state.players[0].tally == 5
    assert gained(before, state) == {}
    assert "buy_lot" in kinds(state)
    assert thrown(table(P(at=10, tally=5), P()), 1, 2).phase == "move_choice"
    jailed = after(thrown(table(P(at=1, tally=5), P()), 1, 2), FORWARD)
    assert jailed.players[0].place == "jail"


def test_lg_11_2_clear_of_debt_he_chooses_the_direction_after_the_throw():
    state = thrown(table(P(at=20, tally=5), P()), 1, 2)
    assert legal(state) == (FORWARD, BACKWARD)
    assert after(state, BACKWARD).players[0].at == 17
    assert after(state, FORWARD).players[0].at == 23


@pytest.mark.parametrize(
    "loans",
    [
        {"bank_loans": (note(1, 0, 1, 22),)},
        {"player_loans": (owed(1, 0, 1, 5, 0, 5),)},
    ],
)
def test_lg_11_2_with_debts_forward_only(loans):
    state = thrown(table(P(at=20, tally=5), P(), lots={0: [22]}, **loans), 1, 2)
    assert state.players[0].at == 23
    double = thrown(table(P(at=3, tally=5), P(), lots={0: [22]}, **loans), 4, 4)
    assert {move.direction for move in legal(double)} == {"forward"}
    with refused(double, "no-backward", "LG-11.2"):
        decide(double, BACKWARD)


def test_lg_11_2_his_debts_are_judged_after_the_throw_and_unfinished_ones_go_forward():
    state = after(table(P(at=20, tally=5), P(), lots={0: [22]}), borrow(1, 22))
    assert thrown(state, 1, 2).players[0].at == 23
    double = thrown(table(P(at=3, tally=4), P()), 4, 4)
    with refused(double, "no-backward", "LG-11.2"):
        decide(double, BACKWARD)


def test_lg_11_3_backward_moves_mirror_forward_ones():
    state = thrown(table(P(at=8, tally=5), P()), 2, 2)
    assert ride(5, 35, "backward") in legal(state)
    moved = one(decide(state, ride(5, 35, "backward")), Moved)
    assert (moved.to, moved.passings) == (34, 0)  # over 0 without effect
    assert one(decide(state, ride(5, 25, "backward")), Moved).to == 24
    short = thrown(table(P(at=10, tally=5), P(at=7), P(at=7)), 1, 2)
    moved = one(decide(short, BACKWARD), Moved)
    assert (moved.to, moved.shortened) == (8, True)
    over = one(decide(thrown(table(P(at=1, tally=5), P()), 1, 2), BACKWARD), Moved)
    assert (over.to, over.passings) == (38, 0)


def test_lg_11_3_backward_over_index_0_has_no_effect():
    before = thrown(table(P(at=2, tally=5), P(), options=QUIET), 1, 1)
    assert gained(before, after(before, BACKWARD)) == {}


def test_lg_12_1_the_match_ends_when_the_last_tally_reaches_the_rounds():
    before = table(P(0, at=36, tally=4), P(50, tally=5), options=QUIET)
    events = decide(before, THROW, 2, 4)  # to bread, which would cost 5
    assert names(events) == ["DiceThrown", "Moved", "MotherEarthPassed", "GameEnded"]
    state = thrown(before, 2, 4)
    assert cash(state) == [100, 50]
    assert state.players[0].at == 2
    assert GAME.active_seats(state) == frozenset()
    assert GAME.outcome(state) == Outcome(((0,), (1,)), (100, 50), "rounds")
    with refused(state, "over", "LG-1.6"):
        GAME.check(state, 0, THROW)


def test_lg_12_1_not_while_another_has_rounds_to_make():
    before = table(P(0, at=36, tally=4), P(50, tally=4), options=QUIET)
    assert GAME.outcome(thrown(before, 2, 4)) is None


def test_lg_12_1_what_falls_due_at_the_last_passing_is_claimed():
    before = table(
        P(0, at=36, tally=4),
        P(50, tally=5),
        lots={0: [22, 5]},
        bank_loans=(note(1, 0, 1, 22),),
        player_loans=(owed(2, 0, 1, 60, 9, 5, 5),),
        options=QUIET,
    )
    events = decide(before, THROW, 2, 4)
    assert len(one(events, MotherEarthPassed).dues) == 2
    ended = one(events, GameEnded)
    assert ended.count_up[0] == CountUp(
        lots=270, cash=100, luxuries=0, paid=105 + 69, received=0, total=370 - 174
    )
    assert ended.count_up[1].total == 50 + 69


def test_lg_12_2_gross_is_lots_cash_and_luxuries_only():
    players = (P(5, at=17, turns=20, luxuries=2, legacies=3), at_limit(7))
    ended = counted(*players, lots={0: [1, 22], 1: [3]}, bank_loans=(note(1, 1, 0, 3),))
    assert ended.count_up[0] == CountUp(
        lots=230, cash=5, luxuries=120, paid=0, received=0, total=355
    )
    assert ended.count_up[1].lots == 30  # mortgaged ones too


def test_lg_12_3_the_bank_first_then_loans_oldest_first_each_as_far_as_it_goes():
    ended = counted(
        P(10, at=17, turns=20),
        at_limit(1),
        at_limit(2),
        lots={0: [11]},
        bank_loans=(note(5, 0, 1, 11),),
        player_loans=(owed(1, 0, 2, 15, 9, 4), owed(2, 0, 1, 30, 9, 4)),
    )
    first, second, third = ended.count_up
    assert (first.paid, first.total) == (120, 0)
    assert (third.received, second.received) == (15, 5)
    assert [row.total for row in ended.count_up] == [0, 6, 17]


def test_lg_12_3_payments_are_computed_from_gross_values_only():
    """1 gets 50 of 0, but cannot pay 2 out of that."""
    ended = counted(
        P(50, at=17, turns=20),
        at_limit(0),
        at_limit(0),
        player_loans=(owed(1, 0, 1, 50, 0, 4), owed(2, 1, 2, 50, 0, 4)),
    )
    assert [row.total for row in ended.count_up] == [0, 50, 0]


def test_lg_12_3_all_is_on_paper():
    state = table(
        P(10, at=17, turns=20),
        at_limit(0),
        player_loans=(owed(1, 0, 1, 50, 0, 4),),
        options={"turn_limit": 20, "player_loans": False},
    )
    ended = thrown(state, 1, 2)
    assert (ended.player_loans, ended.owners, cash(ended)) == (
        state.player_loans,
        state.owners,
        [10, 0],
    )
    assert GAME.conserved(ended) == {"money": 1000}


def test_lg_12_4_equal_totals_share_the_win():
    ended = counted(P(10, at=17, turns=20), at_limit(10), at_limit(3))
    assert ended.winners == (0, 1)


def test_lg_12_5_equal_totals_share_a_rank():
    state = table(
        P(10, at=17, turns=20), at_limit(3), at_limit(10), options={"turn_limit": 20, **QUIET}
    )
    outcome = GAME.outcome(thrown(state, 1, 2))
    assert outcome == Outcome(((0, 2), (1,)), (10, 3, 10), "turn_limit")
