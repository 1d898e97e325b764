"""FR-7, FR-8 and FR-11.1 to 11.3: taxes, sales and knockouts."""

import pytest

from services.games.filthy_rich import GAME
from services.games.filthy_rich import moves as m
from services.games.filthy_rich.assets import tax_due
from services.games.filthy_rich.events import GameEnded, SeatKnockedOut, TaxBegan
from services.games.filthy_rich.evolve import fold
from tests.games.filthy_rich.table import (
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

HUT, MOTORS = sign(0, "B02-1", 1, "1"), sign(0, "B09-1", 1, "3 6 9")


def taxed(*cash: int, tens: int = 1, **more):
    """The first tax procedure of a roll with so many 10s has begun."""
    state = ready(*cash, **{"page": tens, **more})
    return after(state, (state.player, m.ROLL, dice(*[10] * tens)))


def done(state, *seats):
    for seat in seats:
        state = after(state, (seat, m.TAX_DONE))
    return state


@pytest.mark.parametrize(("faces", "count"), [((5, 5), 0), ((10, 5), 1), ((10, 10), 2)])
def test_fr_7_1_one_procedure_for_each_10(faces, count):
    state = ready(10, 10, page=2)
    events = decide(state, 0, m.ROLL, dice(*faces))
    assert ("TaxBegan" in tags(events)) == (count > 0)
    procedures = 0
    state = fold(state, events)
    while state.tax:
        procedures += 1
        state = done(state, 0, 1)
    assert procedures == count
    assert state.turn == 10


def test_fr_7_1_a_tax_holiday_stops_them_all():
    state = ready(10, 10, page=2, tax_holiday=True)
    assert "TaxBegan" not in tags(decide(state, 0, m.ROLL, dice(10, 10)))


def test_fr_7_2_all_active_players_take_part():
    state = taxed(10, 10, 10, 10, player=2, out=(1,), hands={1: ""})
    assert state.tax.order == (2, 3, 0)


def test_fr_7_3_tax_income_comes_first_in_order():
    loophole = sign(2, "B07-1", 4, "1 2")
    state = ready(0, 0, 0, player=1, assets={0: "S05-1 S05-2"}, signs=[loophole])
    events = decide(state, 1, m.ROLL, dice(10))
    assert paid(events) == [(None, 2, 3, "tax_income"), (None, 0, 4, "tax_income")]


def test_fr_14_2_3_loophole_pays_even_if_it_is_not_visible():
    state = ready(0, 0, signs=[sign(1, "B07-1", 4, "1 2")])
    assert (None, 1, 3, "tax_income") in paid(decide(state, 0, m.ROLL, dice(10)))


def test_fr_7_4_one_decides_after_the_other():
    state = taxed(10, 10, 10, player=1, signs=[HUT])
    for seat in (1, 2, 0):
        assert GAME.active_seats(state) == {seat}
        assert GAME.view(state, 0).asked.seat == seat
        others = {0, 1, 2} - {seat}
        assert all(legal(state, other) == [] for other in others)
        state = done(state, seat)
    assert state.turn == 10


def test_fr_7_4_sales_are_made_one_at_a_time():
    state = taxed(10, 10, signs=[HUT, MOTORS])
    assert legal(state, 0) == [m.TAX_DONE, m.TaxSell("B02"), m.TaxSell("B09")]
    state = after(state, (0, m.TaxSell("B09")))
    assert state.cash[0] == 16
    assert legal(state, 0) == [m.TAX_DONE, m.TaxSell("B02")]
    for business in ("B09", "B01", "?"):
        with refused(state, "not-your-business", "FR-7.4"):
            decide(state, 0, m.TaxSell(business))
    with refused(state, "not-now", "FR-4.9"):
        decide(state, 0, m.SellBusiness("B02"))


def test_fr_7_5_and_15_7_who_cannot_pay_must_sell():
    state = taxed(1, 10, signs=[HUT, MOTORS])
    assert GAME.view(state, 0).asked.tax == 3
    assert legal(state, 0) == [m.TaxSell("B02"), m.TaxSell("B09")]
    with refused(state, "sell-first", "FR-7.5"):
        decide(state, 0, m.TAX_DONE)
    state = after(state, (0, m.TaxSell("B09")))
    assert (state.cash[0], tax_due(state, 0)) == (7, 1)
    assert m.TAX_DONE in legal(state, 0)


@pytest.mark.parametrize(
    ("more", "due"),
    [
        ({"signs": [HUT, MOTORS]}, 3),
        ({"signs": [sign(0, "B09-1", 4, "3 6 9")]}, 2),  # not visible
        ({"luxuries": {0: "L02 L12"}}, 4),
        ({"assets": {0: "S01-1 S02-1 S07-1"}}, 5),
        ({"assets": {0: "S01-1 S04-1"}}, 1),
        ({"assets": {0: "S01-1 S04-1 S04-2"}}, 0),
        ({"hands": {0: "S01-1 B11-1"}}, 0),
    ],
)
def test_fr_7_6_tax_due(more, due):
    state = taxed(20, 10, **more)
    assert tax_due(state, 0) == due
    assert GAME.view(state, 1).tax_due[0] == due


def test_fr_7_7_all_pay_in_order():
    state = taxed(10, 10, player=1, luxuries={0: "L01", 1: "L02"})
    state = done(state, 1)
    assert paid(decide(state, 0, m.TAX_DONE)) == [(1, None, 2, "tax"), (0, None, 1, "tax")]


def test_fr_7_7_who_has_just_enough_pays_it_all_and_stays():
    state = done(taxed(2, 10, luxuries={0: "L02"}), 0)
    events = decide(state, 1, m.TAX_DONE)
    assert paid(events)[0] == (0, None, 2, "tax")
    assert fold(state, events).out == ()


def test_fr_7_7_who_has_too_little_pays_nothing_and_is_out():
    state = done(taxed(10, 1, 10, luxuries={1: "L02"}), 0, 1)
    events = decide(state, 2, m.TAX_DONE)
    assert paid(events)[0] == (1, None, 1, "estate")
    assert first(events, SeatKnockedOut).seat == 1
    assert fold(state, events).out == (1,)


def test_fr_7_7_and_15_9_if_nobody_can_pay_the_last_in_order_survives():
    state = done(taxed(0, 0, luxuries={0: "L02", 1: "L01"}), 0)
    events = decide(state, 1, m.TAX_DONE)
    assert tags(events) == ["SalesEnded", "SeatKnockedOut", "GameEnded"]
    state = fold(state, events)
    assert GAME.outcome(state).ranking == ((1,), (0,))
    assert GAME.outcome(state).reason == "last_one_left"


def test_fr_7_8_auctions_follow_in_order_of_knockout():
    state = taxed(0, 30, 0, 30, player=2, luxuries={2: "L02", 0: "L03 L01"})
    state = done(state, 2, 3, 0, 1)
    assert state.out == (2, 0)
    assert [(lot.luxury, lot.loser) for lot in state.lots] == [("L02", 2), ("L01", 0), ("L03", 0)]


def test_fr_7_9_a_turn_player_who_is_out_draws_no_cards():
    state = ready(0, 10, 10, page=2, luxuries={0: "L02"}, hands={0: "A01-1 A02-1 A03-1"})
    state = done(after(state, (0, m.ROLL, dice(10, 10))), 0, 1, 2)
    assert state.out == (0,)
    assert state.auction is not None
    state = after(state, (1, m.PASS), (2, m.PASS))
    assert state.tax.order == (1, 2)  # the second procedure, from the next seat on
    state = done(state, 1)
    events = decide(state, 2, m.TAX_DONE, dice(page=3))
    assert "PageRolled" in tags(events)
    assert "CardDrawn" not in tags(events)
    assert fold(state, events).player == 1


def test_fr_15_6_two_tens_cost_twice_with_a_chance_to_sell_before_each():
    state = taxed(10, 10, tens=2, signs=[HUT, MOTORS])
    state = done(state, 0, 1)
    assert state.cash[0] == 7
    assert GAME.active_seats(state) == {0}
    state = after(state, (0, m.TaxSell("B09")))
    assert done(state, 0, 1).cash[0] == 7 + 6 - 1


def test_fr_15_8_a_player_with_only_a_luxury_is_knocked_out():
    state = taxed(0, 9, 20, luxuries={0: "L02"})
    assert legal(state, 0) == [m.TAX_DONE]
    state = done(state, 0, 1, 2)
    assert state.out == (0,)
    assert GAME.active_seats(state) == {1}
    assert legal(state, 1) == [m.PASS, m.BidRange(9, 9)]


def test_fr_4_11_default_moves_of_a_tax_procedure():
    state = taxed(1, 10, signs=[HUT, MOTORS])
    assert GAME.time_out(state, 0, chance()) == decide(state, 0, m.TaxSell("B02"))
    state = taxed(10, 10, signs=[HUT, MOTORS])
    assert GAME.time_out(state, 0, chance()) == decide(state, 0, m.TAX_DONE)


# --- FR-8: selling


@pytest.mark.parametrize(
    ("card", "where", "value"),
    [("B01-1", "1", 4), ("B02-1", "1", 2), ("B05-1", "1 4", 4), ("B10-1", "1 2 3", 6),
     ("B11-1", "1 2 4 5", 8)],
)  # fmt: skip
def test_fr_8_2_two_dollars_a_sign_card_and_books_two_more(card, where, value):
    state = table(0, 10, signs=[sign(0, card, 4, where)])
    events = decide(state, 0, m.SellBusiness(card[:3]))
    assert paid(events) == [(None, 0, value, "sale")]
    then = fold(state, events)
    assert then.signs == ()
    assert then.discard == (card,)
    assert GAME.view(then, 1).sign_supply.count(card[:3]) == len(where.split())


def test_fr_14_2_2a_books_pay_two_dollars_more_in_every_sale():
    books = sign(0, "B01-1", 4, "1")
    assert paid(decide(table(0, 9, signs=[books]), 0, m.SellBusiness("B01")))[0][2] == 4
    assert paid(decide(taxed(0, 9, signs=[books]), 0, m.TaxSell("B01")))[0][2] == 4
    zoned = table(0, 9, hands={1: "A03-1"}, player=1, signs=[books])
    assert paid(decide(zoned, 1, act("A03-1", business="B01"))) == [(None, 0, 4, "sale")]


def test_fr_14_2_4_the_copies_of_a_type_share_one_sign():
    state = table(30, 30, hands={0: "B06-2 B06-3 A10-1"}, signs=[sign(0, "B06-1", 1, "1 4")])
    assert legal(state, 0, m.PlayBusiness) == []
    state = after(state, (0, m.SellBusiness("B06")))
    assert {move.card for move in legal(state, 0, m.PlayBusiness)} == {"B06-2", "B06-3"}


def test_fr_8_1_only_own_businesses_in_the_own_turn():
    signs = [sign(0, "B02-1", 4, "1"), sign(1, "B01-1", 1, "1")]
    for state in (table(0, 0, signs=signs), ready(0, 0, signs=signs)):
        assert legal(state, 0, m.SellBusiness) == [m.SellBusiness("B02")]
        with refused(state, "not-your-business", "FR-8.1"):
            decide(state, 0, m.SellBusiness("B01"))
        with refused(state, "not-asked", "FR-4.10"):
            decide(state, 1, m.SellBusiness("B01"))


def test_fr_8_3_nothing_but_businesses_can_be_sold():
    state = table(0, 0, assets={0: "S04-1 S01-1"}, luxuries={0: "L12"})
    assert legal(state, 0, m.SellBusiness) == []
    for thing in ("S04", "S04-1", "L12"):
        with refused(state, "not-your-business", "FR-8.1"):
            decide(state, 0, m.SellBusiness(thing))


def test_fr_8_4_a_business_may_be_sold_in_the_turn_of_its_opening_and_opened_again():
    state = table(8, 10, hands={0: "B01-1 B01-2"})
    state = after(
        state, (0, open_("B01-1", "1")), (0, m.SellBusiness("B01")), (0, open_("B01-2", "1"))
    )
    assert state.cash[0] == 8 - 3 + 4 - 3
    assert state.signs[0].card == "B01-2"


# --- FR-11.1 to 11.3: knockout


def test_fr_11_1_nobody_is_out_before_the_payment():
    state = taxed(0, 10, luxuries={0: "L02"})
    state = done(state, 0)
    assert state.out == ()


def test_fr_11_2_a_knocked_out_player_keeps_nothing():
    state = taxed(
        10, 1, 10, assets={1: "S01-1 S02-1"}, luxuries={1: "L03 L02"}, hands={1: "A01-1 B01-1"}
    )
    state = done(state, 0, 1)
    events = decide(state, 2, m.TAX_DONE)
    out = first(events, SeatKnockedOut)
    assert out.cards == ("A01-1", "B01-1", "S01-1", "S02-1")
    assert out.luxuries == ("L02", "L03")  # in order of their auction
    state = fold(state, events)
    assert (state.hands[1], state.assets[1], state.luxuries[1], state.cash[1]) == ((), (), (), 0)
    assert set(out.cards) <= set(state.discard)
    assert not [s for s in state.signs if s.owner == 1]


def test_fr_11_2_signs_left_at_a_knockout_go_back_without_payment():
    from services.games.filthy_rich.story import Story
    from services.games.filthy_rich.taxes import knock_out

    story = Story(table(10, 0, 10, signs=[sign(1, "B11-1", 1, "1 2 4 5")]), chance())
    knock_out(story, 1)
    assert paid(story.events) == []
    assert story.state.signs == ()
    assert "B11-1" in story.state.discard


def test_fr_11_3_the_last_one_left_wins_at_once_and_auctions_are_cancelled():
    state = done(taxed(0, 0, 10, player=0, luxuries={0: "L02", 1: "L03"}), 0, 1)
    events = decide(state, 2, m.TAX_DONE)
    assert first(events, GameEnded) == GameEnded("last_one_left", 2)
    assert "AuctionOpened" not in tags(events)
    state = fold(state, events)
    assert [lot.luxury for lot in state.lots] == ["L02", "L03"]
    assert GAME.active_seats(state) == frozenset()


def test_fr_11_3_the_last_one_left_need_not_have_paid():
    state = done(taxed(0, 0, luxuries={0: "L02", 1: "L12"}), 0)
    state = done(state, 1)
    assert GAME.outcome(state).ranking[0] == (1,)


def test_fr_14_4_an_audit_is_a_procedure_for_one_alone():
    state = table(10, 10, 10, hands={0: "A01-1 A10-1"}, assets={1: "S05-1"}, signs=[MOTORS])
    state = after(state, (0, act("A01-1", target=1)))
    assert state.tax.order == (1,)
    events = decide(state, 1, m.TAX_DONE)
    assert tags(events) == ["SalesEnded", "TaxEnded", "ActionFinished"]
    assert first(decide(table(9, 9, hands={0: "A01-1"}), 0, act("A01-1", target=1)), TaxBegan)
