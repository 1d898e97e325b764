"""FR-4, FR-5, FR-9 and FR-10: the course of a turn."""

import pytest

from services.games.filthy_rich import GAME
from services.games.filthy_rich import moves as m
from services.games.filthy_rich.events import (
    ActionSkipped,
    CardDrawn,
    DiceRolled,
    PageRolled,
    PileReshuffled,
    TurnBegan,
)
from services.games.filthy_rich.evolve import fold
from tests.games.filthy_rich.table import (
    DECK,
    act,
    after,
    chance,
    decide,
    dice,
    first,
    legal,
    open_,
    paid,
    ready,
    refused,
    sign,
    table,
    tags,
)

HUT, MOTORS, EMPORIUM = "B02-1", "B09-1", "B11-1"


def shopping(*cash: int, **more):
    return table(*cash, **{"phase": "luxury", **more})


def kinds(state, seat=0):
    return {type(move).__name__ for move in legal(state, seat)}


def test_fr_4_1_uncles_come_before_rackets_at_the_start_of_a_turn():
    state = ready(
        10, 10, 10,
        assets={1: "S02-1 S06-1 S06-2"}, signs=[sign(0, HUT, 1, "1"), sign(2, "B04-1", 1, "9")],
    )  # fmt: skip
    events = decide(state, 0, m.ROLL, dice(5))
    begun = events[[type(e) for e in events].index(TurnBegan) :]
    assert paid(begun) == [
        (None, 1, 1, "rich_uncle"),
        (None, 1, 1, "rich_uncle"),
        (2, 1, 1, "protection_racket"),
        (0, 1, 1, "protection_racket"),
    ]
    assert after(state, (0, m.ROLL, dice(5))).phase == "luxury"


def test_fr_4_2_free_moves_use_up_nothing():
    more = {"signs": [sign(0, HUT, 1, "1"), sign(0, "B04-1", 1, "2")], "assets": {0: "S01-1"}}
    for state in (shopping(20, 10, **more), table(20, 10, **more), ready(20, 10, **more)):
        assert {"SellBusiness", "RepayLoan"} <= kinds(state)
        then = after(state, (0, m.SellBusiness("B02")), (0, m.RepayLoan("S01-1")))
        assert (then.phase, then.actions_left) == (state.phase, state.actions_left)
        assert [s.business for s in then.signs] == ["B04"]
        assert then.assets[0] == ()
        assert kinds(then) == kinds(state) - {"RepayLoan"}
        assert legal(state, 1) == []


def test_fr_4_3_one_luxury_may_be_bought_each_turn():
    state = shopping(20, 10)
    assert kinds(state) == {"SkipLuxury", "BuyLuxury"}
    events = decide(state, 0, m.BuyLuxury("L03"))
    assert paid(events) == [(0, None, 12, "luxury")]
    then = fold(state, events)
    assert then.luxuries[0] == ("L03",)
    assert "L03" not in then.supply
    assert kinds(then) >= {"DiscardForOne"}
    assert not kinds(then) & {"BuyLuxury", "SkipLuxury"}
    assert kinds(after(state, (0, m.SKIP_LUXURY))) >= {"DiscardForOne"}


def test_fr_4_3_the_price_must_be_in_cash():
    state = shopping(14, 10)
    assert [move.luxury for move in legal(state, 0, m.BuyLuxury)] == ["L01", "L02", "L03"]
    with refused(state, "luxury-too-dear", "FR-4.3"):
        decide(state, 0, m.BuyLuxury("L04"))


def test_fr_4_4_any_luxury_of_the_supply_may_be_chosen():
    state = shopping(99, 10, luxuries={1: "L02"})
    assert len(legal(state, 0, m.BuyLuxury)) == 11
    for gone in ("L02", "L99"):
        with refused(state, "luxury-not-in-supply", "FR-4.4"):
            decide(state, 0, m.BuyLuxury(gone))


def test_fr_4_5_exactly_two_actions_and_none_can_be_declined():
    state = table(10, 10, hands={0: "A10-1 A10-2 B01-1 B01-2 S03-1"})
    assert kinds(state) == {"DiscardForOne", "PlayAction", "PlayAsset", "PlayBusiness"}
    once = after(state, (0, act("A10-1")))
    assert once.actions_left == 1
    assert GAME.view(once, 0).asked.count == 1
    twice = after(once, (0, act("A10-2")))
    assert kinds(twice) == {"Roll"}
    with refused(twice, "not-now", "FR-4.9"):
        decide(twice, 0, m.DiscardForOne("B01-1"))
    with refused(state, "not-now", "FR-4.9"):
        decide(state, 0, m.ROLL)


def test_fr_4_6_without_a_card_the_action_is_skipped():
    state = shopping(10, 10, hands={0: ""})
    events = decide(state, 0, m.SKIP_LUXURY)
    assert tags(events) == ["LuxurySkipped", "ActionSkipped", "ActionSkipped"]
    assert kinds(fold(state, events)) == {"Roll"}
    events = decide(table(10, 10, hands={0: HUT}), 0, m.DiscardForOne(HUT))
    assert first(events, ActionSkipped).seat == 0


def test_fr_4_7_one_can_still_sell_before_the_roll_but_not_after():
    state = ready(10, 10, signs=[sign(0, HUT, 1, "1")])
    assert kinds(state) == {"Roll", "SellBusiness"}
    rolled = after(state, (0, m.ROLL, dice(5)))
    with refused(rolled, "not-asked", "FR-4.10"):
        decide(rolled, 0, m.SellBusiness("B02"))


def test_fr_4_8_the_turn_passes_to_the_next_active_player():
    state = ready(10, 10, 10, 10, player=2, out=(3,), hands={3: ""})
    then = after(state, (2, m.ROLL, dice(5)))
    assert (then.player, then.turn, then.phase) == (0, 10, "luxury")


def test_fr_4_10_exactly_one_seat_is_asked():
    state = shopping(10, 10, 10)
    assert GAME.active_seats(state) == {0}
    for seat in (1, 2):
        assert legal(state, seat) == []
        with refused(state, "not-asked", "FR-4.10"):
            decide(state, seat, m.SKIP_LUXURY)


@pytest.mark.parametrize(
    ("state", "move"),
    [
        (shopping(99, 10), m.SKIP_LUXURY),
        (table(10, 10, hands={0: "S03-1 A10-2 A10-1 B01-1"}), m.DiscardForOne("A10-1")),
        (ready(10, 10), m.ROLL),
    ],
)
def test_fr_4_11_default_moves_of_a_turn(state, move):
    assert GAME.time_out(state, 0, chance()) == decide(state, 0, move)


def test_fr_5_1_any_card_can_be_discarded_for_a_dollar():
    state = table(0, 10, hands={0: "A01-1 B11-1 S01-1"})
    assert len(legal(state, 0, m.DiscardForOne)) == 3
    events = decide(state, 0, m.DiscardForOne("B11-1"))
    assert paid(events) == [(None, 0, 1, "discard")]
    assert fold(state, events).discard == ("B11-1",)
    with refused(state, "card-not-in-hand", "FR-5.1"):
        decide(state, 0, m.DiscardForOne("B11-2"))


def test_fr_5_2_opening_a_business():
    state = table(20, 10, hands={0: "B09-1 A10-1"})
    events = decide(state, 0, open_(MOTORS, "2 5 8"))
    assert tags(events) == ["MoneyPaid", "BusinessOpened"]
    then = fold(state, events)
    assert then.signs == (sign(0, MOTORS, 1, "2 5 8"),)
    assert MOTORS not in then.hands[0]
    assert "B09" not in GAME.view(then, 1).sign_supply
    for card in ("A10-1", "B02-1", "S03-1", "nonsense"):
        with refused(state, "not-a-business-in-hand", "FR-5.2"):
            decide(state, 0, open_(card, "1"))


def test_fr_5_2_compensation_is_paid_clockwise_from_the_left():
    signs = [sign(0, "B01-1", 1, "2"), sign(1, "B02-1", 1, "5"), sign(3, "B03-1", 1, "8")]
    state = table(20, 20, 20, 20, player=2, page=2, hands={2: "B09-1 A10-1"}, signs=signs)
    assert paid(decide(state, 2, open_(MOTORS, "2 5 8"))) == [
        (2, None, 13, "business"),
        (2, 3, 2, "compensation"),
        (2, 0, 2, "compensation"),
        (2, 1, 2, "compensation"),
    ]


def test_fr_5_3_laying_down_an_asset():
    state = table(6, 10, hands={0: "S07-1 S04-1 A10-1"})
    then = after(state, (0, m.PlayAsset("S07-1")))
    assert then.cash == (0, 10)
    assert then.assets[0] == ("S07-1",)
    with refused(then, "asset-too-dear", "FR-5.3"):
        decide(then, 0, m.PlayAsset("S04-1"))
    for card in ("A10-1", "S07-2", "nonsense"):
        with refused(state, "not-an-asset-in-hand", "FR-5.3"):
            decide(state, 0, m.PlayAsset(card))


def test_fr_5_4_copies_of_an_asset_add_up():
    state = table(20, 10, hands={0: "S06-1 S06-2"})
    state = after(state, (0, m.PlayAsset("S06-1")), (0, m.PlayAsset("S06-2")))
    assert state.assets[0] == ("S06-1", "S06-2")


def test_fr_5_5_an_action_card_leaves_the_hand_first_and_is_discarded_last():
    state = table(10, 10, hands={0: "A10-1 B01-1"})
    events = decide(state, 0, act("A10-1"))
    assert tags(events) == ["ActionPlayed", "MoneyPaid", "ActionFinished"]
    between = fold(state, events[:2])
    assert between.action == "A10-1"
    assert "A10-1" not in between.hands[0]
    assert between.discard == ()
    assert fold(state, events).discard == ("A10-1",)


def test_fr_5_5_a_card_without_a_target_can_only_be_discarded():
    state = table(10, 10, hands={0: "A03-1"})
    assert legal(state, 0, m.PlayAction) == []
    assert legal(state, 0, m.DiscardForOne) == [m.DiscardForOne("A03-1")]


@pytest.mark.parametrize("page", [1, 2, 3, 4])
def test_fr_5_6_assets_and_actions_go_on_any_page_and_actions_cost_nothing(page):
    state = table(5, 0, hands={0: "S06-1 A07-1"}, page=page)
    then = after(state, (0, act("A07-1")), (0, m.PlayAsset("S06-1")))
    assert then.cash == (0, 0)


def test_fr_5_7_paying_as_much_as_possible_knocks_nobody_out():
    state = table(10, 0, 1, hands={0: "A11-1 A10-1"})
    then = after(state, (0, act("A11-1")))
    assert then.cash == (11, 0, 0)
    assert then.out == ()


def test_fr_5_8_payments_are_only_cash():
    state = table(0, 0, 10, hands={0: "A11-1", 1: "B01-1 S06-1"}, assets={1: "S07-1"})
    then = after(state, (0, act("A11-1")))
    assert then.cash == (2, 0, 8)
    assert (then.hands[1], then.assets[1]) == (state.hands[1], state.assets[1])


@pytest.mark.parametrize(
    ("page", "die", "opened"), [(2, 1, 1), (2, 2, 2), (2, 4, 4), (3, 5, 3), (3, 6, 3)]
)
def test_fr_9_1_the_page_die(page, die, opened):
    state = ready(10, 10, page=page)
    events = decide(state, 0, m.ROLL, dice(*[5] * page, page=die))
    assert first(events, PageRolled) == PageRolled(die, opened)
    assert fold(state, events).page == opened


def test_fr_9_2_the_page_die_is_rolled_once_a_turn():
    events = decide(ready(10, 10), 0, m.ROLL, dice(5))
    assert sum(isinstance(event, PageRolled) for event in events) == 1


def test_fr_10_1_the_hand_is_refilled_to_five():
    state = ready(10, 10, hands={0: "A01-1 A02-1 A03-1"})
    events = decide(state, 0, m.ROLL, {**dice(5), "draw/9/1": "S08-2", "draw/9/2": "B01-1"})
    drawn = [event.card for event in events if isinstance(event, CardDrawn)]
    assert drawn == ["S08-2", "B01-1"]
    assert fold(state, events).hands[0] == ("A01-1", "A02-1", "A03-1", "B01-1", "S08-2")


def test_fr_10_1_who_holds_five_draws_none():
    state = ready(10, 10, hands={0: "A01-1 A02-1 A03-1 B01-1 B02-1"})
    assert "CardDrawn" not in tags(decide(state, 0, m.ROLL, dice(5)))


def test_fr_10_2_the_discard_pile_is_reshuffled_when_a_card_is_needed():
    hand = "A01-1 A02-1 A03-1"
    state = ready(10, 10, hands={0: hand, 1: "B02-1"}, pile="S08-2")
    events = decide(state, 0, m.ROLL, dice(5))
    assert [e for e in tags(events) if e in ("CardDrawn", "PileReshuffled")] == [
        "CardDrawn", "PileReshuffled", "CardDrawn",
    ]  # fmt: skip
    assert first(events, PileReshuffled).cards == len(state.discard)
    then = fold(state, events)
    assert then.discard == ()
    assert len(then.pile) == len(state.discard) - 1
    assert then.pool == state.discard


def test_fr_10_2_the_last_card_drawn_is_no_reason_to_reshuffle():
    state = ready(10, 10, hands={0: "A01-1 A02-1 A03-1", 1: "B02-1"}, pile="S08-1 S08-2")
    events = decide(state, 0, m.ROLL, dice(5))
    assert "PileReshuffled" not in tags(events)
    assert fold(state, events).pile == ()


def test_fr_10_2_without_any_card_the_rest_is_not_drawn():
    state = ready(10, 10, hands={0: "A01-1", 1: " ".join(DECK[1:])}, discard="")
    state = after(state, (0, m.ROLL, dice(5)))
    assert state.hands[0] == ("A01-1",)


def test_fr_10_3_a_turn_keeps_the_hand_at_five():
    state = table(10, 10, hands={0: "A10-1 A10-2 B01-1 B02-1 B03-1"})
    state = after(state, (0, act("A10-1")), (0, m.DiscardForOne("B01-1")), (0, m.ROLL, dice(5)))
    assert len(state.hands[0]) == 5


def test_fr_15_12_dice_of_a_page():
    state = table(10, 10, hands={0: "A05-1 A10-1"}, page=4)
    state = after(state, (0, act("A05-1")), (0, act("A10-1")))
    assert len(first(decide(state, 0, m.ROLL), DiceRolled).dice) == 6
    state = table(10, 10, hands={0: "A06-1 A06-2"}, page=1)
    state = after(state, (0, act("A06-1")), (0, act("A06-2")))
    assert len(first(decide(state, 0, m.ROLL), DiceRolled).dice) == 1


@pytest.mark.parametrize("order", [("A05-1", "A06-1"), ("A06-1", "A05-1")])
def test_fr_15_15_only_the_sum_of_dice_is_raised_to_one(order):
    state = table(10, 10, hands={0: "A05-1 A06-1"}, page=1)
    state = after(state, *((0, act(card)) for card in order))
    assert len(first(decide(state, 0, m.ROLL), DiceRolled).dice) == 2


def test_fr_15_13_a_business_scout_leaves_one_card_to_draw():
    state = table(10, 10, hands={0: "A02-1 B01-1 B02-1 B03-1 B04-1"})
    state = after(state, (0, act("A02-1"), {"reveal/9/1/1": "B11-1"}))
    assert len(state.hands[0]) == 5
    state = after(state, (0, m.DiscardForOne("B01-1")))
    events = decide(state, 0, m.ROLL, dice(5))
    assert tags(events).count("CardDrawn") == 1
