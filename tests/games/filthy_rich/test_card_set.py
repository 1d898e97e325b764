"""FR-1, FR-14.1 to 14.4: the cards as data, and the seam for another set of them."""

from collections import Counter
from dataclasses import replace

import pytest

from services.games.filthy_rich import GAME
from services.games.filthy_rich.actions import EFFECTS
from services.games.filthy_rich.binder import NEIGHBOURS, SHAPES, SLOTS, size
from services.games.filthy_rich.card_set import CardSet, type_of
from services.games.filthy_rich.hits import HITS
from services.games.filthy_rich.policies import ASSET_INCOME
from services.games.filthy_rich.shipped import (
    ACTIONS,
    ASSETS,
    BUSINESSES,
    LUXURIES,
    SHIPPED,
)
from services.games.filthy_rich.state import CARD_SETS, Options, card_set
from services.games.filthy_rich.texts import CARDS


def test_fr_1_4_there_are_22_sign_cards_in_11_signs():
    assert len(BUSINESSES) == 11
    assert sum(size(row.shape) for row in BUSINESSES) == 22


def test_fr_1_5_there_are_12_luxuries():
    assert len(LUXURIES) == len(SHIPPED.luxuries) == 12
    assert sum(row.price for row in LUXURIES) == 286
    assert sum(row.icons for row in LUXURIES) == 12


def test_fr_1_6_there_are_73_deck_cards():
    assert len(SHIPPED.deck) == len(set(SHIPPED.deck)) == 73
    copies = Counter(map(type_of, SHIPPED.deck))
    assert {copies[row.id] for row in BUSINESSES} == {3}
    assert {copies[row.id] for row in (*ASSETS, *ACTIONS)} == {2}
    assert [len(BUSINESSES) * 3, len(ASSETS) * 2, len(ACTIONS) * 2] == [33, 16, 24]
    assert SHIPPED.deck[0] == "A01-1"
    assert SHIPPED.deck[-1] == "S08-2"


def test_fr_14_1_prices_and_icons_of_the_luxuries():
    rows = [(row.price, row.icons) for row in LUXURIES]
    assert rows == [
        (6, 1), (9, 2), (12, 1), (15, 0), (18, 1), (21, 1),
        (24, 1), (28, 0), (32, 1), (36, 1), (40, 1), (45, 2),
    ]  # fmt: skip


def test_fr_14_2_cost_shape_and_icons_of_the_businesses():
    rows = [(row.cost, row.shape, row.icons, row.amount) for row in BUSINESSES]
    assert rows == [
        (3, "S1", 2, 4), (5, "S1", 1, 4), (4, "S1", 1, 3), (6, "S1", 0, 2),
        (12, "V2", 1, 5), (7, "V2", 1, 3), (8, "H2", 0, 2), (9, "H2", 2, 2),
        (13, "V3", 2, 4), (11, "H3", 2, 0), (16, "Q4", 3, 4),
    ]  # fmt: skip


def test_fr_14_3_cost_icons_and_amount_of_the_assets():
    rows = [(row.cost, row.icons, row.amount) for row in ASSETS]
    assert rows == [
        (0, 3, 12), (6, 1, 1), (2, 0, 1), (6, 0, 2), (4, 0, 2), (5, 0, 1), (6, 1, 1), (3, 0, 1),
    ]  # fmt: skip


def test_fr_14_4_every_effect_that_a_card_names_is_a_function():
    assert {row.hit for row in BUSINESSES} == set(HITS)
    assert {row.effect for row in ACTIONS} == set(EFFECTS)
    assert {row.effect for row in ASSETS} == set(ASSET_INCOME)


def test_every_card_has_a_title_in_both_languages():
    ids = {row.id for row in (*LUXURIES, *BUSINESSES, *ASSETS, *ACTIONS)}
    assert set(CARDS) == ids
    assert len(ids) == 43
    assert all(text.en and text.ja for text in CARDS.values())


def test_fr_1_3_nine_slots_row_by_row_and_their_neighbours():
    def near(a: int, b: int) -> bool:
        (row, column), (other, beside) = divmod(a - 1, 3), divmod(b - 1, 3)
        return abs(row - other) + abs(column - beside) == 1

    for slot in SLOTS:
        assert NEIGHBOURS[slot] == tuple(other for other in SLOTS if near(slot, other))


def test_fr_3_5_the_legal_slot_sets():
    texts = {shape: ["+".join(map(str, s)) for s in sets] for shape, sets in SHAPES.items()}
    assert texts == {
        "S1": ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
        "V2": ["1+4", "2+5", "3+6", "4+7", "5+8", "6+9"],
        "H2": ["1+2", "2+3", "4+5", "5+6", "7+8", "8+9"],
        "V3": ["1+4+7", "2+5+8", "3+6+9"],
        "H3": ["1+2+3", "4+5+6", "7+8+9"],
        "Q4": ["1+2+4+5", "2+3+5+6", "4+5+7+8", "5+6+8+9"],
    }


def test_the_shipped_set_is_the_one_default():
    assert set(CARD_SETS) == {"shipped"}
    assert card_set(Options()) is SHIPPED


@pytest.mark.parametrize("seats", [2, 5])
def test_another_card_set_needs_no_change_of_the_rules(monkeypatch, seats):
    other = CardSet.of(
        [replace(row, id=f"X{row.id}", price=row.price // 2) for row in LUXURIES],
        [replace(row, id=f"X{row.id}", cost=row.cost + 1) for row in BUSINESSES[2:]],
        [replace(row, id=f"X{row.id}", amount=row.amount + 1) for row in ASSETS],
        [replace(row, id=f"X{row.id}", amount=2 * row.amount) for row in ACTIONS],
    )
    monkeypatch.setitem(CARD_SETS, "shipped", other)
    from tests.laws.laws import law_2_legality, law_4_resample, law_6_conserved
    from tests.laws.match import play

    match = play(GAME, GAME.options_type(), seats, 1)
    assert match.over
    assert GAME.conserved(match.states[0])["cards"] == 67
    law_2_legality(match)
    law_4_resample(match)
    law_6_conserved(match)
