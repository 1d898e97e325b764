"""LG-4 and LG-5: turns, moving, Mother Earth, the third player."""

import pytest

from services.games.landlords_game import GAME
from services.games.landlords_game.events import MotherEarthPassed, Moved, Paid
from services.games.landlords_game.moves import BuyLuxury
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


def test_lg_4_1_a_turn_ends_by_itself_and_the_next_seat_starts():
    events = decide(table(P(), P(), P()), THROW, 1, 1)
    assert names(events) == ["DiceThrown", "Moved", "Paid", "TurnStarted"]
    assert events[-1].seat == 1
    state = thrown(table(P(), P(), turn=1), 1, 1)
    assert state.turn == 0


def test_lg_4_1_a_missed_turn_is_over_at_once():
    state = table(P(), P(at=10, place="jail", misses_turn=True), P())
    events = decide(state, THROW, 1, 1)
    assert names(events)[-3:] == ["TurnStarted", "TurnMissed", "TurnStarted"]
    state = thrown(state, 1, 1)
    assert state.turn == 2
    assert not state.players[1].misses_turn
    assert [p.turns for p in state.players] == [0, 1, 1]


def test_lg_4_2_a_double_gives_no_second_throw():
    assert thrown(table(P(), P()), 1, 1).turn == 1


def test_lg_4_3_a_player_must_throw():
    state = table(P(), P(), options=QUIET)
    assert legal(state) == (THROW,)


def test_lg_4_4_at_most_ten_finance_moves_a_turn():
    state = table(P(1000), P(), lots={0: [22]}, finance_moves=9)
    state = after(state, borrow(1, 22))
    assert state.finance_moves == 10
    assert kinds(state) == {"throw"}
    with refused(state, "finance-moves-used-up", "LG-4.4"):
        decide(state, propose(1, 10))
    with refused(state, "finance-moves-used-up", "LG-4.4"):
        decide(state, borrow(1, 22))
    assert thrown(state, 1, 1).finance_moves == 0


def test_lg_4_4_at_most_so_many_proposals_a_turn():
    state = table(P(), P(), options={"proposals_per_turn": 1})
    state = after(state, propose(1, 10), REFUSE)
    assert (state.proposals, state.finance_moves) == (1, 1)
    assert kinds(state) == {"throw"}
    with refused(state, "proposals-used-up", "LG-4.4"):
        decide(state, propose(1, 11))


def test_lg_4_4_an_accepted_proposal_counts_too():
    assert after(table(P(), P()), propose(1, 10), ACCEPT).proposals == 1


def test_lg_4_4_no_proposals_where_none_are_allowed():
    state = table(P(), P(), options={"proposals_per_turn": 0})
    assert legal(state) == (THROW,)
    with refused(state, "proposals-used-up", "LG-4.4"):
        decide(state, propose(1, 10))


def test_lg_4_4_a_bank_loan_in_debt_is_not_counted():
    state = thrown(table(P(1), P(), lots={0: [22]}, finance_moves=10, options=QUIET), 1, 1)
    assert state.phase == "debt"
    assert after(state, borrow(1, 22)).turn == 1


def test_lg_4_4_the_fine_and_answers_are_not_counted():
    state = table(P(at=10, place="jail"), P())
    assert after(state, FINE).finance_moves == 0
    assert after(state, propose(1, 10), REFUSE).finance_moves == 1


def test_lg_4_4_both_counts_start_again_with_the_next_turn():
    state = after(table(P(), P()), propose(1, 10), REFUSE)
    assert (state.finance_moves, state.proposals) == (1, 1)
    state = thrown(state, 1, 1)
    assert (state.turn, state.finance_moves, state.proposals) == (1, 0, 0)


@pytest.mark.parametrize("place", ["jail", "poorhouse"])
def test_lg_4_5_who_is_locked_up_still_deals_and_receives_rent(place):
    state = table(P(at=20, place=place), P(at=11), lots={0: [22, 7]})
    assert {"throw", "borrow_bank", "bank_terms", "loan_terms"} <= kinds(state)
    state = thrown(table(P(at=11), P(at=20, place=place), lots={1: [10]}), 3, 4)
    assert cash(state) == [190, 210]


def test_lg_4_6_a_choice_is_asked_even_if_only_one_is_possible():
    state = thrown(table(P(5), P(), options=QUIET), 1, 2)
    assert state.phase == "lot_choice"
    assert legal(state) == (RENT,)
    state = thrown(table(P(5), P(), options=QUIET), 3, 5)
    assert state.phase == "luxury_choice"
    assert legal(state) == (DECLINE,)


def test_lg_4_6_two_jumps_to_one_space_are_two_ways():
    state = thrown(table(P(at=4), P()), 6, 6)
    rides = [move for move in legal(state) if move.jump]
    assert ride(5, 15) in rides
    assert ride(15, 25) in rides
    assert after(state, ride(5, 15)).players[0].at == after(state, ride(15, 25)).players[0].at == 26


PHASES = {
    "turn_start": table(P(), P(), lots={0: [22]}),
    "jail": table(P(at=10, place="jail"), P()),
    "move_choice": thrown(table(P(at=3), P()), 4, 4),
    "lot_choice": thrown(table(P(), P(), lots={0: [22]}), 1, 2),
    "luxury_choice": thrown(table(P(), P(), lots={0: [22]}), 3, 5),
    "debt": thrown(table(P(1), P(), lots={0: [22]}), 1, 1),
    "loan_reply": after(table(P(), P()), propose(1, 10)),
}


@pytest.mark.parametrize(
    ("phase", "tags"),
    [
        ("turn_start", {"throw", "borrow_bank", "bank_terms", "loan_terms"}),
        ("jail", {"throw", "pay_fine", "loan_terms"}),
        ("move_choice", {"move"}),
        ("lot_choice", {"buy_lot", "rent_lot", "borrow_bank", "bank_terms", "loan_terms"}),
        (
            "luxury_choice",
            {"buy_luxury", "decline_luxury", "borrow_bank", "bank_terms", "loan_terms"},
        ),
        ("debt", {"borrow_bank", "bank_terms", "loan_terms"}),
        ("loan_reply", {"accept_loan", "refuse_loan"}),
    ],
)
def test_lg_4_7_only_the_commands_of_the_phase(phase, tags):
    state = PHASES[phase]
    assert kinds(state) == tags
    every = [THROW, FINE, BUY, RENT, BuyLuxury(), DECLINE, ACCEPT, REFUSE, POORHOUSE, FORWARD]
    every += [borrow(1, 22), propose(1, 10)]
    may_be_in = tags | {"pay_fine"} if phase == "turn_start" else tags
    may_be_in |= {"propose_loan"} if "loan_terms" in tags else set()
    may_be_in |= {"borrow_bank"} if phase == "jail" else set()
    may_be_in |= {"go_poorhouse"} if phase == "debt" else set()
    for move in every:
        if type(move).__struct_config__.tag not in may_be_in:
            with refused(state, "not-now", "LG-4.7"):
                decide(state, move)


def test_lg_4_8_the_first_reason_of_several():
    state = table(P(0), P(), phase="game_over", turn=None)
    with refused(state, "over", "LG-1.6"):
        GAME.check(state, 0, BUY)
    state = table(P(0), P(), finance_moves=10)
    with refused(state, "not-asked", "LG-1.6"):
        GAME.check(state, 1, propose(7, -1))
    with refused(state, "finance-moves-used-up", "LG-4.4"):
        decide(state, propose(7, -1))


def test_lg_5_1_a_throw_moves_forward():
    moved = one(decide(table(P(at=35), P()), THROW, 1, 2), Moved)
    assert (moved.start, moved.to, moved.direction, moved.passings) == (35, 38, "forward", 0)


@pytest.mark.parametrize(
    ("at", "dice", "to", "passings"), [(38, (1, 1), 0, 1), (39, (2, 1), 2, 1), (36, (1, 2), 39, 0)]
)
def test_lg_5_2_reaching_or_going_over_mother_earth_is_passing(at, dice, to, passings):
    events = decide(table(P(at=at), P()), THROW, *dice)
    moved = one(events, Moved)
    assert (moved.to, moved.passings) == (to, passings)
    assert names(events).count("MotherEarthPassed") == passings


def test_lg_5_3_tally_then_wages_also_for_the_last_round():
    state = thrown(table(P(at=38, tally=4), P()), 1, 1)
    assert state.players[0].tally == 5
    assert cash(state) == [300, 200]
    assert state.boxes.wages == -100
    passed = one(decide(table(P(at=38, tally=4), P()), THROW, 1, 1), MotherEarthPassed)
    assert passed.finished


def test_lg_5_4_bank_interest_then_loans_oldest_first():
    state = table(
        P(10, at=39, tally=1),
        P(),
        P(),
        lots={0: [22, 21]},
        bank_loans=(note(3, 0, 2, 22),),
        player_loans=(owed(1, 0, 1, 20, 3, 2), owed(2, 0, 2, 40, 4, 3), owed(4, 0, 1, 9, 0, 3)),
    )
    paid = [e for e in decide(state, THROW, 1, 2) if isinstance(e, Paid)]
    assert [(e.to, e.amount, e.reason, e.loan) for e in paid] == [
        ("bank", 10, "bank_interest", None),
        (1, 23, "loan_due", 1),
        (2, 4, "loan_interest", 2),
        ("public_treasury", 5, "necessity", None),
    ]
    state = thrown(state, 1, 2)
    assert [loan.number for loan in state.player_loans] == [2, 4]
    assert cash(state) == [10 + 100 - 10 - 23 - 4 - 5, 223, 204]


def test_lg_5_5_the_landing_is_dealt_with_last_and_not_from_the_poor_house():
    state = table(P(0, at=39), P(), player_loans=(owed(1, 0, 1, 500, 0, 1),), options=QUIET)
    events = decide(state, THROW, 1, 2)
    assert names(events) == [
        "DiceThrown",
        "Moved",
        "MotherEarthPassed",
        "DebtOpened",
        "SentToPoorhouse",
        "TurnStarted",
    ]


def test_lg_5_6_being_sent_is_no_passing():
    state = thrown(table(P(at=27), P()), 1, 2)
    assert state.players[0].place == "jail"
    assert (state.players[0].at, state.players[0].tally) == (10, 0)
    assert cash(state) == [200, 200]


def test_lg_5_7_the_third_stops_one_space_short():
    moved = one(decide(table(P(at=1), P(at=7), P(at=7)), THROW, 2, 4), Moved)
    assert (moved.to, moved.shortened) == (6, True)


def test_lg_5_7_short_of_lot_1_is_mother_earth_with_wages():
    state = thrown(table(P(at=36), P(at=1), P(at=1)), 2, 3)
    assert state.players[0].at == 0
    assert state.players[0].tally == 1
    assert cash(state)[0] == 300


@pytest.mark.parametrize(("start", "space"), [(2, 5), (0, 10), (15, 20)])
def test_lg_5_7_only_lots_have_the_limit(start, space):
    dice = (1, 2) if space - start == 3 else (4, 6) if space - start == 10 else (2, 3)
    moved = one(decide(table(P(at=start), P(at=space), P(at=space)), THROW, *dice), Moved)
    assert (moved.to, moved.shortened) == (space, False)


def test_lg_5_8_passings_of_a_finished_player_have_no_effect():
    state = table(
        P(at=38, tally=5), P(), bank_loans=(note(1, 0, 1, 22),), lots={0: [22]}, options=QUIET
    )
    after_ = thrown(state, 1, 2)
    assert after_.players[0].tally == 5
    assert cash(after_) == [200, 200]


def test_lg_5_9_the_landing_is_judged_by_the_owners_of_that_moment():
    state = table(
        P(0, at=36), P(), lots={0: [1]}, player_loans=(owed(1, 0, 1, 300, 0, 1, 1),), options=QUIET
    )
    events = decide(state, THROW, 2, 3)
    assert names(events)[2:] == [
        "MotherEarthPassed",
        "DebtOpened",
        "SecuritySurrendered",
        "Paid",
        "TurnStarted",
    ]
    rent = one(events, Paid)
    assert (rent.to, rent.amount, rent.reason) == (1, 1, "rent")


def test_lg_5_9_the_poor_house_breaks_off_a_second_passing():
    state = table(P(0, at=39), P(), player_loans=(owed(1, 0, 1, 500, 0, 1),), options=QUIET)
    state = after(thrown(state, 6, 6), ride(5, 35))
    assert state.players[0].tally == 1
    assert state.players[0].place == "poorhouse"


def test_lg_5_10_interest_of_all_notes_is_one_obligation():
    state = table(
        P(at=39), P(), lots={0: [22, 21]}, bank_loans=(note(1, 0, 1, 22), note(2, 0, 2, 21))
    )
    assert gained(state, thrown(state, 1, 2))["bank"] == 15


def test_lg_5_10_a_note_taken_before_the_passing_owes_but_one_taken_in_debt_does_not():
    state = table(P(at=39), P(), lots={0: [22]})
    state = thrown(after(state, borrow(1, 22)), 1, 2)
    assert cash(state)[0] == 200 + 100 + 100 - 5 - 5
    state = table(P(0, at=39), P(), lots={0: [22]}, player_loans=(owed(1, 0, 1, 150, 0, 1),))
    state = after(thrown(state, 1, 2), borrow(1, 22))
    assert cash(state)[0] == 100 + 100 - 150 - 5
