"""MR-9, the worked examples of the rules."""

import pytest

from services.games.mint_rails import GAME
from services.games.mint_rails.board import board
from services.games.mint_rails.cards import COMPANIES
from services.games.mint_rails.grid import HEX_OF
from tests.games.mint_rails.table import (
    NORTH,
    SOUTH,
    after,
    buy,
    decide,
    drafted,
    laid,
    lay,
    lays_of,
    opened,
    pick,
    refused,
    table,
)
from tests.games.mint_rails.test_scoring import payout


def test_mr_9_1_the_map_and_its_opening_lays():
    laid_board = board("standard", NORTH, SOUTH)
    hqs = dict(zip(COMPANIES, map(HEX_OF.__getitem__, laid_board.headquarters), strict=True))
    assert hqs == {"black": (1, 1), "brown": (3, 1), "white": (-1, 5), "pink": (1, 5)}
    places = {site.city.name: site.hex for site in laid_board.cities}
    assert places["Frostwick"] == (0, 0)
    assert places["Highmoor"] == (0, 3)
    assert places["Mintwell"] == (-2, 4)
    assert places["Southgate"] == (6, 7)
    found = {company: lays_of(table(), company) for company in COMPANIES}
    assert [len(found[company]) for company in COMPANIES] == [12, 18, 18, 19]
    moves = GAME.legal_moves(table(), 0)
    reached = [len({m.city for m in moves if m.company == company}) for company in COMPANIES]
    assert reached == [5, 6, 9, 7]


def test_mr_9_2_a_first_lay_and_what_is_then_possible():
    state = laid(table(), lay("black", "0,2", "Highmoor", "pink"))
    assert state.asset[0] == 2
    assert state.worth[0] == 1
    incomes = [
        m.icon for m in GAME.legal_moves(table(), 0) if (m.city, m.path) == ("N1b", ((0, 2),))
    ]
    assert incomes[:2] == ["pink", "brown"]
    assert lays_of(state, "black") == [
        *("Frostwick 0,1", "Frostwick 1,0", "Mintwell -1,3", "Mintwell -1,4")
    ]


def test_mr_9_3_a_tied_pair_and_a_third():
    assert payout(7, [3, 3, 1], [2, 2, 1]) == ([3, 3, 1], 0)


def test_mr_9_4_one_cube_for_two_is_discarded():
    assert payout(1, [3, 3, 1], [1, 1, 1]) == ([0, 0, 0], 1)


def test_mr_9_5_fund_before_shares():
    assert payout(5, [4, 0], [1, 3]) == ([2, 3], 0)


def test_mr_9_6_a_third_company_enters():
    state = table(track={"black": "0,3", "white": "0,3"})
    event = decide(state, 0, lay("pink", "1,4 0,4", "Highmoor", "pink"))[0]
    assert event.income == "pink"
    assert event.bonus == "brown"
    assert event.grows == ("black", "white")


def test_mr_9_7_the_price_of_a_share():
    state = after(table(fund=["pink 3"], asset=(4, 4, 2, 4)), (0, buy("pink")))
    assert state.fund[0][2] == 1
    assert state.asset[2] == 5
    assert state.market[2] == 2


def test_mr_9_8_second_and_third_in_highmoor():
    state = laid(table(), lay("white", "-1,4", "Highmoor", "pink"))
    second = laid(state, lay("black", "0,2", "Highmoor", "pink"))
    assert second.asset[1] == state.asset[1] + 1
    assert second.fund[1] == (0, 0, 1, 0)
    third = laid(second, lay("pink", "1,4 0,4", "Highmoor", "brown"))
    assert third.asset[:2] == (second.asset[0] + 1, second.asset[1] + 1)
    assert third.fund[0] == (0, 0, 1, 2)


def test_mr_9_9_what_three_cannot_share_is_discarded():
    assert payout(5, [2, 2, 2], [1, 1, 1]) == ([1, 1, 1], 2)


@pytest.mark.parametrize(
    ("company", "code", "rule"),
    [("black", "no-draft-share-left", "MR-2.6"), ("pink", "equal-pair", "MR-4.4")],
)
def test_mr_9_10_the_last_pick_of_a_draft(company, code, rule):
    state = drafted(opened(2), "black", "black", "pink")
    assert [move.company for move in GAME.legal_moves(state, 0)] == ["white", "brown"]
    with refused(state, code, rule):
        decide(state, 0, pick(company))
