"""FR-3: what is seen through the open page, where signs go, and compensation."""

import pytest

from services.games.filthy_rich.binder import is_visible, seen
from services.games.filthy_rich.events import BusinessOpened
from services.games.filthy_rich.moves import PlayBusiness
from tests.games.filthy_rich.table import (
    act,
    after,
    decide,
    first,
    open_,
    paid,
    places,
    refused,
    sign,
    table,
)

BOOKS, HUT, TACOS, TICTOC = "B01-1", "B02-1", "B03-1", "B04-1"
TORNADO, COPYCAT, LOOPHOLE, PAWN = "B05-1", "B06-1", "B07-1", "B08-1"
MOTORS, BINGO, EMPORIUM = "B09-1", "B10-1", "B11-1"


def seen_at(slot: int, page: int, *signs):
    found = seen(signs, page)[slot]
    return found and found.owner


def test_fr_3_1_pages_above_the_open_one_do_not_matter():
    front = sign(0, HUT, 4, "5")
    assert [seen_at(5, page, front) for page in (1, 2, 3, 4)] == [None, None, None, 0]


def test_fr_3_2_the_frontmost_sign_card_is_seen():
    back, front = sign(0, HUT, 1, "5"), sign(1, TICTOC, 3, "5")
    assert [seen_at(5, page, back, front) for page in (1, 2, 3, 4)] == [0, 0, 1, 1]
    assert [seen_at(5, page, front, back) for page in (1, 2, 3, 4)] == [0, 0, 1, 1]
    assert seen_at(4, 4, back, front) is None


def test_fr_15_4_two_signs_at_one_slot():
    a, b = sign(0, HUT, 4, "5"), sign(1, TICTOC, 2, "5")
    assert [seen_at(5, page, a, b) for page in (1, 2, 3, 4)] == [None, 1, 1, 0]


def test_fr_3_3_ownership_does_not_matter_for_visibility():
    back, front = sign(0, HUT, 1, "5"), sign(0, TICTOC, 2, "5")
    assert not is_visible(back, (back, front), 2)
    assert is_visible(front, (back, front), 2)
    assert is_visible(back, (back, front), 1)
    assert not is_visible(front, (back, front), 1)


def test_fr_3_4_a_sign_may_be_partly_visible():
    motors, hut = sign(0, MOTORS, 1, "1 4 7"), sign(1, HUT, 2, "4")
    assert [seen_at(slot, 2, motors, hut) for slot in (1, 4, 7)] == [0, 1, 0]
    assert is_visible(motors, (motors, hut), 2)


@pytest.mark.parametrize("wrong", ["1 2", "7", "4 1 1", "1 4 7", "3 9", "0 3", "7 10", ""])
def test_fr_3_5_the_slots_must_match_the_sign(wrong):
    state = table(30, 10, hands={0: TORNADO})
    with refused(state, "wrong-shape", "FR-3.5"):
        decide(state, 0, open_(TORNADO, wrong))


def test_fr_3_5_slots_are_a_set():
    assert PlayBusiness(TORNADO, (4, 1)) == PlayBusiness(TORNADO, (1, 4))
    state = table(30, 10, hands={0: TORNADO})
    with refused(state, "wrong-shape", "FR-3.5"):
        decide(state, 0, PlayBusiness(TORNADO, (1, 1, 4)))


def test_fr_3_6_only_the_open_page_must_be_empty():
    state = table(30, 10, hands={0: HUT}, page=2, signs=[sign(0, TICTOC, 1, "5")])
    assert len(places(state, 0, HUT)) == 9
    state = after(state, (0, open_(HUT, "5")))
    assert state.signs[0].page == 2
    state = table(30, 10, hands={0: HUT}, page=2, signs=[sign(0, TICTOC, 2, "5")])
    assert "5" not in places(state, 0, HUT)
    with refused(state, "slot-filled", "FR-3.6"):
        decide(state, 0, open_(HUT, "5"))


def test_fr_3_6_a_filled_page_ahead_does_not_matter():
    state = table(30, 10, hands={0: HUT}, page=2, signs=[sign(1, TICTOC, 3, "5")])
    assert paid(decide(state, 0, open_(HUT, "5"))) == [(0, None, 5, "business")]


def test_fr_3_7_one_sign_a_business():
    for owner in (0, 1):
        state = table(30, 10, hands={0: "B02-2"}, signs=[sign(owner, HUT, 4, "1")])
        assert places(state, 0, "B02-2") == []
        with refused(state, "sign-in-binder", "FR-3.7"):
            decide(state, 0, open_("B02-2", "5"))


def test_fr_3_8_covered_signs_of_others_are_compensated():
    under = [sign(1, TICTOC, 1, "4"), sign(2, TACOS, 1, "1"), sign(0, BOOKS, 1, "5")]
    state = table(30, 10, 10, hands={0: TORNADO}, page=2, signs=under)
    events = decide(state, 0, open_(TORNADO, "1 4"))
    assert paid(events) == [
        (0, None, 12, "business"),
        (0, 1, 2, "compensation"),
        (0, 2, 2, "compensation"),
    ]
    assert paid(decide(state, 0, open_(TORNADO, "2 5"))) == [(0, None, 12, "business")]


def test_fr_3_9_compensation_counts_every_sign_card():
    state = table(30, 10, hands={0: BINGO}, page=2, signs=[sign(1, EMPORIUM, 1, "1 2 4 5")])
    assert (0, 1, 4, "compensation") in paid(decide(state, 0, open_(BINGO, "1 2 3")))
    state = table(30, 10, hands={0: MOTORS}, page=2, signs=[sign(1, "B09-2", 1, "1 4 7")])
    with refused(state, "sign-in-binder", "FR-3.7"):
        decide(state, 0, open_(MOTORS, "1 4 7"))
    state = table(30, 10, hands={0: BINGO}, page=2, signs=[
        sign(1, HUT, 1, "1"), sign(1, TICTOC, 1, "2"), sign(1, TACOS, 1, "3"),
    ])  # fmt: skip
    assert (0, 1, 6, "compensation") in paid(decide(state, 0, open_(BINGO, "1 2 3")))


def test_fr_3_10_cost_and_compensation_must_be_paid_in_cash():
    under = [sign(1, TICTOC, 1, "4")]
    state = table(13, 10, hands={0: TORNADO}, page=2, signs=under)
    assert "1 4" not in places(state, 0, TORNADO)
    assert "2 5" in places(state, 0, TORNADO)
    with refused(state, "placing-too-dear", "FR-3.10"):
        decide(state, 0, open_(TORNADO, "1 4"))
    state = table(14, 10, hands={0: TORNADO}, page=2, signs=under)
    assert after(state, (0, open_(TORNADO, "1 4"))).cash == (0, 12)


def test_fr_3_11_turning_a_page_costs_nothing():
    signs = [sign(0, HUT, 1, "5"), sign(1, TICTOC, 2, "5")]
    state = table(30, 10, hands={0: "A04-1 A10-1"}, signs=signs)
    assert paid(decide(state, 0, act("A04-1", page=2))) == []


def test_fr_15_1_tornado_cleaners_needs_two_slots_one_above_the_other():
    state = table(12, 10, hands={0: TORNADO})
    assert places(state, 0, TORNADO) == ["1 4", "2 5", "3 6", "4 7", "5 8", "6 9"]
    events = decide(state, 0, open_(TORNADO, "6 9"))
    assert paid(events) == [(0, None, 12, "business")]
    assert first(events, BusinessOpened).slots == (6, 9)
    for wrong in ("1 2", "7 8", "7 9"):
        with refused(state, "wrong-shape", "FR-3.5"):
            decide(state, 0, open_(TORNADO, wrong))


def test_fr_15_2_only_what_was_seen_is_compensated():
    m, n = sign(1, COPYCAT, 2, "6 9"), sign(2, PAWN, 1, "5 6")
    state = table(30, 0, 0, hands={0: TORNADO}, page=3, signs=[m, n])
    assert paid(decide(state, 0, open_(TORNADO, "3 6"))) == [
        (0, None, 12, "business"),
        (0, 1, 2, "compensation"),
    ]


def test_fr_15_3_own_signs_cost_nothing_and_hide_what_lies_below():
    m, n = sign(0, COPYCAT, 2, "6 9"), sign(2, PAWN, 1, "5 6")
    state = table(12, 0, 0, hands={0: TORNADO}, page=3, signs=[m, n])
    assert paid(decide(state, 0, open_(TORNADO, "3 6"))) == [(0, None, 12, "business")]


def test_fr_15_14_no_empty_block_no_emporium():
    signs = [sign(1, HUT, 2, "5")]
    state = table(30, 10, hands={0: EMPORIUM}, page=2, signs=signs)
    assert places(state, 0, EMPORIUM) == []
    with refused(state, "slot-filled", "FR-3.6"):
        decide(state, 0, open_(EMPORIUM, "1 2 4 5"))
    from services.games.filthy_rich.moves import DiscardForOne

    assert after(state, (0, DiscardForOne(EMPORIUM))).cash[0] == 31
