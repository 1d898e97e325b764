"""FR-6 and FR-14.2: the business dice and what each HIT brings."""

import pytest

from services.games.filthy_rich import moves as m
from services.games.filthy_rich.events import BusinessHit, DiceRolled
from tests.games.filthy_rich.table import after, decide, dice, first, paid, ready, sign, tags


def hit_money(state, *faces, **script):
    """What the bank and the players pay in P4, without the start of the next turn."""
    events = decide(state, 0, m.ROLL, {**dice(*faces), **script})
    whys = ("hit", "tribute", "flashing_neon", "street_vendor")
    return [part for part in paid(events) if part[3] in whys]


@pytest.mark.parametrize("page", [1, 2, 3, 4])
def test_fr_6_1_as_many_dice_as_the_open_page(page):
    faces = (1, 9, 3, 4)[:page]
    rolled = first(decide(ready(10, 10, page=page), 0, m.ROLL, dice(*faces)), DiceRolled)
    assert rolled.dice == faces


@pytest.mark.parametrize(("extra", "count"), [(2, 3), (4, 5), (-1, 1), (-2, 1), (1, 2), (-5, 1)])
def test_fr_6_1_modifiers_change_the_number_of_dice(extra, count):
    rolled = first(decide(ready(10, 10, extra_dice=extra), 0, m.ROLL), DiceRolled)
    assert len(rolled.dice) == count


def test_fr_1_7_and_1_9_any_number_of_dice_show_one_to_ten():
    rolled = first(decide(ready(10, 10, extra_dice=40), 0, m.ROLL), DiceRolled)
    assert len(rolled.dice) == 41
    assert set(rolled.dice) <= set(range(1, 11))


def test_fr_6_2_hits_come_in_rolled_order_and_tens_are_passed_over():
    signs = [sign(0, "B02-1", 1, "1"), sign(1, "B01-1", 1, "9")]
    state = ready(10, 10, page=3, signs=signs)
    events = decide(state, 0, m.ROLL, dice(9, 10, 1))
    hits = [event for event in events if isinstance(event, BusinessHit)]
    assert hits == [BusinessHit(1, 9, "B01", 1), BusinessHit(3, 1, "B02", 0)]


def test_fr_6_3_the_business_seen_is_hit_whoever_owns_it():
    signs = [sign(0, "B02-1", 1, "1"), sign(1, "B01-1", 2, "1")]
    assert hit_money(ready(10, 10, page=2, signs=signs), 1, 5) == [(None, 1, 4, "hit")]
    assert hit_money(ready(10, 10, page=1, signs=signs), 1) == [(None, 0, 4, "hit")]


def test_fr_6_4_a_business_may_be_hit_several_times():
    state = ready(10, 10, page=3, signs=[sign(1, "B05-1", 1, "1 4")])
    assert hit_money(state, 1, 4, 1) == [(None, 1, 5, "hit")] * 3


def test_fr_6_5_an_empty_slot_brings_nothing():
    state = ready(10, 10, signs=[sign(1, "B05-1", 1, "1 4")])
    assert hit_money(state, 2) == []


def test_fr_6_6_hits_do_not_change_the_binder():
    state = ready(10, 10, page=2, signs=[sign(1, "B05-1", 1, "1 4")])
    assert after(state, (0, m.ROLL, dice(1, 4))).signs == state.signs


def test_fr_6_7_and_15_5_all_hits_come_before_the_first_tax():
    state = ready(10, 10, page=3, signs=[sign(0, "B02-1", 2, "6")])
    events = decide(state, 0, m.ROLL, dice(6, 6, 10))
    assert tags(events) == [
        "DiceRolled", "BusinessHit", "MoneyPaid", "BusinessHit", "MoneyPaid", "TaxBegan",
    ]  # fmt: skip
    events = decide(state, 0, m.ROLL, dice(10, 6, 6))
    assert tags(events)[-1] == "TaxBegan"
    assert tags(events).count("BusinessHit") == 2


@pytest.mark.parametrize(
    ("card", "where", "amount"),
    [("B01-1", "1", 4), ("B02-1", "1", 4), ("B05-1", "1 4", 5), ("B06-1", "1 4", 3),
     ("B07-1", "1 2", 2), ("B09-1", "1 4 7", 4), ("B11-1", "1 2 4 5", 4)],
)  # fmt: skip
def test_fr_14_2_flat_hits(card, where, amount):
    state = ready(10, 10, signs=[sign(1, card, 1, where)])
    assert hit_money(state, 1) == [(None, 1, amount, "hit")]


def test_fr_14_2_1_svens_tacos_count_other_businesses_beside_the_slot():
    tacos = sign(0, "B03-1", 1, "5")
    assert hit_money(ready(10, 10, signs=[tacos]), 5) == [(None, 0, 3, "hit")]
    others = [sign(1, "B02-1", 1, "2"), sign(0, "B01-1", 1, "4"), sign(1, "B04-1", 1, "9")]
    assert hit_money(ready(10, 10, signs=[tacos, *others]), 5) == [(None, 0, 5, "hit")]
    around = [sign(1, "B09-1", 1, "1 4 7"), sign(1, "B06-1", 1, "6 9"), sign(1, "B02-1", 1, "2")]
    more = [*around, sign(1, "B04-1", 1, "8")]
    assert hit_money(ready(10, 10, signs=[tacos, *more]), 5) == [(None, 0, 7, "hit")]


def test_fr_14_2_1_only_what_is_seen_counts():
    signs = [sign(0, "B03-1", 1, "5"), sign(1, "B02-1", 2, "2")]
    assert hit_money(ready(10, 10, page=1, signs=signs), 5) == [(None, 0, 3, "hit")]
    assert hit_money(ready(10, 10, page=2, signs=signs), 5, 9) == [(None, 0, 4, "hit")]


@pytest.mark.parametrize("page", [1, 2, 3, 4])
def test_fr_14_2_tic_tocs_counts_the_open_page(page):
    state = ready(10, 10, page=page, signs=[sign(1, "B04-1", 1, "1")])
    assert hit_money(state, *[1, 9, 9, 9][:page]) == [(None, 1, 2 + page, "hit")]


def test_fr_15_11_tic_tocs_on_page_4_with_neon():
    signs = [sign(1, "B04-1", 4, "1")]
    assert sum(p[2] for p in hit_money(ready(9, 9, page=4, signs=signs), 1, 2, 2, 2)) == 6
    state = ready(9, 9, page=4, signs=signs, assets={1: "S07-1"})
    assert hit_money(state, 1, 2, 2, 2) == [(None, 1, 6, "hit"), (None, 1, 1, "flashing_neon")]


def test_fr_14_2_2_lucky_star_pawn_collects_from_all_others():
    state = ready(10, 10, 0, 5, signs=[sign(1, "B08-1", 1, "1 2")])
    assert hit_money(state, 2) == [
        (None, 1, 2, "hit"),
        (3, 1, 1, "tribute"),
        (0, 1, 1, "tribute"),
    ]


def test_fr_14_2_2_nobody_collects_from_who_is_out():
    state = ready(10, 10, 10, signs=[sign(1, "B08-1", 1, "1 2")], out=(2,), hands={2: ""})
    assert hit_money(state, 2) == [(None, 1, 2, "hit"), (0, 1, 1, "tribute")]


@pytest.mark.parametrize("face", range(1, 7))
def test_fr_14_2_grand_bingo_hall_rolls_the_six_sided_die(face):
    state = ready(10, 10, page=2, signs=[sign(0, "B10-1", 1, "1 2 3")])
    money = hit_money(state, 9, 3, **{"bingo/9/2": face - 1})
    assert money == [(None, 0, face, "hit")]


def test_fr_14_2_two_hits_on_the_bingo_hall_are_two_rolls():
    state = ready(10, 10, page=2, signs=[sign(0, "B10-1", 1, "1 2 3")])
    money = hit_money(state, 1, 1, **{"bingo/9/1": 5, "bingo/9/2": 0})
    assert money == [(None, 0, 6, "hit"), (None, 0, 1, "hit")]


def test_fr_15_17_the_order_of_dice_moves_money():
    signs = [sign(0, "B08-1", 2, "1 2"), sign(1, "B03-1", 1, "5")]
    state = ready(5, 0, page=2, signs=signs)
    assert hit_money(state, 5, 1) == [
        (None, 1, 4, "hit"), (None, 0, 2, "hit"), (1, 0, 1, "tribute"),
    ]  # fmt: skip
    assert hit_money(state, 1, 5) == [(None, 0, 2, "hit"), (None, 1, 4, "hit")]


def test_fr_14_3_flashing_neon_pays_for_each_hit_and_copy():
    state = ready(9, 9, page=2, signs=[sign(1, "B02-1", 1, "1")], assets={1: "S07-1 S07-2", 0: ""})
    assert hit_money(state, 1, 1) == [(None, 1, 4, "hit"), (None, 1, 2, "flashing_neon")] * 2


def test_fr_14_3_street_vendor_sells_at_empty_slots_in_the_own_turn():
    state = ready(9, 9, page=4, signs=[sign(1, "B02-1", 1, "1")], assets={0: "S08-1", 1: "S08-2"})
    assert hit_money(state, 2, 2, 1, 10) == [
        (None, 0, 1, "street_vendor"), (None, 0, 1, "street_vendor"), (None, 1, 4, "hit"),
    ]  # fmt: skip
