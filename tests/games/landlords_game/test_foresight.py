"""What a search is told of the Landlord's Game."""

from __future__ import annotations

from services.games.landlords_game import GAME
from services.games.landlords_game.foresight import rank, reward, worth
from services.games.landlords_game.moves import BorrowBank, RepayBank
from services.games.landlords_game.state import Proposal, State
from shared.game import Move, Outcome
from tests.games.landlords_game.table import (
    FINE,
    THROW,
    chance,
    legal,
    note,
    owed,
    player,
    propose,
    table,
    thrown,
)

P = player


def ranked(state: State) -> tuple[Move, ...]:
    (seat,) = GAME.active_seats(state)
    moves = rank(GAME.view(state, seat), legal(state), chance(state))
    for move in moves:
        GAME.check(state, seat, move)
    assert len(set(moves)) == len(moves)
    chosen = GAME.policies["greedy"].choose(GAME.view(state, seat), legal(state), chance(state))
    assert moves[0] == chosen
    return moves


def test_equal_seats_are_worth_the_same():
    assert worth(table(P(), P(), P())) == (500, 500, 500)


def test_money_lots_luxuries_and_rounds_to_come_are_each_before_less_of_them():
    for better in (
        table(P(300), P(200)),
        table(P(100), P(200), lots={0: [20]}),
        table(P(200, luxuries=1), P(200)),
        table(P(200), P(200, tally=1)),
        table(P(200), P(300), bank_loans=[note(1, 1, 2, 22)], lots={1: [22], 0: [22]}),
        table(P(200), P(290), player_loans=[owed(1, 1, 0, 100, 5, 3)]),
    ):
        first, second = worth(better)
        assert 0 <= second < 500 < first <= 1000


def test_an_outcome_is_worth_more_the_further_one_is_before_the_others():
    close, far = (reward(Outcome(((0,), (1,)), (100 + by, 100), "rounds")) for by in (10, 90))
    assert 0 <= far[1] < close[1] < 500 < close[0] < far[0] <= 1000


def test_a_lot_is_worth_more_while_rounds_are_to_come_and_money_in_hand_more_still():
    early, late = (worth(table(P(tally=t), P(tally=t), lots={0: [20]}))[0] for t in (0, 4))
    assert 500 < late < early
    assert worth(table(P(0), P(200), lots={0: [20]}))[0] < 500


def test_jail_and_poor_house_are_bad_places():
    for place in ("jail", "poorhouse"):
        assert worth(table(P(at=10, place=place), P(at=10)))[0] < 500


def test_a_loan_on_interest_is_worth_something_to_its_lender():
    lent = table(P(100), P(300), player_loans=[owed(1, 1, 0, 100, 5, 5)])
    assert worth(lent)[0] > worth(table(P(200), P(200)))[0] == 500


def test_the_one_in_the_middle_is_between_the_others():
    first, second, third = worth(table(P(300), P(200), P(100)))
    assert 1000 >= first > second > third >= 0


def test_a_turn_begins_with_nothing_to_think_of_but_fine_and_repayment():
    assert ranked(table(P(), P(), lots={0: [20, 21]})) == (THROW,)
    assert set(ranked(table(P(at=10, place="jail"), P()))) == {THROW, FINE}
    indebted = table(P(300), P(), lots={0: [20, 21]}, bank_loans=[note(1, 0, 2, 20, 21)])
    assert ranked(indebted) == (RepayBank(loan=1, notes=1), THROW)


def test_money_of_the_bank_is_thought_of_where_it_is_spent():
    on_a_lot = thrown(table(P(20, at=33), P(), lots={0: [20, 19]}), 1, 2)
    assert any(isinstance(move, BorrowBank) for move in ranked(on_a_lot))


def test_what_is_over_may_be_lent_at_the_rate_of_the_bank_on_the_least_security():
    rich = table(P(350), P(), P(), lots={1: [3, 12, 14, 22], 2: [4]})
    assert set(ranked(rich)) == {
        THROW,
        propose(1, 240, 12, 5, 3, 22, role="lend"),
        propose(1, 120, 6, 5, 12, role="lend"),
    }


def test_no_more_is_offered_in_a_turn_to_who_has_refused():
    once = Proposal(0, 1, "lend", 240, 12, 5, (3, 22))
    assert ranked(table(P(350), P(), lots={1: [3, 22]}, refused=(once,))) == (THROW,)
