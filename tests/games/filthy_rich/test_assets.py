"""FR-14.3: the assets, in the ordinary case and at their limits."""

import pytest

from services.games.filthy_rich import moves as m
from services.games.filthy_rich.evolve import fold
from services.games.filthy_rich.story import Story
from services.games.filthy_rich.turns import begin_turn
from tests.games.filthy_rich.table import (
    after,
    chance,
    decide,
    legal,
    open_,
    paid,
    places,
    refused,
    sign,
    table,
)

COPYCAT = "B06-1"


def start(state, seat):
    """What is paid in P0 of the seat's turn."""
    story = Story(state, chance())
    begin_turn(story, seat)
    return paid(story.events)


def test_s01_yakuza_loan_brings_twelve_dollars():
    state = table(0, 10, hands={0: "S01-1 A10-1"})
    assert paid(decide(state, 0, m.PlayAsset("S01-1"))) == [(None, 0, 12, "loan")]


def test_fr_14_3_2_a_loan_can_be_repaid_with_twelve_dollars():
    state = table(12, 10, assets={0: "S01-1 S06-1"})
    assert legal(state, 0, m.RepayLoan) == [m.RepayLoan("S01-1")]
    events = decide(state, 0, m.RepayLoan("S01-1"))
    assert paid(events) == [(0, None, 12, "repayment")]
    then = fold(state, events)
    assert (then.assets[0], then.discard) == (("S06-1",), ("S01-1",))
    assert then.actions_left == 2


def test_fr_14_3_2_only_an_own_loan_and_each_copy_separately():
    state = table(30, 30, assets={0: "S01-1 S06-1", 1: "S01-2"})
    for card in ("S01-2", "S06-1", "S01", "B02-1"):
        with refused(state, "not-your-loan", "FR-14.3.2"):
            decide(state, 0, m.RepayLoan(card))
    state = table(20, 30, assets={0: "S01-1 S01-2"})
    assert len(legal(state, 0, m.RepayLoan)) == 2
    state = after(state, (0, m.RepayLoan("S01-2")))
    assert state.assets[0] == ("S01-1",)
    assert legal(state, 0, m.RepayLoan) == []
    with refused(state, "loan-too-dear", "FR-14.3.2"):
        decide(state, 0, m.RepayLoan("S01-1"))


def test_s02_protection_racket_takes_from_all_with_a_business():
    signs = [sign(1, "B02-1", 4, "1"), sign(1, "B01-1", 1, "1"), sign(3, "B04-1", 1, "2")]
    state = table(5, 5, 5, 0, assets={0: "S02-1"}, signs=signs)
    assert start(state, 0) == [(1, 0, 1, "protection_racket")]
    assert start(state, 1) == []
    none = table(5, 5, assets={0: "S02-1"})
    assert start(none, 0) == []


def test_fr_14_3_1_each_racket_is_worked_off_completely():
    signs = [sign(1, "B02-1", 4, "1"), sign(2, "B01-1", 1, "1")]
    state = table(5, 2, 1, assets={0: "S02-1 S02-2"}, signs=signs)
    assert [(payer, amount) for payer, _, amount, _ in start(state, 0)] == [(1, 1), (2, 1), (1, 1)]


@pytest.mark.parametrize(("leases", "each"), [("", 2), ("S03-1", 1), ("S03-1 S03-2", 0)])
def test_s03_street_lease_lowers_the_compensation(leases, each):
    under = [sign(1, "B02-1", 1, "1"), sign(1, "B04-1", 1, "4")]
    state = table(30, 0, hands={0: COPYCAT}, assets={0: leases}, page=2, signs=under)
    money = paid(decide(state, 0, open_(COPYCAT, "1 4")))
    assert sum(amount for _, payee, amount, _ in money if payee == 1) == 2 * each


def test_s03_street_lease_counts_for_what_can_be_paid():
    under = [sign(1, "B02-1", 1, "1")]
    state = table(8, 0, hands={0: COPYCAT}, page=2, signs=under)
    assert "1 4" not in places(state, 0, COPYCAT)
    state = table(8, 0, hands={0: COPYCAT}, assets={0: "S03-1"}, page=2, signs=under)
    assert "1 4" in places(state, 0, COPYCAT)
    state = table(8, 0, hands={0: COPYCAT}, assets={1: "S03-1"}, page=2, signs=under)
    assert "1 4" not in places(state, 0, COPYCAT)


def test_s06_rich_uncle_pays_the_owner_at_the_start_of_the_turn():
    state = table(5, 5, assets={0: "S06-1 S06-2"})
    assert start(state, 0) == [(None, 0, 1, "rich_uncle")] * 2
    assert start(state, 1) == []
