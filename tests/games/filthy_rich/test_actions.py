"""FR-14.4: each action card in the ordinary case, at its limits, and where it can't apply."""

import pytest

from services.games.filthy_rich import GAME
from services.games.filthy_rich import moves as m
from services.games.filthy_rich.events import (
    BusinessTakenOver,
    CardGiven,
    CardRevealed,
    CardScouted,
    CardTaken,
    DiceRolled,
    SignMoved,
)
from services.games.filthy_rich.evolve import fold
from services.games.filthy_rich.state import Spied
from tests.games.filthy_rich.table import (
    DECK,
    act,
    after,
    chance,
    decide,
    dice,
    first,
    legal,
    paid,
    refused,
    sign,
    table,
    tags,
)

HUT, TORNADO = sign(1, "B02-1", 1, "1"), sign(1, "B05-1", 1, "2 5")


def plays(state, card):
    return [move for move in legal(state, 0, m.PlayAction) if move.card == card]


# --- A01 IRS Audit


def test_a01_audits_any_other_active_player():
    state = table(10, 10, 10, 10, hands={0: "A01-1", 2: ""}, out=(2,))
    assert [move.target for move in plays(state, "A01-1")] == [1, 3]
    for target in (0, 2, 4, -1):
        with refused(state, "wrong-target", "FR-14.4"):
            decide(state, 0, act("A01-1", target=target))


def test_a01_is_not_stopped_by_a_tax_holiday():
    state = table(10, 10, hands={0: "A01-1"}, luxuries={1: "L02"}, tax_holiday=True)
    state = after(state, (0, act("A01-1", target=1)))
    assert paid(decide(state, 1, m.TAX_DONE)) == [(1, None, 2, "tax")]


def test_fr_14_4_3_the_target_decides_and_the_turn_player_waits():
    state = table(30, 10, 10, hands={0: "A01-1 A10-1"}, signs=[HUT], assets={0: "S01-1"})
    state = after(state, (0, act("A01-1", target=1)))
    assert GAME.active_seats(state) == {1}
    assert legal(state, 1) == [m.TAX_DONE, m.TaxSell("B02")]
    for move in (m.RepayLoan("S01-1"), m.ROLL, m.DiscardForOne("A10-1")):
        with refused(state, "not-asked", "FR-4.10"):
            decide(state, 0, move)
    state = after(state, (1, m.TaxSell("B02")), (1, m.TAX_DONE))
    assert GAME.active_seats(state) == {0}
    assert state.actions_left == 1


def test_fr_14_4_2_an_audit_can_knock_out_and_auctions_follow_at_once():
    state = table(
        20, 0, 20, hands={0: "A01-1 A10-1", 1: "B01-1 B02-1"}, luxuries={1: "L02"}
    )  # fmt: skip
    state = after(state, (0, act("A01-1", target=1)))
    events = decide(state, 1, m.TAX_DONE)
    assert tags(events) == ["SalesEnded", "SeatKnockedOut", "TaxEnded", "AuctionOpened"]
    state = fold(state, events)
    assert GAME.active_seats(state) == {2}
    assert state.action == "A01-1"
    assert "A01-1" not in state.discard
    assert {"B01-1", "B02-1"} <= set(state.discard)
    with refused(state, "not-asked", "FR-4.10"):
        decide(state, 0, m.DiscardForOne("A10-1"))
    events = decide(after(state, (2, m.PASS)), 0, m.PASS)
    assert tags(events) == ["BidPassed", "LuxuryRemoved", "ActionFinished"]


def test_fr_14_4_2_the_last_player_left_wins_inside_the_action():
    state = table(20, 0, hands={0: "A01-1 A10-1"}, luxuries={1: "L02"})
    state = after(state, (0, act("A01-1", target=1)), (1, m.TAX_DONE))
    assert GAME.outcome(state).reason == "last_one_left"
    assert state.action == "A01-1"  # FR-5.5: it stays where it is
    assert GAME.conserved(state)["cards"] == 73


# --- A02 Business Scout


def test_a02_reveals_until_a_business_appears():
    state = table(10, 10, hands={0: "A02-1 A10-1"})
    script = {"reveal/9/1/1": "S01-1", "reveal/9/1/2": "A12-1", "reveal/9/1/3": "B11-3"}
    events = decide(state, 0, act("A02-1"), script)
    assert tags(events) == [
        "ActionPlayed", "CardRevealed", "CardRevealed", "CardRevealed", "CardScouted",
        "ActionFinished",
    ]  # fmt: skip
    then = fold(state, events)
    assert then.hands[0] == ("A10-1", "B11-3")
    assert then.discard == ("A02-1", "A12-1", "S01-1")
    assert first(events, CardScouted).card == "B11-3"


def test_a02_finds_no_business():
    businesses = [card for card in DECK if card[0] == "B" and card != "B01-1"]
    state = table(10, 10, hands={0: "A02-1", 1: " ".join(["B01-1", *businesses])})
    events = decide(state, 0, act("A02-1"))
    then = fold(state, events)
    assert "CardScouted" not in tags(events)
    assert then.hands[0] == ()
    assert then.pile == ()
    assert len(then.discard) == 73 - 33
    assert "A02-1" in then.discard


def test_a02_reshuffles_once_without_the_cards_under_way():
    state = table(10, 10, hands={0: "A02-1", 1: "A01-1"}, pile="S01-1")
    events = decide(state, 0, act("A02-1"), {"reveal/9/1/2": "B05-1"})
    assert tags(events) == [
        "ActionPlayed", "CardRevealed", "PileReshuffled", "CardRevealed", "CardScouted",
        "ActionFinished",
    ]  # fmt: skip
    before_end = fold(state, events[:-1])
    assert not {"A02-1", "S01-1"} & set(before_end.pile)
    assert fold(state, events).discard == ("A02-1", "S01-1")


def test_a02_two_scouts_in_one_turn_draw_under_labels_of_their_own():
    state = table(10, 10, hands={0: "A02-1 A02-2"})
    state = after(state, (0, act("A02-1"), {"reveal/9/1/1": "B05-1"}))
    events = decide(state, 0, act("A02-2"), {"reveal/9/2/1": "B06-1"})
    assert first(events, CardRevealed).card == "B06-1"


# --- A03 Zoning Violation


def test_a03_sells_a_small_business_of_another_player():
    signs = [HUT, sign(0, "B04-1", 1, "9"), sign(2, "B01-1", 4, "7"), TORNADO]
    state = table(10, 10, 10, hands={0: "A03-1"}, signs=signs)
    assert [move.business for move in plays(state, "A03-1")] == ["B01", "B02"]
    events = decide(state, 0, act("A03-1", business="B01"))
    assert paid(events) == [(None, 2, 4, "sale")]  # not visible, and two dollars more
    assert "B01-1" in fold(state, events).discard
    with refused(state, "sign-too-large", "FR-14.4"):
        decide(state, 0, act("A03-1", business="B05"))
    for business in ("B04", "B11", "nonsense"):
        with refused(state, "wrong-business", "FR-14.4"):
            decide(state, 0, act("A03-1", business=business))


# --- A04 Street Fair


def test_a04_opens_another_page_at_once():
    state = table(10, 10, hands={0: "A04-1"}, page=2)
    assert [move.page for move in plays(state, "A04-1")] == [1, 3, 4]
    assert after(state, (0, act("A04-1", page=4))).page == 4
    for page in (0, 2, 5, -1):
        with refused(state, "wrong-page", "FR-14.4"):
            decide(state, 0, act("A04-1", page=page))


# --- A05 Rush Hour, A06 Road Works, A07 Tax Holiday


@pytest.mark.parametrize(
    ("cards", "count"), [(["A05-1", "A05-2"], 6), (["A06-1", "A06-2"], 1), (["A05-1", "A06-1"], 3)]
)
def test_fr_14_4_1_modifiers_add_up_and_end_with_the_turn(cards, count):
    state = table(10, 10, hands={0: " ".join(cards)}, page=2)
    state = after(state, *((0, act(card)) for card in cards))
    assert GAME.view(state, 1).dice_now == count
    events = decide(state, 0, m.ROLL, dice(*[5] * count))
    assert len(first(events, DiceRolled).dice) == count
    then = fold(state, events)
    assert (then.extra_dice, GAME.view(then, 1).dice_now) == (0, 2)


def test_a07_tens_have_no_effect_in_this_turn():
    state = table(10, 10, hands={0: "A07-1 A07-2"}, luxuries={0: "L02"})
    state = after(state, (0, act("A07-1")), (0, act("A07-2")))
    assert state.tax_holiday
    state = after(state, (0, m.ROLL, dice(10)))
    assert state.turn == 10
    assert not state.tax_holiday
    assert state.cash == (10, 10)


# --- A08 Hostile Takeover


def test_a08_pays_the_printed_cost_to_the_owner():
    state = table(12, 0, hands={0: "A08-1"}, signs=[TORNADO])
    events = decide(state, 0, act("A08-1", business="B05"))
    assert paid(events) == [(0, 1, 12, "takeover")]
    assert first(events, BusinessTakenOver) == BusinessTakenOver(0, "B05", 1)
    assert fold(state, events).signs == (sign(0, "B05-1", 1, "2 5"),)


def test_a08_needs_the_money_and_a_visible_card():
    state = table(11, 0, hands={0: "A08-1"}, signs=[TORNADO])
    assert plays(state, "A08-1") == []
    with refused(state, "takeover-too-dear", "FR-14.4"):
        decide(state, 0, act("A08-1", business="B05"))
    over = sign(0, "B06-1", 2, "2 5")
    state = table(99, 0, hands={0: "A08-1"}, signs=[TORNADO, over], page=2)
    assert plays(state, "A08-1") == []
    with refused(state, "sign-not-visible", "FR-14.4"):
        decide(state, 0, act("A08-1", business="B05"))
    with refused(state, "wrong-business", "FR-14.4"):
        decide(state, 0, act("A08-1", business="B06"))
    partly = sign(0, "B02-1", 2, "2")
    state = table(99, 0, hands={0: "A08-1"}, signs=[TORNADO, partly], page=2)
    assert [move.business for move in plays(state, "A08-1")] == ["B05"]
    ahead = sign(1, "B05-1", 3, "2 5")
    assert plays(table(99, 0, hands={0: "A08-1"}, signs=[ahead], page=2), "A08-1") == []


# --- A09 Moving Day


def test_a09_moves_an_own_sign_to_the_open_page():
    own = sign(0, "B05-1", 4, "2 5")
    state = table(0, 0, hands={0: "A09-1"}, signs=[own, HUT], page=1)
    places = ["".join(map(str, move.slots)) for move in plays(state, "A09-1")]
    assert places == ["25", "36", "47", "58", "69"]  # slot 1 is filled on the open page
    events = decide(state, 0, act("A09-1", business="B05", slots="2 5"))
    assert paid(events) == []
    assert first(events, SignMoved) == SignMoved("B05", 1, (2, 5))
    assert fold(state, events).signs[1] == sign(0, "B05-1", 1, "2 5")


def test_a09_the_position_must_change_and_own_slots_count_as_empty():
    own = sign(0, "B05-1", 1, "2 5")
    state = table(0, 0, hands={0: "A09-1"}, signs=[own], page=1)
    assert len(plays(state, "A09-1")) == 5
    assert act("A09-1", business="B05", slots="5 8") in plays(state, "A09-1")
    with refused(state, "same-position", "FR-14.4"):
        decide(state, 0, act("A09-1", business="B05", slots="5 2"))
    with refused(state, "wrong-shape", "FR-3.5"):
        decide(state, 0, act("A09-1", business="B05", slots="1 2"))


def test_a09_only_own_businesses_and_empty_slots():
    state = table(9, 9, hands={0: "A09-1"}, signs=[sign(0, "B04-1", 1, "9"), HUT])
    for business in ("B02", "B11", "nonsense"):
        with refused(state, "wrong-business", "FR-14.4"):
            decide(state, 0, act("A09-1", business=business, slots="5"))
    with refused(state, "slot-filled", "FR-3.6"):
        decide(state, 0, act("A09-1", business="B04", slots="1"))


def test_a09_and_15_16_it_is_taken_out_before_it_is_placed():
    signs = [sign(0, "B06-1", 2, "1 4"), HUT, sign(1, "B05-1", 1, "4 7")]
    state = table(4, 0, hands={0: "A09-1"}, signs=signs, page=2)
    move = act("A09-1", business="B06", slots="4 7")
    assert paid(decide(state, 0, move)) == [(0, 1, 4, "compensation")]
    poor = table(3, 0, hands={0: "A09-1"}, signs=signs, page=2)
    assert move not in plays(poor, "A09-1")
    with refused(poor, "placing-too-dear", "FR-3.10"):
        decide(poor, 0, move)


# --- A10 Insurance Payout, A11 Passing the Hat


def test_a10_four_dollars_from_the_bank():
    state = table(0, 10, hands={0: "A10-1"})
    assert paid(decide(state, 0, act("A10-1"))) == [(None, 0, 4, "insurance_payout")]


def test_a11_all_others_pay_up_to_two_dollars_clockwise():
    state = table(0, 1, 5, 0, 9, hands={2: "A11-1", 4: ""}, player=2, out=(4,))
    assert paid(decide(state, 2, act("A11-1"))) == [(1, 2, 1, "passing_the_hat")]
    state = table(3, 1, 5, 0, 9, hands={2: "A11-1"}, player=2)
    assert [part[:3] for part in paid(decide(state, 2, act("A11-1")))] == [
        (4, 2, 2), (0, 2, 2), (1, 2, 1),
    ]  # fmt: skip


# --- A12 Industrial Espionage


def spying():
    return table(10, 10, 10, hands={0: "A12-1 A10-1 B01-1", 1: "B05-1 B05-2 S01-1"})


def test_a12_takes_a_card_at_random_then_asks_which_to_give():
    state = spying()
    events = decide(state, 0, act("A12-1", target=1), {"espionage/9/1": "B05-2"})
    assert first(events, CardTaken) == CardTaken(0, 1, "B05-2")
    state = fold(state, events)
    assert state.hands[0] == ("A10-1", "B01-1", "B05-2")
    assert legal(state, 0) == [m.Give("A10-1"), m.Give("B01-1")]
    events = decide(state, 0, m.Give("B01-1"))
    assert tags(events) == ["CardGiven", "ActionFinished"]
    assert first(events, CardGiven) == CardGiven(0, 1, "B01-1")
    assert fold(state, events).hands[1] == ("B01-1", "B05-1", "S01-1")


def test_fr_14_4_4_nothing_else_may_be_done_before_the_gift():
    state = after(spying(), (0, act("A12-1", target=1)))
    for move in (m.ROLL, m.SKIP_LUXURY, m.DiscardForOne("A10-1"), act("A10-1")):
        with refused(state, "not-now", "FR-4.9"):
            decide(state, 0, move)
    for seat in (1, 2):
        assert legal(state, seat) == []


def test_fr_14_4_4_another_copy_of_the_taken_type_may_be_given():
    state = table(10, 10, hands={0: "A12-1 B05-1", 1: "B05-2"})
    state = after(state, (0, act("A12-1", target=1)))
    assert state.spied == Spied(1, "B05-2")
    assert legal(state, 0) == [m.Give("B05-1")]
    for card in ("B05-2", "B05-3", "A12-1"):
        with refused(state, "wrong-gift", "FR-14.4"):
            decide(state, 0, m.Give(card))
    assert GAME.time_out(state, 0, chance()) == decide(state, 0, m.Give("B05-1"))


def test_a12_needs_a_card_on_both_sides():
    alone = table(10, 10, hands={0: "A12-1"})
    empty = table(10, 10, hands={0: "A12-1 A10-1", 1: ""})
    for state in (alone, empty):
        assert plays(state, "A12-1") == []
        with refused(state, "nothing-to-exchange", "FR-14.4"):
            decide(state, 0, act("A12-1", target=1))
    with refused(spying(), "wrong-target", "FR-14.4"):
        decide(spying(), 0, act("A12-1", target=0))


@pytest.mark.parametrize(
    ("card", "parameters"),
    [
        ("A10-1", {"target": 1}), ("A10-1", {"page": 2}), ("A05-1", {"business": "B02"}),
        ("A01-1", {}), ("A01-1", {"target": 1, "page": 2}), ("A03-1", {"target": 1}),
        ("A04-1", {}), ("A08-1", {}), ("A09-1", {"business": "B02"}), ("A09-1", {"slots": "1"}),
        ("A12-1", {"target": 1, "slots": "1"}),
    ],
)  # fmt: skip
def test_fr_4_12_a_card_takes_exactly_its_parameters(card, parameters):
    state = table(30, 10, hands={0: f"{card} B11-1"}, signs=[HUT])
    with refused(state, "wrong-parameters", "FR-14.4"):
        decide(state, 0, act(card, **parameters))
