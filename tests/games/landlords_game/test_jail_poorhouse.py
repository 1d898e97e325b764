"""LG-8 and LG-9: jail, poor house, and not being able to pay."""

import pytest

from services.games.landlords_game.events import (
    DebtOpened,
    DiceThrown,
    LeftJail,
    Moved,
    Paid,
    PoorCounted,
    SecuritySurrendered,
    SentToPoorhouse,
)
from services.games.landlords_game.state import Due
from tests.games.landlords_game.table import (
    ACCEPT,
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
    propose,
    refused,
    ride,
    table,
    thrown,
)

P = player


def jailed(money=200, **more):
    return P(money, at=10, place="jail", **more)


def poor(money=0, count=0, **more):
    return P(money, at=20, place="poorhouse", poor_count=count, **more)


def test_lg_8_1_to_jail_without_wages_and_the_turn_ends():
    state = thrown(table(P(at=1), P()), 1, 2)
    assert (state.players[0].at, state.players[0].place, state.players[0].tally) == (10, "jail", 0)
    assert (cash(state), state.turn) == ([200, 200], 1)


def test_lg_8_2_the_fine_frees_before_throwing():
    before = table(jailed(), P())
    state = after(before, FINE)
    assert (state.players[0].at, state.players[0].place) == (10, "released")
    assert (state.phase, state.turn) == ("turn_start", 0)
    assert gained(before, state) == {"public_treasury": 50}
    assert one(decide(state, THROW, 1, 2), DiceThrown).purpose == "move"


def test_lg_8_2_only_in_jail_and_for_cash():
    with refused(table(P(), P()), "not-in-jail", "LG-8.2"):
        decide(table(P(), P()), FINE)
    with refused(table(jailed(49), P()), "fine-too-dear", "LG-8.2"):
        decide(table(jailed(49), P()), FINE)
    freed = after(table(jailed(), P()), FINE)
    with refused(freed, "not-in-jail", "LG-8.2"):
        decide(freed, FINE)


def test_lg_8_2_one_may_borrow_for_the_fine():
    state = table(jailed(0), P(), lots={0: [22]})
    assert "pay_fine" not in kinds(state)
    assert after(state, borrow(1, 22), FINE).players[0].cash == 50


def test_lg_8_3_a_double_frees_and_gives_no_pass():
    events = decide(table(jailed(), P()), THROW, 3, 3)
    assert one(events, DiceThrown).purpose == "jail"
    assert one(events, LeftJail) == LeftJail(seat=0, how="double", paid=0)
    assert one(events, Moved).to == 15
    events = decide(table(jailed(), P()), THROW, 4, 4)
    assert one(events, Moved).to == 17  # over the railroad at 15, and nothing is asked


def test_lg_8_3_without_a_double_he_stays_and_the_turn_ends():
    state = thrown(table(jailed(), P()), 1, 2)
    assert (state.players[0].at, state.players[0].place, state.turn) == (10, "jail", 1)


@pytest.mark.parametrize(("die", "to"), [(1, 11), (2, 13), (6, 21)])
def test_lg_8_4_count_one_falls_on_coal(die, to):
    moved = one(decide(table(jailed(), P()), THROW, die, die), Moved)
    assert (moved.start, moved.to, moved.direction) == (9, to, "forward")


def test_lg_8_4_coal_is_reached_only_if_lot_6_is_full():
    before = table(jailed(), P(at=11), P(at=11))
    state = thrown(before, 1, 1)
    assert (state.players[0].at, state.players[0].place) == (10, "board")
    assert gained(before, state) == {"public_treasury": 5}


def test_lg_8_4_after_a_paid_fine_a_double_gives_a_pass():
    state = thrown(after(table(jailed(), P()), FINE), 4, 4)
    assert legal(state) == (FORWARD, ride(15, 5), ride(15, 25), ride(15, 35))
    assert after(state, ride(15, 25)).players[0].at == 27


def test_lg_8_4_finished_players_leave_forward_too():
    state = thrown(after(table(jailed(tally=5), P()), FINE), 4, 4)
    assert {move.direction for move in legal(state)} == {"forward"}
    with refused(state, "no-backward", "LG-11.2"):
        decide(state, ride(15, 5, "backward"))
    assert thrown(table(jailed(tally=5), P()), 2, 2).players[0].at == 13


def test_lg_8_5_the_poor_house_is_entered_with_a_count_of_0_and_the_turn_ends():
    state = thrown(table(P(3, at=2), P(), options=QUIET), 1, 2)
    p = state.players[0]
    assert (p.at, p.place, p.poor_count, state.turn) == (20, "poorhouse", 0, 1)


def test_lg_8_6_throws_are_counted_until_20():
    events = decide(table(poor(count=9), P()), THROW, 4, 4)
    assert names(events) == ["DiceThrown", "PoorCounted", "TurnStarted"]
    assert one(events, DiceThrown).purpose == "poorhouse"
    assert one(events, PoorCounted).value == 17


@pytest.mark.parametrize(("count", "dice", "to"), [(17, (1, 2), 0), (17, (6, 6), 9)])
def test_lg_8_6_then_he_goes_on_from_the_corner_with_wages(count, dice, to):
    state = thrown(table(poor(count=count), P()), *dice)
    p = state.players[0]
    assert (p.at, p.place, p.tally, p.poor_count) == (to, "board", 1, 0)
    assert p.cash == 100


def test_lg_8_6_with_lot_1_full_he_stops_on_mother_earth():
    state = thrown(table(poor(count=18), P(at=1), P(at=1)), 1, 2)
    assert (state.players[0].at, state.players[0].tally) == (0, 1)


def test_lg_8_7_no_choice_no_jump_and_no_expenses():
    state = thrown(table(poor(0, count=19), P()), 6, 6)
    assert state.phase != "move_choice"
    assert thrown(table(poor(0), P()), 1, 1).players[0].cash == 0


def test_lg_8_7_money_does_not_free_earlier():
    state = thrown(table(P(at=4), poor(), lots={1: [4]}), 1, 2)
    assert (state.players[1].cash, state.players[1].place) == (4, "poorhouse")


def test_lg_8_8_a_finished_player_leaves_without_wages():
    state = thrown(table(poor(7, count=18, tally=5), P()), 1, 2)
    assert (state.players[0].at, state.players[0].tally, state.players[0].cash) == (1, 5, 7)


def test_lg_9_1_what_cash_covers_is_paid_at_once_and_nothing_is_due_for_0():
    assert one(decide(table(P(5), P()), THROW, 1, 1), Paid).amount == 5
    state = table(P(0, at=37), P(), player_loans=(owed(1, 0, 1, 50, 0, 3),), options=QUIET)
    events = decide(state, THROW, 1, 2)
    assert one(events, DiceThrown)
    assert not [e for e in events if isinstance(e, Paid)]


def test_lg_9_2_a_debt_asks_for_money():
    state = thrown(table(P(4), P(), lots={0: [22]}), 1, 1)
    assert (state.phase, state.turn) == ("debt", 0)
    assert state.dues == (Due(to="public_treasury", amount=5, reason="necessity"),)
    state = after(state, borrow(1, 22))
    assert (cash(state), state.turn, state.dues) == ([99, 200], 1, ())


def test_lg_9_2_a_loan_of_a_player_pays_the_debt_at_once():
    state = after(thrown(table(P(4), P()), 1, 1), propose(1, 1, 0, 5), ACCEPT)
    assert (cash(state), state.turn) == ([0, 199], 1)


def test_lg_9_2_no_poor_house_while_the_bank_would_lend():
    state = thrown(table(P(4), P(), lots={0: [22]}), 1, 1)
    assert "go_poorhouse" not in kinds(state)
    with refused(state, "bank-first", "LG-9.2"):
        decide(state, POORHOUSE)


def test_lg_9_2_surrender_only_for_a_secured_loan():
    state = thrown(table(P(4), P()), 1, 1)
    with refused(state, "no-security", "LG-9.2"):
        decide(state, SURRENDER)
    secured = table(P(0, at=39), P(), lots={0: [5]}, player_loans=(owed(1, 0, 1, 150, 0, 1, 5),))
    state = thrown(secured, 1, 2)
    assert kinds(state) == {"surrender_security", "loan_terms"}
    with refused(state, "security-first", "LG-9.2"):
        decide(state, POORHOUSE)


def test_lg_9_3_the_only_way_out_is_taken_by_itself():
    events = decide(table(P(4), P(), options=QUIET), THROW, 1, 1)
    assert names(events)[2:4] == ["DebtOpened", "SentToPoorhouse"]
    secured = table(
        P(0, at=39), P(), lots={0: [5]}, player_loans=(owed(1, 0, 1, 150, 0, 1, 5),), options=QUIET
    )
    events = decide(secured, THROW, 1, 2)
    assert names(events)[3:5] == ["DebtOpened", "SecuritySurrendered"]


def test_lg_9_4_the_creditor_gets_all_cash_and_the_rest_is_cancelled():
    before = table(P(1, at=4), P(), lots={1: [4], 0: [5]}, options=QUIET)
    events = decide(before, THROW, 1, 2)
    sent = one(events, SentToPoorhouse)
    assert (sent.to, sent.paid, sent.cancelled) == (1, 1, 3)
    state = thrown(before, 1, 2)
    assert cash(state) == [0, 201]
    assert state.owners[4] == 0  # a lot of 50 does not keep him out, and stays his


def test_lg_9_4_lots_that_the_bank_would_not_take_do_not_help():
    assert thrown(table(P(4), P(), lots={0: [10]}, options=QUIET), 1, 1).players[0].place == (
        "poorhouse"
    )
    assert thrown(table(P(4), P(), lots={0: [11]}, options=QUIET), 1, 1).phase == "debt"
    pledged = (note(1, 0, 1, 11),)
    state = table(P(4), P(), lots={0: [11]}, bank_loans=pledged, options=QUIET)
    assert thrown(state, 1, 1).players[0].place == "poorhouse"


def test_lg_9_5_other_dues_of_the_passing_are_surrendered_or_cancelled():
    loans = (
        owed(1, 0, 1, 400, 0, 1),  # its principal falls due and cannot be paid
        owed(2, 0, 1, 50, 7, 3, 5),  # secured: surrendered for its interest
        owed(3, 0, 2, 50, 7, 3),  # unsecured: the interest is lost, the loan goes on
        owed(4, 0, 2, 50, 7, 1),  # unsecured and due: cancelled and closed
        owed(5, 0, 2, 50, 0, 3, 6),  # secured, nothing due: untouched (LG-10.10)
    )
    before = table(P(0, at=39), P(), P(), lots={0: [5, 6]}, player_loans=loans, options=QUIET)
    events = decide(before, THROW, 1, 2)
    sent = one(events, SentToPoorhouse)
    assert (sent.paid, sent.cancelled, sent.closes) == (100, 300 + 7 + 57, (1, 4))
    assert one(events, SecuritySurrendered).loan == 2
    state = thrown(before, 1, 2)
    assert [loan.number for loan in state.player_loans] == [3, 5]
    assert (state.owners[4], state.owners[5]) == (1, 0)
    assert cash(state) == [0, 300, 200]


def test_lg_9_5_interest_of_the_bank_is_cancelled():
    before = table(
        P(0, at=39),
        P(),
        lots={0: [22] + [21] + [20] * 1},
        bank_loans=(note(1, 0, 1, 22, 21, 20),),
        player_loans=(owed(2, 0, 1, 400, 0, 1),),
        options=QUIET,
    )
    state = thrown(before, 1, 2)
    assert gained(before, state) == {"bank": 5, "wages": -100}  # the Bank comes first
    assert state.players[0].place == "poorhouse"
    assert len(state.bank_loans) == 1


def test_lg_9_6_optional_payments_never_lead_to_debt_but_rent_may():
    state = thrown(table(P(2, at=4), P(), options=QUIET), 1, 2)
    assert legal(state) == (RENT,)
    with refused(state, "lot-too-dear", "LG-6.2"):
        decide(state, BUY)
    assert after(state, RENT).players[0].place == "poorhouse"
    luxury = thrown(table(P(2, at=5), P(), options=QUIET), 1, 2)
    assert legal(luxury) == (DECLINE,)


def test_lg_9_7_while_terms_are_open_the_player_is_asked():
    state = thrown(table(P(4), P()), 1, 1)
    assert kinds(state) == {"go_poorhouse", "loan_terms"}
    assert after(state, POORHOUSE).players[0].place == "poorhouse"


@pytest.mark.parametrize(
    "state",
    [
        table(P(4), P(0)),  # nobody has cash
        table(P(4, tally=5), P()),  # finished
        table(P(4), P(), finance_moves=10),
        table(P(4), P(), proposals=3),
        table(P(4), P(), options=QUIET),
    ],
)
def test_lg_9_7_where_no_proposal_is_possible_the_poor_house_follows_by_itself(state):
    state = thrown(state, 1, 1)
    if state.phase == "move_choice":  # finished: both directions are open
        state = after(state, FORWARD)
    assert state.players[0].place == "poorhouse"


def test_lg_9_7_it_is_looked_at_again_after_each_answer():
    state = thrown(table(P(4), P(1), options={"rounds": 1}), 1, 1)
    assert kinds(state) == {"go_poorhouse", "loan_terms"}
    state = after(state, propose(1, 1, 0, 1), REFUSE)
    assert kinds(state) == {"go_poorhouse", "loan_terms"}  # interest 1 is left
    events = decide(after(state, propose(1, 1, 1, 1)), REFUSE)
    assert names(events) == ["LoanRefused", "SentToPoorhouse", "TurnStarted"]


def test_lg_9_8_all_bank_loans_come_before_the_poor_house_and_go_to_the_creditor():
    before = table(
        P(0, at=39),
        P(),
        lots={0: [11]},
        player_loans=(owed(1, 0, 1, 400, 0, 1),),
        options=QUIET,
    )
    state = thrown(before, 1, 2)
    assert kinds(state) == {"borrow_bank", "bank_terms"}
    state = after(state, borrow(1, 11))
    assert cash(state) == [0, 400]
    assert state.players[0].place == "poorhouse"
    assert state.player_loans == ()


def test_a_debt_is_told_before_it_is_settled():
    events = decide(table(P(4), P()), THROW, 1, 1)
    assert one(events, DebtOpened).due.amount == 5
