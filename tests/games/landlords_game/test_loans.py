"""LG-10: loans of the Bank and between players."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.games.landlords_game import GAME
from services.games.landlords_game.events import LoanRepaid, SecuritySurrendered
from services.games.landlords_game.loans import bank_offers
from services.games.landlords_game.moves import BorrowBank, RepayBank, RepayLoan
from services.games.landlords_game.state import BankLoan, PlayerLoan
from services.games.landlords_game.templates import LoanTerms
from shared.chance import Chance
from shared.game import is_listed
from tests.games.landlords_game.table import (
    ACCEPT,
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
    table,
    thrown,
)

P = player


def offers(state):
    return next((move.offers for move in legal(state) if isinstance(move, LoanTerms)), ())


def test_lg_10_1_the_bank_lends_on_a_mortgage_of_10_more():
    before = table(P(), P(), lots={0: [5, 6]})
    state = after(before, borrow(1, 5, 6))
    assert cash(state) == [300, 200]
    assert gained(before, state) == {"bank": -100}
    assert state.bank_loans == (BankLoan(1, 0, 1, (5, 6)),)
    assert state.phase == "turn_start"


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (borrow(0, 22), "no-notes"),
        (borrow(-1, 22), "no-notes"),
        (borrow(1), "too-little-security"),
        (borrow(1, 10), "too-little-security"),
        (borrow(2, 20), "too-little-security"),
        (borrow(1, 22, 22), "lot-named-twice"),
        (borrow(1, 9, 22), "lot-not-owned"),
        (borrow(1, 0, 22), "lot-not-owned"),
        (borrow(1, 7, 22), "lot-not-owned"),
        (borrow(1, 21), "lot-mortgaged"),
        (borrow(1, 18, 22), "lot-mortgaged"),
    ],
)
def test_lg_10_1_what_the_bank_refuses(move, code):
    state = table(
        P(),
        P(),
        lots={0: [10, 18, 20, 21, 22], 1: [7]},
        bank_loans=(note(1, 0, 1, 21),),
        player_loans=(owed(2, 0, 1, 5, 0, 3, 18),),
    )
    assert not is_listed(legal(state), move)
    with refused(state, code, "LG-10.1"):
        decide(state, move)


def test_lg_10_1_more_lots_than_needed_are_allowed():
    state = table(P(), P(), lots={0: [20, 21, 22]})
    assert is_listed(legal(state), borrow(1, 22, 20))
    assert after(state, borrow(1, 22, 20)).bank_loans[0].lots == (20, 22)


@pytest.mark.parametrize(("at", "dice"), [(4, (1, 2)), (5, (1, 2)), (0, (1, 1))])
def test_lg_10_1_in_the_phases_of_one_s_own_turn(at, dice):
    state = thrown(table(P(3, at=at), P(), lots={0: [22]}), *dice)
    assert state.phase in ("lot_choice", "luxury_choice", "debt")
    assert is_listed(legal(state), borrow(2, 22))


def test_lg_10_2_interest_is_5_a_note_and_none_after_the_last_round():
    loans = (note(1, 0, 2, 22),)
    before = table(P(at=38), P(), lots={0: [22]}, bank_loans=loans)
    assert gained(before, thrown(before, 1, 1))["bank"] == 10
    before = table(P(at=38, tally=5), P(), lots={0: [22]}, bank_loans=loans)
    assert gained(before, thrown(before, 1, 1)) == {}


def test_lg_10_3_notes_are_repaid_one_by_one_and_the_mortgage_goes_with_the_last():
    before = table(P(250), P(), lots={0: [22]}, bank_loans=(note(4, 0, 2, 22),))
    assert [m for m in legal(before) if isinstance(m, RepayBank)] == [
        RepayBank(loan=4, notes=1),
        RepayBank(loan=4, notes=2),
    ]
    state = after(before, RepayBank(loan=4, notes=1))
    assert (cash(state), state.bank_loans) == ([150, 200], (note(4, 0, 1, 22),))
    assert gained(before, state) == {"bank": 100}
    assert "borrow_bank" not in kinds(state)
    state = after(state, RepayBank(loan=4, notes=1))
    assert state.bank_loans == ()
    assert state.finance_moves == 2
    assert "borrow_bank" in kinds(state)


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (RepayBank(loan=2, notes=1), "no-such-bank-loan"),
        (RepayBank(loan=3, notes=1), "no-such-bank-loan"),
        (RepayBank(loan=1, notes=0), "no-such-notes"),
        (RepayBank(loan=1, notes=4), "no-such-notes"),
        (RepayBank(loan=1, notes=3), "notes-too-dear"),
    ],
)
def test_lg_10_3_what_cannot_be_repaid(move, code):
    loans = (note(1, 0, 3, 22, 21), note(2, 1, 1, 20))
    state = table(P(250), P(), lots={0: [22, 21], 1: [20]}, bank_loans=loans)
    with refused(state, code, "LG-10.3"):
        decide(state, move)


def test_lg_10_3_repaid_before_a_passing_no_interest():
    before = table(P(at=38), P(), lots={0: [22]}, bank_loans=(note(1, 0, 1, 22),))
    state = thrown(after(before, RepayBank(loan=1, notes=1)), 1, 1)
    assert gained(before, state) == {"bank": 100, "wages": -100}


@settings(deadline=None)
@given(lots=st.sets(st.integers(1, 22), min_size=1, max_size=7))
def test_lg_10_3a_the_canonical_sets_are_those_of_a_plain_search(lots):
    lots = tuple(sorted(lots))
    subsets = [c for size in range(1, len(lots) + 1) for c in combinations(lots, size)]
    found = {m.notes: m.lots for m in bank_offers(lots) if isinstance(m, BorrowBank)}
    for k in range(1, 26):
        fitting = [c for c in subsets if 10 * sum(c) >= 100 * k + 10]
        assert found.get(k) == min(fitting, key=lambda c: (sum(c), len(c), c), default=None)


def test_lg_10_4_the_limits_of_a_proposal():
    state = table(P(70, tally=1), P(300, tally=2), P(0), lots={0: [3, 9], 1: [7]})
    borrow_from, lend_to, lend_to_2 = offers(state)
    assert (borrow_from.role, borrow_from.other) == ("borrow", 1)
    assert (borrow_from.principal.low, borrow_from.principal.high) == (1, 300)
    assert (borrow_from.due_round.low, borrow_from.due_round.high) == (2, 5)
    assert borrow_from.lots == (3, 9)
    assert (lend_to.role, lend_to.other, lend_to.lots) == ("lend", 1, (7,))
    assert (lend_to.principal.high, lend_to.due_round.low) == (70, 3)
    assert (lend_to_2.other, lend_to_2.lots) == (2, ())


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (propose(0, 10), "no-such-partner"),
        (propose(2, 10), "no-such-partner"),
        (propose(-1, 10), "no-such-partner"),
        (propose(1, 0), "principal-out-of-range"),
        (propose(1, 301), "principal-out-of-range"),
        (propose(1, 71, role="lend"), "principal-out-of-range"),
        (propose(1, 10, -1, 2), "interest-out-of-range"),
        (propose(1, 10, 11, 2), "interest-out-of-range"),
        (propose(1, 10, 0, 1), "due-round-out-of-range"),
        (propose(1, 10, 0, 6), "due-round-out-of-range"),
        (propose(1, 10, 0, 2, role="lend"), "due-round-out-of-range"),
        (propose(1, 10, 0, 2, 3, 3), "lot-named-twice"),
        (propose(1, 10, 0, 2, 7), "lot-not-owned"),
        (propose(1, 10, 0, 3, 3, role="lend"), "lot-not-owned"),
        (propose(1, 10, 0, 2, 9), "lot-mortgaged"),
    ],
)
def test_lg_10_4_terms_that_are_refused_name_the_field(move, code):
    state = table(
        P(70, tally=1),
        P(300, tally=2),
        lots={0: [3, 9], 1: [7]},
        player_loans=(owed(1, 0, 1, 5, 0, 5, 9),),
    )
    field = {
        "no-such-partner": "`other`",
        "principal-out-of-range": "`principal`",
        "interest-out-of-range": "`interest`",
        "due-round-out-of-range": "`due_round`",
    }.get(code, "`lots`")
    assert not is_listed(legal(state), move)
    with refused(state, code, "LG-10.4") as refusal:
        decide(state, move)
    assert field in refusal.value.detail


def test_lg_10_4_the_bounds_themselves_are_accepted():
    state = table(P(70, tally=1), P(300, tally=2), lots={0: [3, 9], 1: [7]})
    for move in (
        propose(1, 1, 0, 2),
        propose(1, 300, 300, 5, 3, 9),
        propose(1, 70, 70, 3, 7, role="lend"),
    ):
        assert is_listed(legal(state), move)
        assert names(decide(state, move)) == ["LoanProposed"]


def test_lg_10_4_a_finished_player_lends_but_does_not_borrow():
    state = table(P(tally=5), P())
    assert [offer.role for offer in offers(state)] == ["lend"]
    with refused(state, "borrower-finished", "LG-10.4"):
        decide(state, propose(1, 10, 0, 5))
    state = table(P(), P(tally=5))
    assert [offer.role for offer in offers(state)] == ["borrow"]
    with refused(state, "borrower-finished", "LG-10.4"):
        decide(state, propose(1, 10, 0, 5, role="lend"))


def test_lg_10_4_in_debt_one_only_borrows():
    state = thrown(table(P(4), P()), 1, 1)
    assert [offer.role for offer in offers(state)] == ["borrow"]
    with refused(state, "no-lending-in-debt", "LG-10.4"):
        decide(state, propose(1, 4, 0, 5, role="lend"))


def test_lg_10_4_no_player_loans_at_this_table():
    state = table(P(), P(), options=QUIET)
    assert offers(state) == ()
    with refused(state, "no-player-loans", "LG-10.4"):
        decide(state, propose(1, 10))


def test_lg_10_4_refused_terms_are_not_proposed_again_in_the_turn():
    state = table(P(), P(), lots={0: [3, 9]})
    state = after(state, propose(1, 10, 1, 2, 3, 9), REFUSE)
    again = propose(1, 10, 1, 2, 9, 3)
    assert not is_listed(legal(state), again)
    with refused(state, "terms-refused", "LG-10.4"):
        decide(state, again)
    assert is_listed(legal(state), propose(1, 10, 1, 2, 3))
    state = thrown(thrown(state, 1, 1), 1, 1)
    assert is_listed(legal(state), again)


def test_lg_10_4_terms_that_were_accepted_may_be_proposed_again():
    state = after(table(P(), P()), propose(1, 10, 1, 2), ACCEPT)
    assert is_listed(legal(state), propose(1, 10, 1, 2))


def test_lg_10_4_an_offer_all_of_whose_terms_were_refused_is_no_longer_listed():
    state = table(P(0), P(1), options={"rounds": 1})
    state = after(state, propose(1, 1, 0, 1), REFUSE)
    assert legal(state)[-1].sample(Chance(bytes(32))) == propose(1, 1, 1, 1)
    state = after(state, propose(1, 1, 1, 1), REFUSE)
    assert legal(state) == (THROW,)
    with refused(state, "terms-refused", "LG-10.4"):
        decide(state, propose(1, 1, 1, 1))


def test_lg_10_5_the_other_is_asked_and_play_returns():
    state = thrown(table(P(at=4), P(), lots={0: [22]}), 1, 2)
    asked = after(state, propose(1, 100, 5, 2, 22))
    assert GAME.active_seats(asked) == {1}
    assert (asked.turn, asked.phase) == (0, "loan_reply")
    view = GAME.view(asked, 1)
    assert (view.asked.seat, view.asked.kind) == (1, "loan_reply")
    assert view.asked.proposal.principal == 100
    accepted = after(asked, ACCEPT)
    assert (accepted.phase, accepted.turn, cash(accepted)) == ("lot_choice", 0, [300, 100])
    assert accepted.player_loans == (PlayerLoan(1, 0, 1, 100, 5, 2, (22,)),)
    assert "borrow_bank" not in kinds(accepted)  # the lot is mortgaged
    assert after(asked, REFUSE).phase == "lot_choice"
    with refused(asked, "not-asked", "LG-1.6"):
        GAME.check(asked, 0, RENT)


def test_lg_10_5_who_lends_pays_and_the_other_s_lots_are_mortgaged():
    state = after(table(P(), P(), lots={1: [7]}), propose(1, 80, 4, 3, 7, role="lend"), ACCEPT)
    assert cash(state) == [120, 280]
    assert state.player_loans == (PlayerLoan(1, 1, 0, 80, 4, 3, (7,)),)


def test_lg_10_6_interest_at_each_passing_and_all_in_the_due_round():
    loan = owed(1, 0, 1, 50, 7, 2, 5)
    state = table(P(at=39), P(), lots={0: [5]}, player_loans=(loan,))
    state = thrown(state, 1, 2)
    assert cash(state) == [200 + 100 - 7 - 5, 207]
    assert state.player_loans == (loan,)
    state = table(P(at=39, tally=1), P(), lots={0: [5]}, player_loans=(loan,))
    state = thrown(state, 1, 2)
    assert cash(state) == [200 + 100 - 57 - 5, 257]
    assert (state.player_loans, state.owners[4]) == ((), 0)


def test_lg_10_6_security_may_be_surrendered_instead_of_borrowing():
    state = table(P(0, at=39), P(), lots={0: [5, 22]}, player_loans=(owed(1, 0, 1, 150, 0, 1, 5),))
    state = thrown(state, 1, 2)
    assert {"surrender_security", "borrow_bank"} <= kinds(state)
    surrendered = after(state, SURRENDER)
    assert surrendered.owners[4] == 1
    assert surrendered.player_loans == ()
    assert surrendered.players[0].place == "board"
    assert cash(surrendered) == [95, 200]
    assert cash(after(state, borrow(1, 22))) == [45, 350]


def test_lg_10_6_of_an_unsecured_loan_missed_interest_is_lost_and_a_missed_principal_closes():
    state = table(P(0, at=39), P(), player_loans=(owed(1, 0, 1, 500, 101, 3),), options=QUIET)
    state = thrown(state, 1, 2)
    assert [loan.number for loan in state.player_loans] == [1]
    assert cash(state) == [0, 300]
    state = table(P(0, at=39), P(), player_loans=(owed(1, 0, 1, 500, 101, 1),), options=QUIET)
    assert thrown(state, 1, 2).player_loans == ()


def test_lg_10_7_early_repayment_saves_the_interest():
    loan = owed(1, 0, 1, 50, 7, 1, 5)
    before = table(P(at=39), P(), lots={0: [5]}, player_loans=(loan,))
    events = decide(before, RepayLoan(loan=1))
    assert one(events, LoanRepaid).principal == 50
    state = thrown(after(before, RepayLoan(loan=1)), 1, 2)
    assert cash(state) == [200 - 50 + 100 - 5, 250]
    assert state.player_loans == ()


@pytest.mark.parametrize(
    ("loan", "code"), [(2, "no-such-loan"), (3, "no-such-loan"), (1, "loan-too-dear")]
)
def test_lg_10_7_only_own_loans_and_for_cash(loan, code):
    loans = (owed(1, 0, 1, 201, 7, 1), owed(2, 1, 0, 5, 0, 1))
    state = table(P(), P(), player_loans=loans)
    assert RepayLoan(loan=loan) not in legal(state)
    with refused(state, code, "LG-10.7"):
        decide(state, RepayLoan(loan=loan))


def test_lg_10_8_no_move_changes_sells_or_forgives_a_loan():
    tags = {move.__struct_config__.tag for move in GAME.move_types if "loan" in str(move).lower()}
    assert tags == {"propose_loan", "accept_loan", "refuse_loan", "repay_loan"}


def test_lg_10_9_one_series_of_numbers_never_used_again():
    state = table(P(), P(), lots={0: [22]})
    state = after(state, borrow(1, 22), propose(1, 5, 0, 2), ACCEPT, RepayBank(loan=1, notes=1))
    state = after(state, borrow(1, 22))
    assert [loan.number for loan in state.bank_loans + state.player_loans] == [3, 2]
    assert state.loans_made == 3


def test_lg_10_10_a_surrender_for_missed_interest_closes_the_loan():
    state = table(
        P(0, at=39),
        P(),
        lots={0: [5]},
        player_loans=(owed(1, 0, 1, 150, 140, 4, 5),),
        options=QUIET,
    )
    events = decide(state, THROW, 1, 2)
    assert one(events, SecuritySurrendered) == SecuritySurrendered(
        seat=0, loan=1, lender=1, lots=(5,)
    )
    state = thrown(state, 1, 2)
    assert (state.player_loans, cash(state)) == ((), [95, 200])


def test_lg_10_10_a_secured_loan_with_nothing_due_is_untouched_by_the_poor_house():
    loans = (owed(1, 0, 1, 500, 0, 1), owed(2, 0, 1, 5, 0, 4, 5))
    state = table(P(0, at=39), P(), lots={0: [5]}, player_loans=loans)
    state = after(thrown(state, 1, 2), POORHOUSE)
    assert [loan.number for loan in state.player_loans] == [2]
    assert state.owners[4] == 0
