"""MR-11 and MR-12: chance, secrets, wire forms, listings, options."""

import re
from pathlib import Path

import msgspec
import pytest

from services.games import mint_rails
from services.games.mint_rails import GAME
from services.games.mint_rails.cards import COMPANIES, STANDARD
from services.games.mint_rails.moves import BuyShare, LayTrack, MintRailsMove
from services.games.mint_rails.state import Options
from shared.chance import check_script
from shared.errors import Unprocessable
from tests.games.mint_rails.table import (
    NORTH,
    SOUTH,
    chance,
    drafted,
    lay,
    moments,
    opened,
    table,
)

EASY = Options(rival="easy")


def labels(options, seats):
    return [draw.label for draw in GAME.draws(options, seats)]


def test_mr_11_1_only_map_start_and_rival_are_left_to_chance():
    assert labels(Options(), 4) == ["north", "south", "start"]
    assert labels(Options(), 1)[3:] == ["rival/*", "rival/*/route", "rival/*/icon"]


def test_mr_11_7_every_draw_has_a_declared_label():
    script = {"north": NORTH, "south": SOUTH, "start": 1, "rival/1": 3, "rival/12": 40}
    check_script(script, GAME.draws(Options(), 1))
    check_script({"rival/2/route": 0, "rival/2/icon": 1}, GAME.draws(EASY, 1))


def test_mr_11_1_a_scripted_map_is_followed():
    north, south = NORTH[::-1], SOUTH[::-1]
    state = opened(3, 2, north=north, south=south)
    assert (state.north, state.south, state.start) == (north, south, 2)
    assert GAME.view(state, 0).map.north == north


@pytest.mark.parametrize("seats", GAME.seats)
def test_mr_11_2_nothing_is_secret(seats):
    for state, events in moments(seats, seats):
        views = [GAME.view(state, seat) for seat in (*range(seats), None)]
        bare = {
            msgspec.json.encode(msgspec.structs.replace(v, seat=None, asked=None)) for v in views
        }
        assert len(bare) == 1
        assert all(GAME.redact(event, seat) == event for event in events for seat in range(seats))
        for seen in views:
            assert GAME.resample(seen, chance()) == state


def test_mr_11_3_moves_on_the_wire():
    text = b'{"type":"lay_track","company":"black","path":[[0,2]],"city":"N1b","icon":"pink"}'
    assert msgspec.json.decode(text, type=MintRailsMove) == lay("black", "0,2", "Highmoor", "pink")
    assert msgspec.json.encode(lay("black", "0,2", "Highmoor", "pink")) == text
    short = b'{"type":"lay_track","company":"white","path":[],"city":"N1a"}'
    assert msgspec.json.decode(short, type=MintRailsMove).icon == "white"
    for tag in ("buy_share", "draft_share"):
        plain = b'{"type":"%s","company":"brown"}' % tag.encode()
        assert msgspec.json.encode(msgspec.json.decode(plain, type=MintRailsMove)) == plain


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"lay_track","company":"black","path":[[0,2]]}',
        '{"type":"lay_track","company":"green","path":[],"city":"N1a"}',
        '{"type":"lay_track","company":"black","path":[[0]],"city":"N1a"}',
        '{"type":"lay_track","company":"black","path":[[0,2,1]],"city":"N1a"}',
        '{"type":"lay_track","company":"black","path":[[0.5,2]],"city":"N1a"}',
        '{"type":"lay_track","company":"black","path":[[0,1000000]],"city":"N1a"}',
        '{"type":"lay_track","company":"black","path":"0,2","city":"N1a"}',
        '{"type":"lay_track","company":"black","path":[],"city":1}',
        '{"type":"lay_track","company":"black","path":[],"city":"N1a","icon":"coal"}',
        '{"type":"lay_track","company":"black","path":[],"city":"' + "x" * 17 + '"}',
        '{"type":"lay_track","company":"black","path":[' + "[0,0]," * 92 + '[0,0]],"city":"N1a"}',
        '{"type":"buy_share"}',
        '{"type":"buy_share","company":"black","price":0}',
        '{"type":"draft_share","company":null}',
        '{"type":"pass"}',
    ],
)
def test_mr_11_3_the_schema_refuses_what_is_no_move(text):
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=MintRailsMove)


def test_mr_11_4_the_preview_of_a_lay():
    state = table(track={"white": "0,3", "brown": "0,3"})
    facts = GAME.preview(GAME.view(state, 0), lay("black", "0,2", "Highmoor", "brown"))
    assert facts == {
        "cubes": 2,
        "asset_left": 2,
        "worth_gained": 1,
        "income": "brown",
        "bonus": "pink",
        "asset_grows": ["white", "brown"],
    }


def test_mr_11_4_the_preview_of_a_purchase_and_of_a_pick():
    state = table(fund=["pink 5"], market=(0, 3, 1, 3))
    assert GAME.preview(GAME.view(state, 0), BuyShare(company="pink")) == {
        "price": 4,
        "fund_left": 1,
        "market_left": 0,
        "asset_then": 7,
        "ends_match": True,
    }
    draft = drafted(opened(2), "black")
    move = GAME.legal_moves(draft, 1)[0]
    assert GAME.preview(GAME.view(draft, 1), move) == {"left": 0}
    with pytest.raises(ValueError, match="spectator"):
        GAME.preview(GAME.view(draft, None), move)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_mr_11_4_the_preview_says_what_happens(seats):
    for state, _ in moments(30 + seats, seats):
        if state.phase != "play":
            continue
        seat = state.turn
        view = GAME.view(state, seat)
        for move in GAME.legal_moves(state, seat)[::7]:
            facts = GAME.preview(view, move)
            then = GAME.evolve(state, GAME.decide(state, seat, move, chance())[0])
            company = COMPANIES.index(move.company)
            if isinstance(move, LayTrack):
                gained = [facts["income"], *([facts["bonus"]] if facts["bonus"] else [])]
                fund = [
                    f + gained.count(c) for f, c in zip(state.fund[seat], COMPANIES, strict=True)
                ]
                assert list(then.fund[seat]) == fund
                assert then.worth[company] == state.worth[company] + facts["worth_gained"]
                assert then.asset[company] == facts["asset_left"]
                assert sum(map(len, then.track)) == sum(map(len, state.track)) + facts["cubes"]
                assert facts["asset_grows"] == [
                    c for n, c in enumerate(COMPANIES) if then.asset[n] > state.asset[n]
                ]
            else:
                assert then.asset[company] == facts["asset_then"]
                assert then.fund[seat][company] == facts["fund_left"]


@pytest.mark.parametrize(("seats", "bound"), [(1, 56), (2, 56), (3, 58), (4, 60)])
def test_mr_11_5_a_game_cannot_be_infinite(seats, bound):
    assert GAME.max_moves(Options(), seats) == bound


def test_mr_11_8_the_order_of_listings():
    assert [m.company for m in GAME.legal_moves(opened(2), 0)] == [*COMPANIES]
    order = [city.id for city in STANDARD.cities]
    icons = {city.id: city.icons for city in STANDARD.cities}

    def rank(m):
        company, city = COMPANIES.index(m.company), order.index(m.city)
        return company, city, len(m.path), m.path, icons[m.city].index(m.icon)

    for state, _ in moments(3, 3):
        moves = GAME.legal_moves(state, state.turn) if state.phase == "play" else ()
        laying = [m for m in moves if isinstance(m, LayTrack)]
        assert [*moves[: len(laying)]] == laying
        assert laying == sorted(laying, key=rank)
        bought = [COMPANIES.index(m.company) for m in moves[len(laying) :]]
        assert bought == sorted(bought)


def test_mr_11_8_a_time_out_plays_the_first_of_the_list():
    for state in (opened(2), table(2, fund=["pink 4"])):
        first = GAME.legal_moves(state, 0)[0]
        assert GAME.time_out(state, 0, chance()) == GAME.decide(state, 0, first, chance())


def test_mr_12_1_the_three_colour_reading_is_a_switch():
    assert Options().three_colour_reading == "cubes"
    assert Options(three_colour_reading="off") != Options()
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"three_colour_reading": "icons"}, Options)


def test_mr_12_2_the_rival_is_an_option_of_one_seat_only():
    assert Options().rival == "normal"
    assert Options.__struct_fields__ == ("three_colour_reading", "rival")
    GAME.check_options(EASY, 1)
    with pytest.raises(Unprocessable) as refusal:
        GAME.check_options(EASY, 2)
    assert (refusal.value.code, refusal.value.rule) == ("mint-rails.no-rival", "MR-12.2")
    assert refusal.value.code in GAME.texts


def test_every_rule_number_has_a_test_named_for_it():
    rules = Path(mint_rails.__file__).with_name("RULES.md").read_text()
    numbers = set(re.findall(r"^MR-(\d+)\.(\d+) ", rules, re.MULTILINE))
    tests = " ".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    of_rules = {pair for pair in numbers if pair[0] != "13"}  # MR-13 tells of the forms alone
    assert len(of_rules) == 77
    missing = [pair for pair in of_rules if f"def test_mr_{pair[0]}_{pair[1]}_" not in tests]
    assert missing == []


def test_mr_10_4_the_catalogue_names_the_stronger_opponent():
    schema = msgspec.json.schema(Options)
    described = schema["$defs"]["Options"]["properties"]["rival"]["description"]
    assert "built-in bot" in described


def test_mr_10_1_the_catalogue_says_that_the_rival_is_our_own():
    assert "published game" in GAME.texts["rival_note"].en
    assert "製品版" in GAME.texts["rival_note"].ja


def test_a_client_can_draw_the_table_from_the_view():
    state = table(fund=["pink 2"], shares=["", "brown 2"], track={"black": "0,2 0,3"})
    shown = msgspec.to_builtins(GAME.view(state, 1))
    kinds = [hex_["kind"] for hex_ in shown["map"]["hexes"]]
    assert (kinds.count("beige"), kinds.count("city"), kinds.count("headquarters")) == (68, 20, 4)
    assert shown["companies"][0]["cubes"] == ((0, 2), (0, 3))
    assert shown["turn"] == 0
    assert shown["asked"] is None
    assert GAME.view(state, 0).asked.kind == "act"
    names = {company["icon"] for company in shown["companies"]} | {"act"}
    assert names <= set(GAME.texts)
