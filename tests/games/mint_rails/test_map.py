"""MR-1 to MR-3: components, the map and its facts."""

from collections import Counter
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from services.games import mint_rails
from services.games.mint_rails import GAME
from services.games.mint_rails.__main__ import example
from services.games.mint_rails.board import Board, board
from services.games.mint_rails.cards import CARD_SETS, COMPANIES, ICONS, STANDARD
from services.games.mint_rails.drawing import SIZE, WIDTH, centre, svg
from services.games.mint_rails.grid import ALL, BIT, HALVES, HEX_OF, HEXES, around, bits, on_map
from services.games.mint_rails.lays import lays, routes_into
from services.games.mint_rails.state import Options
from shared.errors import Unprocessable
from tests.games.mint_rails.plain import BOARDS, Plain
from tests.games.mint_rails.table import NORTH, SOUTH, chance, laid, lay, opened, table


def boards():
    return (Board(STANDARD, north, south) for north, south in BOARDS)


def test_mr_1_1_four_companies_in_a_fixed_order():
    assert COMPANIES == ("black", "white", "pink", "brown")
    assert [ICONS[company] for company in COMPANIES] == ["coal", "chicken", "pig", "wood"]
    shown = GAME.view(table(), None).companies
    assert tuple(company.company for company in shown) == COMPANIES


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_mr_1_2_everybody_may_lay_and_buy_for_any_company(seat):
    funds = ["black 4 white 4 pink 4 brown 4"] * 3
    moves = GAME.legal_moves(table(3, turn=seat, fund=funds), seat)
    assert moves == GAME.legal_moves(table(3, turn=0, fund=funds), 0)
    assert {move.company for move in moves} == set(COMPANIES)


def test_mr_1_3_one_action_a_turn():
    state = laid(table(3), lay("black", "0,2", "Highmoor", "pink"))
    assert state.turn == 1


@pytest.mark.parametrize("seats", [0, 5])
def test_mr_1_4_one_to_four_players(seats):
    with pytest.raises(Unprocessable) as refusal:
        GAME.check_options(Options(), seats)
    assert refusal.value.code == "mint-rails.wrong-number-of-seats"
    assert refusal.value.rule == "MR-1.4"
    assert refusal.value.code in GAME.texts
    assert list(GAME.seats) == [1, 2, 3, 4]
    for number in GAME.seats:
        GAME.check_options(Options(), number)


def test_mr_1_5_chance_ends_with_the_set_up():
    state = opened(3)
    while GAME.outcome(state) is None:
        draw = chance()
        seat = min(GAME.active_seats(state))
        for event in GAME.time_out(state, seat, draw):
            state = GAME.evolve(state, event)
        assert draw.draws == []


def test_mr_2_1_cubes_never_run_out():
    state = table(asset=(500, 4, 4, 4))
    state = laid(state, lay("black", "0,2", "Highmoor", "pink"))
    assert state.asset[0] == 498


@pytest.mark.parametrize("seats", GAME.seats)
def test_mr_2_2_four_cubes_on_every_asset_card(seats):
    assert opened(seats, start=0).asset == (4, 4, 4, 4)


@pytest.mark.parametrize("seats", GAME.seats)
def test_mr_2_3_worth_starts_at_0(seats):
    assert opened(seats, start=0).worth == (0, 0, 0, 0)


@pytest.mark.parametrize("seats", GAME.seats)
def test_mr_2_4_funds_start_at_0(seats):
    assert opened(seats, start=0).fund == ((0, 0, 0, 0),) * max(seats, 2)


@pytest.mark.parametrize(("seats", "each"), [(1, 2), (2, 2), (3, 2), (4, 3)])
def test_mr_2_6_market_and_draft_shares(seats, each):
    state = opened(seats, start=0)
    assert state.market == (3, 3, 3, 3)
    assert state.draft == (each,) * 4


def test_mr_2_5_funds_and_worth_have_no_upper_limit():
    state = table(fund=["pink 12"], worth=(20, 0, 0, 0))
    state = laid(state, lay("black", "0,2", "Highmoor", "pink"))
    assert state.fund[0][2] == 13
    assert state.worth[0] == 21


def test_mr_2_7_shares_are_shown_by_player():
    shown = GAME.view(table(shares=["pink 2", "brown"]), 1)
    assert [player.shares for player in shown.players] == [(0, 0, 2, 0), (0, 0, 0, 1)]


def test_mr_2_8_sold_out_without_a_share_in_the_market():
    shown = GAME.view(table(market=(3, 0, 1, 3)), 1)
    assert [company.sold_out for company in shown.companies] == [False, True, False, False]


def test_mr_3_1_576_maps_north_above_south():
    assert len({*BOARDS}) == 576
    draw = chance()
    GAME.open(GAME.initial(Options(), 2), draw)
    drawn = {label: sorted(result) for label, _, result in draw.draws if label != "start"}
    assert drawn == {"north": [*NORTH], "south": [*SOUTH]}


def test_mr_3_2_the_half_hexes_at_both_ends_are_not_on_the_map():
    assert len(HALVES) == 8
    assert not set(HALVES) & set(HEXES)
    laid_map = GAME.view(table(), None).map
    assert laid_map.halves == HALVES
    halves = {q + r // 2 for q, r in HALVES}
    assert halves == {-1, 11}


def test_mr_3_3_eight_rows_of_twelve_and_eleven():
    rows = Counter(r for _, r in HEXES)
    assert [rows[r] for r in range(8)] == [12, 11] * 4
    assert len(HEXES) == 92


def test_mr_3_3_seams_are_beige_whatever_lies_beside_them():
    seams = {on_map((2, 1), slot, band) for slot in range(3) for band in range(2)}
    seams |= {on_map((1, 3), slot, band) for slot in range(3) for band in range(2)}
    for laid_board in boards():
        assert all(BIT[seam] & laid_board.beige for seam in seams)


def test_mr_3_4_six_neighbours_as_far_as_they_are_on_the_map():
    plain = Plain(NORTH, SOUTH)
    for hex_ in HEXES:
        found = {HEX_OF[bit] for bit in bits(around(BIT[hex_]))}
        assert found == set(plain.neighbours(hex_))


def test_mr_3_5_where_a_cards_hexes_lie():
    assert on_map((0, 0), 0, 0) == (0, 0)
    assert on_map((-1, 3), 3, 1) == (6, 7)
    whole = [(q, r) for r, row in enumerate(((0, 1, 2), (0, 1), (-1, 0, 1), (-1, 0))) for q in row]
    placed = [on_map(at, slot, band) for at in whole for slot in range(4) for band in range(2)]
    assert len(set(placed)) == 80
    assert set(placed) < set(HEXES)


def test_mr_3_6_every_hex_is_beige_a_city_or_a_headquarters():
    for laid_board in boards():
        cities = [site.bit for site in laid_board.cities]
        parts = [laid_board.beige, *cities, *laid_board.headquarters]
        assert sum(parts) == ALL
        assert laid_board.beige.bit_count() == 68


def test_mr_3_6a_four_companies_share_a_beige_hex():
    black = lay("black", "0,2", "Highmoor", "pink")
    state = laid(table(track={"white": "0,2", "pink": "0,2", "brown": "0,2"}), black)
    assert all((0, 2) in track for track in state.track)


def test_mr_3_6b_a_city_shows_its_capacity_and_icons():
    shown = {h.name: h for h in GAME.view(table(), None).map.hexes if h.kind == "city"}
    assert shown["Highmoor"].at == (0, 3)
    assert shown["Highmoor"].city == "N1b"
    assert shown["Highmoor"].capacity == 3
    assert shown["Highmoor"].icons == ("pink", "brown")


def test_mr_3_6c_headquarters_take_no_cube():
    state = table(track={"white": "0,2"}, asset=(4, 9, 4, 4))
    hqs = set(board("standard", NORTH, SOUTH).headquarters)
    for move in lays(state):
        assert not hqs & set(map(BIT.__getitem__, move.path))


def test_mr_3_7_counts_of_the_cards():
    for cards in CARD_SETS.values():
        assert len(cards.north) == len(cards.south) == 4
        assert sorted(hq.company for hq in cards.headquarters) == sorted(COMPANIES)
        assert {city.card for city in cards.cities} <= {*cards.north, *cards.south}
    assert [hq.card for hq in STANDARD.headquarters] == ["N1", "N2", "S1", "S2"]
    assert len(STANDARD.cities) == 20
    assert Counter(city.capacity for city in STANDARD.cities) == {1: 6, 2: 8, 3: 6}
    assert sum(city.capacity for city in STANDARD.cities) == 40
    icons = Counter(icon for city in STANDARD.cities for icon in city.icons)
    assert icons == dict.fromkeys(COMPANIES, 7)
    assert len({city.name for city in STANDARD.cities}) == 20
    every = [city.id for cards in CARD_SETS.values() for city in cards.cities]
    assert len(set(every)) == len(every)


def test_mr_3_7_every_special_hex_is_one_of_its_cards_whole_hexes():
    whole = {(q, r) for r, row in enumerate(((0, 1, 2), (0, 1), (-1, 0, 1), (-1, 0))) for q in row}
    special = [(part.card, part.at) for part in (*STANDARD.headquarters, *STANDARD.cities)]
    assert len(set(special)) == 24
    assert {at for _, at in special} <= whole


def test_mr_3_7_other_cards_are_data_and_need_no_other_rules():
    towns = tuple(replace(city, at=(0, 2), capacity=1) for city in STANDARD.cities[:1])
    other = replace(STANDARD, cities=towns)
    laid_board = Board(other, NORTH, SOUTH)
    site = laid_board.site["N1a"]
    assert site.hex == (0, 2)
    own = laid_board.headquarters[COMPANIES.index("black")]
    assert [route.path for route in routes_into(site, own, 4)] == [()]
    assert laid_board.beige.bit_count() == 87


def test_mr_3_8_the_picture_has_every_hex_half_and_cube():
    shown = GAME.view(example(), None)
    picture = svg(shown)
    assert ElementTree.fromstring(picture).tag.endswith("svg")
    assert picture.count("<polygon") == 92 + 8
    assert picture.count("<rect") == sum(len(company.cubes) for company in shown.companies)
    badges = sum(len(hex_.icons) for hex_ in shown.map.hexes)
    assert picture.count("<path") == badges + 4 + picture.count("<rect")
    assert all(city.name in picture for city in STANDARD.cities)


def test_mr_3_8_the_picture_of_the_page_is_drawn_from_the_data():
    path = Path(mint_rails.__file__).with_name("board.svg")
    assert path.read_text() == svg(GAME.view(example(), None))


def test_mr_3_8_there_is_no_picture_before_the_map_is_laid():
    with pytest.raises(ValueError, match="not laid"):
        svg(GAME.view(GAME.initial(Options(), 2), None))


def test_mr_3_8_where_a_hex_lies_in_the_picture():
    x, y = centre((-1, 3))
    assert (round(x, 6), y) == (round(WIDTH * 0.5, 6), SIZE * 4.5)


def test_mr_3_9_facts_of_all_576_maps():
    opening = Counter()
    best = 0
    for laid_board in boards():
        sites = laid_board.cities
        for company, hq in enumerate(laid_board.headquarters):
            assert not around(hq) & ~laid_board.beige  # touches neither a city nor another one
            assert all(site.distance(hq) is not None for site in sites)
            near = sum(1 for site in sites if (site.distance(hq) or 9) <= 4)
            assert near >= 4
            opening[company] += near
            best = max(best, near)
        touching = [bool(around(a.bit) & b.bit) for a, b in combinations(sites, 2)]
        assert 1 <= sum(touching) <= 5
    assert best == 12
    averages = [opening[company] / 576 for company in range(4)]
    assert (round(min(averages), 1), round(max(averages), 1)) == (7.2, 8.4)


def test_mr_6_4_distances_agree_with_a_plain_search_on_every_25th_board():
    for north, south in BOARDS[::25]:
        plain, laid_board = Plain(north, south), Board(STANDARD, north, south)
        for hex_ in HEXES:
            steps = plain.distances(hex_)
            for site in laid_board.cities:
                assert site.distance(BIT[hex_]) == steps.get(site.hex)


def test_no_board_has_more_routes_than_can_be_listed_at_once():
    most = max(
        sum(1 for site in laid_board.cities for _ in routes_into(site, hq, 40))
        for laid_board in boards()
        for hq in laid_board.headquarters
    )
    assert most == 370  # the worst company of the worst board, with more cubes than there can be
