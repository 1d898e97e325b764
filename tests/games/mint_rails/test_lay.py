"""MR-6: laying track."""

import pytest

from services.games.mint_rails import GAME
from services.games.mint_rails.effects import bonus
from services.games.mint_rails.events import TrackLaid
from services.games.mint_rails.moves import LayTrack
from services.games.mint_rails.state import Options
from tests.games.mint_rails.table import (
    after,
    decide,
    laid,
    lay,
    lays_of,
    path,
    refused,
    table,
)

BLACK = lay("black", "0,2", "Highmoor", "pink")


def test_mr_6_1_a_lay_names_company_path_and_city():
    event = decide(table(), 0, BLACK)[0]
    assert event == TrackLaid(
        seat=0,
        company="black",
        path=((0, 2),),
        city="N1b",
        at=(0, 3),
        worth=1,
        income="pink",
        bonus=None,
        grows=(),
        next=1,
    )


def test_mr_6_2_track_goes_on_from_headquarters_and_from_every_cube():
    state = table(track={"black": "4,4"}, asset=(3, 4, 4, 4))
    assert any(way.startswith("Barleyton") for way in lays_of(state, "black"))
    assert any(way.startswith("Frostwick") for way in lays_of(state, "black"))


def test_mr_6_3a_a_city_has_room_and_no_cube_of_the_company():
    state = table(track={"black": "0,3", "white": "0,0"})
    with refused(state, "company-in-city", "MR-6.3a"):
        decide(state, 0, BLACK)
    assert lays_of(state, "black", "Highmoor") == []
    full = table(track={"white": "0,0", "pink": "0,0"})
    with refused(full, "city-full", "MR-6.3a"):
        decide(full, 0, lay("black", "1,0", "Frostwick"))
    assert lays_of(full, "black", "Frostwick") == []


def test_mr_6_3b_a_path_is_beige_and_free_of_own_cubes():
    through = lay("black", "0,2 0,3 -1,4", "Redbank", "black")
    with refused(table(), "not-beige", "MR-6.3b"):
        decide(table(), 0, through)
    with refused(table(), "not-beige", "MR-6.3b"):
        decide(table(), 0, lay("black", "0,2 50,50", "Highmoor", "pink"))
    with refused(table(), "not-beige", "MR-6.3b"):
        decide(table(), 0, lay("brown", "1,1", "Frostwick"))  # a headquarters
    state = table(track={"black": "0,2"})
    with refused(state, "cube-in-path", "MR-6.3b"):
        decide(state, 0, BLACK)


@pytest.mark.parametrize("way", ["0,2 2,2", "0,2 0,2", "0,2 1,2 0,2", "2,0"])
def test_mr_6_3c_the_hexes_follow_each_other_and_differ(way):
    with refused(table(), "broken-path", "MR-6.3c"):
        decide(table(), 0, lay("black", way, "Highmoor", "pink"))


def test_mr_6_3d_it_starts_beside_an_own_hex():
    state = table()
    with refused(state, "no-start", "MR-6.3d"):
        decide(state, 0, lay("white", "0,2", "Highmoor", "pink"))
    with refused(state, "no-start", "MR-6.3d"):
        decide(state, 0, lay("black", "", "Highmoor", "pink"))


def test_mr_6_3e_it_is_a_shortest_way_from_such_a_hex():
    with refused(table(), "not-shortest", "MR-6.3e"):
        decide(table(), 0, lay("black", "1,2 0,2", "Highmoor", "pink"))


def test_mr_6_3f_the_cubes_on_the_asset_card_suffice():
    state = table(asset=(1, 4, 4, 4))
    with refused(state, "too-few-cubes", "MR-6.3f"):
        decide(state, 0, BLACK)
    assert lays_of(state, "black") == []
    assert lays_of(table(asset=(2, 4, 4, 4)), "black") == [
        "Frostwick 0,1",
        "Frostwick 1,0",
        "Highmoor 0,2",
        "Highmoor 1,2",
    ]


def test_mr_6_4_a_blocked_start_is_none_but_the_blocking_cube_is():
    state = table(track={"black": "0,2"}, asset=(9, 4, 4, 4))
    with refused(state, "cube-in-path", "MR-6.3b"):
        decide(state, 0, lay("black", "0,2 -1,3", "Mintwell"))
    assert lays_of(state, "black", "Mintwell") == ["-1,3"]


def test_mr_6_4_cubes_do_not_count_in_measuring():
    """The way round the own cube is the shortest that is free, but not the shortest."""
    state = table(track={"black": "0,2"}, asset=(9, 4, 4, 4))
    with refused(state, "not-shortest", "MR-6.3e"):
        decide(state, 0, lay("black", "0,1 -1,2 -1,3", "Mintwell"))


def test_mr_6_5_any_start_and_any_shortest_route():
    state = table(track={"black": "0,2 0,3"}, asset=(9, 4, 4, 4))
    near = lays_of(state, "black", "Snowgate")
    assert len({way.count(",") for way in near}) > 1


def test_mr_6_5_the_same_cubes_are_the_same_lay():
    """Both own hexes, the headquarters and the cube beside it, start the same lays."""
    state = table(track={"black": "1,0"}, asset=(9, 4, 4, 4))
    moves = [move for move in GAME.legal_moves(state, 0) if move.company == "black"]
    cubes = [(move.city, frozenset(move.path), move.icon) for move in moves]
    assert len(set(cubes)) == len(cubes)


def test_mr_6_5_the_icon_makes_no_other_lay():
    moves = [m for m in GAME.legal_moves(table(), 0) if (m.company, m.city) == ("black", "N1b")]
    assert [move.icon for move in moves if move.path == ((0, 2),)] == ["pink", "brown"]
    assert lays_of(table(), "black", "Highmoor") == ["0,2", "1,2"]


def test_mr_6_6_other_cubes_never_block_and_cities_are_not_passed():
    state = table(track={"white": "0,2", "pink": "0,2", "brown": "0,2"})
    assert "Highmoor 0,2" in lays_of(state, "black")
    start = table(track={"black": "0,3"}, asset=(2, 4, 4, 4))
    assert "-1,4" in lays_of(start, "black", "Mintwell")
    with refused(table(asset=(9, 4, 4, 4)), "not-beige", "MR-6.3b"):
        decide(table(asset=(9, 4, 4, 4)), 0, lay("black", "0,2 0,3 -1,4", "Mintwell"))


def test_mr_6_7_steps_1_and_2_cubes_and_worth():
    state = laid(table(), lay("white", "-1,4", "Highmoor", "brown"))
    assert state.asset == (4, 2, 4, 4)
    assert state.worth == (0, 1, 0, 0)
    assert state.track[1] == path("-1,4 0,3")
    direct = laid(table(track={"black": "1,0"}), lay("black", "", "Frostwick"))
    assert direct.asset == (3, 4, 4, 4)
    assert direct.worth == (0, 0, 0, 0)


@pytest.mark.parametrize(("icon", "fund"), [("pink", (0, 0, 1, 0)), ("brown", (0, 0, 0, 1))])
def test_mr_6_7_step_3_income_of_one_icon(icon, fund):
    state = table(market=(3, 3, 0, 3))  # sold out or not
    assert laid(state, lay("black", "0,2", "Highmoor", icon)).fund[0] == fund


def test_mr_6_7_step_3_the_icon_is_chosen_where_there_are_two():
    with refused(table(), "icon-missing", "MR-6.7"):
        decide(table(), 0, lay("black", "0,2", "Highmoor"))
    with refused(table(), "icon-not-shown", "MR-6.7"):
        decide(table(), 0, lay("black", "0,2", "Highmoor", "black"))


def test_mr_6_7_step_3_the_company_itself_may_be_paid():
    state = laid(table(), lay("white", "0,4", "Highmoor", "brown"))
    assert state.fund[0] == (0, 0, 0, 1)
    own = laid(table(track={"white": "1,0"}), lay("white", "", "Frostwick"))
    assert own.fund[0] == (0, 1, 0, 0)


def test_mr_6_7_step_4_the_missing_company_pays_at_exactly_three_colours():
    two = table(track={"white": "0,3"})
    assert decide(two, 0, BLACK)[0].bonus is None
    three = table(track={"white": "0,3", "brown": "0,3"}, market=(3, 3, 0, 3))
    event = decide(three, 0, BLACK)[0]
    assert event.bonus == "pink"
    assert after(three, (0, BLACK)).fund[0] == (0, 0, 2, 0)


def test_mr_6_7_step_4_the_fourth_colour_brings_nothing():
    """No printed city has room for it; other cards may (`CARD_SETS`)."""
    assert bonus(table(), ("black", "white", "pink"), "brown") is None


def test_mr_6_7_step_4_off_by_the_option():
    three = table(
        track={"white": "0,3", "brown": "0,3"}, options=Options(three_colour_reading="off")
    )
    assert after(three, (0, BLACK)).fund[0] == (0, 0, 1, 0)


def test_mr_6_7_step_5_earlier_companies_get_a_cube():
    state = after(table(track={"white": "0,3 0,2", "brown": "0,3"}), (0, BLACK))
    assert state.asset == (2, 5, 4, 5)


def test_mr_6_7_step_5_nothing_grows_on_beige_hexes():
    assert after(table(track={"white": "0,2"}), (0, BLACK)).asset == (2, 4, 4, 4)


def test_mr_6_8_laying_costs_no_money():
    state = after(table(fund=["black 2 white 2 pink 2 brown 2"]), (0, BLACK))
    assert state.fund[0] == (2, 2, 3, 2)


def test_mr_6_9_a_sold_out_company_builds_on():
    state = table(market=(0, 3, 3, 3), shares=["black", "black 2"])
    state = after(state, (0, BLACK))
    assert state.worth == (1, 0, 0, 0)
    assert state.fund[0] == (0, 0, 1, 0)


def test_a_move_may_leave_out_the_only_icon():
    short = LayTrack(company="black", path=((1, 0),), city="N1a")
    assert short == lay("black", "1,0", "Frostwick", "white")
    assert short in GAME.legal_moves(table(), 0)
    with refused(table(), "icon-not-shown", "MR-6.7"):
        decide(table(), 0, lay("black", "1,0", "Frostwick", "pink"))
