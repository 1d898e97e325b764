"""The built-in way to play."""

import pytest

from services.bots.playout import from_views, playout
from services.bots.random_bot import RANDOM
from services.games.landlords_game import GAME
from services.games.landlords_game.moves import BuyLuxury, RepayBank, RepayLoan
from services.games.landlords_game.state import Options
from shared.chance import Chance
from tests.games.landlords_game.table import (
    ACCEPT,
    BACKWARD,
    BUY,
    DECLINE,
    FINE,
    FORWARD,
    POORHOUSE,
    QUIET,
    REFUSE,
    RENT,
    SURRENDER,
    THROW,
    after,
    borrow,
    chance,
    fold,
    legal,
    note,
    owed,
    player,
    propose,
    ride,
    table,
    thrown,
)

P = player


def choice(state):
    (seat,) = GAME.active_seats(state)
    chosen = GAME.policies["greedy"].choose(GAME.view(state, seat), legal(state), Chance(bytes(32)))
    GAME.check(state, seat, chosen)
    return chosen


def on_lot_21(money, **more):
    return thrown(table(P(money, at=33), P(), **more), 1, 2)


def test_it_buys_a_lot_for_cash_in_hand_and_keeps_a_reserve():
    assert choice(on_lot_21(300)) == BUY
    assert choice(on_lot_21(212)) == RENT  # bought, it could not pay the next tax
    assert choice(on_lot_21(220, lots={1: [22]})) == RENT  # nor the rent of 22
    assert choice(on_lot_21(100)) == RENT


def test_it_borrows_for_a_lot_when_that_pays():
    lots = {0: [20]}
    state = on_lot_21(150, lots=lots)
    assert choice(state) == borrow(1, 20)
    assert choice(after(state, borrow(1, 20))) == BUY
    late = thrown(table(P(150, at=33, tally=4), P(tally=5), lots={0: [20]}), 1, 2)
    assert choice(late) == borrow(1, 20)  # 24 of rents for 5 of interest
    small = thrown(table(P(0, at=4), P(tally=5), lots=lots), 1, 2)
    assert choice(small) == RENT  # lot 4 brings less than the interest


def test_it_buys_tickets_from_the_dearest_on():
    state = GAME.initial(Options(first_player="seat0"), 2)
    draw = (22, 1, 21, 2, 20, 3, 19, 4, 5, 18, 17, 6)
    script = {f"ticket/{n}": f"T{lot:02}" for n, lot in enumerate(draw, 1)}
    state = fold(state, GAME.open(state, chance(state, **script)))
    bought = []
    while state.turn == 0:
        move = choice(state)
        bought.append(getattr(move, "lot", None))
        state = after(state, move)
    assert bought == [22, 21, None]


def test_it_weighs_a_luxury_by_its_sure_gain():
    def stopped(money, tally=0, lots=None):
        return thrown(table(P(money, at=5, tally=tally), P(), lots=lots or {}), 1, 2)

    assert choice(stopped(100)) == BuyLuxury()
    assert choice(stopped(52)) == DECLINE
    assert choice(stopped(20, tally=4, lots={0: [11]})) == borrow(1, 11)  # 10 for 5
    assert choice(stopped(20, tally=0, lots={0: [11]})) == DECLINE  # 10 for 25


def test_it_avoids_the_poor_house():
    state = thrown(table(P(4), P(), lots={0: [11, 22]}), 1, 1)
    assert choice(state) == borrow(1, 11)
    state = thrown(table(P(4), P(), lots={0: [5]}), 1, 1)
    asked = choice(state)
    assert (asked.role, asked.other, asked.lots) == ("borrow", 1, (5,))
    assert choice(after(state, asked)) == ACCEPT
    assert choice(after(state, asked, REFUSE)) == POORHOUSE


def test_it_surrenders_what_is_worth_less_than_the_debt():
    def due(*lots):
        loans = (owed(1, 0, 1, 150, 0, 1, *lots),)
        state = table(P(0, at=39), P(), lots={0: [*lots, 22]}, player_loans=loans)
        return thrown(state, 1, 2)

    assert choice(due(5)) == SURRENDER
    assert choice(due(20)) == borrow(1, 22)


@pytest.mark.parametrize(
    ("terms", "answer"),
    [
        (propose(1, 100, 10, 5, 11), ACCEPT),
        (propose(1, 100, 5, 5, 11), ACCEPT),
        (propose(1, 100, 4, 5, 11), REFUSE),  # less than the Bank's rate
        (propose(1, 190, 19, 5, 11), REFUSE),  # more than it can spare
        (propose(1, 100, 10, 5), ACCEPT),  # nothing is pledged, but the borrower owns 210
        (propose(1, 150, 15, 5), REFUSE),  # half of that does not cover it
        (propose(1, 100, 60, 5), ACCEPT),  # the interest alone brings it back
        (propose(1, 100, 5, 5, role="lend"), ACCEPT),
        (propose(1, 100, 6, 5, role="lend"), REFUSE),
    ],
)
def test_it_accepts_a_loan_on_fair_terms(terms, answer):
    state = table(P(100), P(200), lots={0: [11]})
    assert choice(after(state, terms)) == answer


def test_it_does_not_pledge_much_for_little():
    state = table(P(), P(), lots={1: [22, 21]})
    assert choice(after(state, propose(1, 100, 1, 5, 21, 22, role="lend"))) == REFUSE


def test_it_repays_what_it_does_not_need():
    loans = {"lots": {0: [22]}, "bank_loans": (note(1, 0, 1, 22),)}
    assert choice(table(P(300), P(), **loans)) == RepayBank(loan=1, notes=1)
    assert choice(table(P(200), P(), **loans)) == THROW
    assert choice(table(P(300, tally=5), P(), **loans)) == THROW  # no more interest
    assert choice(table(P(300), P(), player_loans=(owed(1, 0, 1, 50, 5, 4),))) == RepayLoan(loan=1)


def test_it_leaves_jail_while_there_is_much_to_buy():
    jailed = P(300, at=10, place="jail")
    assert choice(table(jailed, P())) == FINE
    assert choice(table(jailed, P(), lots={1: range(1, 9)})) == THROW
    assert choice(table(P(60, at=10, place="jail"), P())) == THROW


def test_it_takes_the_way_that_ends_best():
    state = thrown(table(P(at=34, tally=5), P(), lots={1: [19]}), 1, 2)
    assert choice(state) == FORWARD  # the legacy at 37
    state = thrown(table(P(20, at=35, tally=5), P(), lots={1: [22]}), 1, 2)
    assert choice(state) == BACKWARD  # a tax of 5, not a rent of 22
    state = thrown(table(P(at=3), P(), lots={1: [6]}), 4, 4)
    assert choice(state) != FORWARD
    assert choice(state) in (ride(5, 15), ride(5, 25), ride(5, 35))


@pytest.mark.parametrize("variant", ["tickets", "no_tickets"])
def test_it_beats_random_seats(variant):
    greedy, wins = GAME.policies["greedy"], 0
    for number in range(24):
        seed, me = bytes([number]) * 32, number % 4
        line_up = [greedy if seat == me else RANDOM for seat in range(4)]
        match = playout(GAME, Options(variant=variant), 4, seed, from_views(GAME, line_up, seed))
        wins += me in match.outcome.ranking[0]
    assert wins > 24 / 3


@pytest.mark.parametrize("seats", GAME.seats)
def test_it_plays_among_its_like_at_any_settings(seats):
    seed = bytes([seats]) * 32
    line_up = [GAME.policies["greedy"]] * seats
    for options in (Options(rounds=2), Options(rounds=1, variant="no_tickets", **QUIET)):
        match = playout(GAME, options, seats, seed, from_views(GAME, line_up, seed))
        assert match.outcome.reason == "rounds"
