"""MR-10: the Rival of a lone player."""

from collections import Counter

import pytest
from msgspec.structs import replace

from services.games.mint_rails import GAME
from services.games.mint_rails.board import Site
from services.games.mint_rails.cards import NUMBER, STANDARD
from services.games.mint_rails.events import RivalChose, ShareBought, ShareDrafted, TrackLaid
from services.games.mint_rails.evolve import evolve
from services.games.mint_rails.grid import ALL
from services.games.mint_rails.lays import lays
from services.games.mint_rails.rival import (
    best_lays,
    good_purchase,
    income_of,
    lay_value,
    rival_acts,
)
from services.games.mint_rails.scoring import scored
from services.games.mint_rails.state import RIVAL, Options, board_of
from shared.chance import Chance
from tests.games.mint_rails.table import (
    after,
    buy,
    chance,
    counts,
    decide,
    full,
    lay,
    moments,
    names,
    opened,
    pick,
    refused,
    table,
)

EASY = Options(rival="easy")


def solo(**more):
    """The Rival's turn."""
    return table(1, **{"turn": RIVAL, **more})


def act(state, script=None):
    """What the Rival does, and what was drawn for it."""
    draw = chance(script)
    events = rival_acts(state, draw)
    return events[-1], draw.draws


def test_mr_10_1_a_two_player_game():
    state = opened(1, start=0)
    assert len(state.fund) == 2
    assert state.draft == (2, 2, 2, 2)
    shown = GAME.view(state, 0)
    assert [player.rival for player in shown.players] == [False, True]
    assert [draw.n for draw in GAME.draws(Options(), 1) if draw.label == "start"] == [2]
    ending = table(1, market=(1, 0, 3, 3), fund=["black 4"])
    assert after(ending, (0, buy("black"))).phase == "ended"
    starts = {next(iter(moments(seed, 1)))[0].start for seed in range(8)}
    assert starts == {0, 1}


def test_mr_10_2_it_drafts_any_legal_company():
    state = opened(1, start=0)
    draw = chance({"rival/1": 3})
    events = GAME.decide(state, 0, pick("black"), draw)
    assert events[:3] == [
        ShareDrafted(seat=0, company="black", next=1),
        RivalChose(number=1, candidates=4),
        ShareDrafted(seat=1, company="brown", next=1),
    ]
    assert [(label, n) for label, n, _ in draw.draws] == [("rival/1", 4), ("rival/2", 4)]
    found = Counter()
    for seed in range(400):
        dice = Chance(seed.to_bytes(32, "big"))
        found[GAME.decide(state, 0, pick("black"), dice)[2].company] += 1
    assert min(found.values()) > 60  # a hundred each on average


def test_mr_4_5_four_shares_are_left_over_in_solo_play_too():
    state = next(s for s, _ in moments(1, 1) if s.phase == "play")
    assert sum(state.draft) == 4


def test_mr_10_2_it_never_completes_an_equal_pair():
    for seed in range(60):
        pairs = next(s.shares for s, _ in moments(seed, 1) if s.phase == "play")
        assert pairs[0] != pairs[1]


@pytest.mark.parametrize(
    ("fund", "worth", "asset", "company"),
    [
        ("black 4 pink 4", "black 3 pink 5", "black 4 white 4 pink 4 brown 4", "pink"),
        ("black 4 pink 4", "black 3 pink 3", "black 4 white 4 pink 3 brown 4", "pink"),
        ("black 4 pink 4", "black 3 pink 3", "black 4 white 4 pink 4 brown 4", "black"),
        ("", "black 9", "black 4 white 4 pink 0 brown 4", "pink"),
        ("black 3", "black 9", "black 4 white 4 pink 4 brown 4", None),
        ("black 4", "black 2", "black 4 white 4 pink 4 brown 4", None),
    ],
)
def test_mr_10_3_1_it_buys_where_the_worth_is_high_or_the_share_free(fund, worth, asset, company):
    state = solo(fund=["", fund], worth=counts(worth), asset=counts(asset))
    assert good_purchase(state) == company
    if company:
        event, draws = act(state)
        assert (event.company, type(event), draws) == (company, ShareBought, [])


def test_mr_10_3_2_the_value_of_a_lay():
    state = solo(
        shares=["pink 1 black 1", "black 3 brown 2"], track={"white": "0,3", "pink": "0,3"}
    )
    site = board_of(state).site
    # 3 - 1 a hex; 2 * (1 + 2 brown shares) + 2 for the third colour
    assert lay_value(state, 0, site["N1b"]) == (2, 6 + 2)
    assert lay_value(state, 0, site["N1a"]) == (2, 2)
    assert lay_value(state, 2, site["S4a"]) == (-1, 2)
    off = replace(state, options=Options(three_colour_reading="off"))
    assert lay_value(off, 0, site["N1b"]) == (2, 6)


def test_mr_10_3_2_the_highest_value_then_fewer_cubes_then_by_lot():
    state = solo(asset=(4, 0, 0, 0), market=(3, 0, 0, 0))
    best = best_lays(state)  # nobody has a share: every lay is worth 2
    assert {(move.city, len(move.path)) for move in best} == {("N1a", 1), ("N1b", 1)}
    assert [(move.city, move.path) for move in best] == [
        ("N1a", ((0, 1),)),
        ("N1a", ((1, 0),)),
        ("N1b", ((0, 2),)),
        ("N1b", ((1, 2),)),
    ]
    for number, expected in enumerate(best):
        event, draws = act(state, {"rival/1": number})
        assert (event.path, event.city) == (expected.path, expected.city)
        assert draws == [("rival/1", 4, number)]


def test_mr_10_3_2_of_two_icons_the_one_of_which_it_has_more():
    own = solo(shares=["", "brown 1"], asset=(4, 0, 0, 0))
    assert {move.icon for move in best_lays(own)} == {"brown"}
    tie = solo(shares=["", "brown 1 pink 1"], asset=(4, 0, 0, 0))
    assert {move.icon for move in best_lays(tie)} == {"pink"}


def test_mr_10_3_2_a_tie_of_icons_goes_by_company_order_however_they_are_printed():
    city = replace(STANDARD.cities[1], icons=("brown", "pink"))
    site = Site(city, (0, 3), ALL)
    assert income_of(solo(), site) == NUMBER["pink"]
    assert income_of(solo(shares=["", "brown 1"]), site) == NUMBER["brown"]


@pytest.mark.parametrize(
    ("prices", "company"),
    [((0, 5, 4, 0), "pink"), ((0, 4, 5, 0), "white"), ((0, 4, 4, 0), "white")],
)
def test_mr_10_3_3_of_dear_and_cheap_shares_the_cheap_one(prices, company):
    state = solo(fund=["", "white 5 pink 5"], asset=prices, market=(0, 3, 3, 0), track=full())
    event, draws = act(state)
    assert (type(event), event.company, draws) == (ShareBought, company, [])


def test_mr_10_3_3_else_the_cheapest_share():
    state = solo(fund=["", "white 2 pink 2"], asset=(0, 1, 1, 0), market=(0, 3, 3, 0))
    assert not list(lays(state))
    event, draws = act(state)
    assert (event.company, event.price, draws) == ("white", 1, [])
    dear = solo(fund=["", "white 2 pink 2"])  # a lay comes first
    assert isinstance(act(dear)[0], TrackLaid)


def test_mr_10_3_4_else_it_passes():
    state = table(1, fund=["pink 4 brown 4"], track=full())
    events = decide(state, 0, buy("pink"))
    assert names(events) == ["ShareBought", "TurnPassed"]
    assert events[1].seat == RIVAL
    assert after(state, (0, buy("pink"))).turn == 0


def test_mr_10_4_easy_draws_target_then_route_then_icon():
    state = solo(options=EASY, fund=["", "pink 4"], asset=(2, 0, 4, 0), market=(3, 0, 3, 0))
    event, draws = act(state, {"rival/1": 1, "rival/1/route": 1, "rival/1/icon": 1})
    targets = {(move.company, move.city) for move in lays(state)}
    assert draws == [
        ("rival/1", len(targets) + 1, 1),
        ("rival/1/route", 2, 1),
        ("rival/1/icon", 2, 1),
    ]
    assert (event.city, event.path, event.income) == ("N1b", ((1, 2),), "brown")
    purchase, draws = act(state, {"rival/1": len(targets)})
    assert (purchase.company, len(draws)) == ("pink", 1)


def test_mr_10_4_easy_with_one_action_draws_nothing():
    state = solo(options=EASY, fund=["", "pink 1"], asset=(0, 0, 1, 0), market=(0, 0, 3, 0))
    lone = table(1, options=EASY, turn=RIVAL, asset=(0, 0, 0, 0), market=(0, 0, 3, 0))
    event, draws = act(lone)
    assert (event.company, draws) == ("pink", [])
    assert GAME.active_seats(state) == frozenset()


def test_mr_10_4_easy_is_even_over_pairs_not_over_lays():
    state = solo(options=EASY, asset=(3, 0, 0, 0), market=(0, 0, 0, 3))
    targets = Counter()
    for seed in range(600):
        event = rival_acts(state, Chance(seed.to_bytes(32, "big")))[-1]
        targets[getattr(event, "city", "buy")] += 1
    assert len(targets) >= 4
    assert min(targets.values()) > 600 / len(targets) * 0.6


@pytest.mark.parametrize(
    ("worth", "fund", "ranking"),
    [
        ((2, 0, 1, 0), ["", ""], ((0,), ())),
        ((1, 0, 2, 0), ["", ""], ((), (0,))),
        ((2, 0, 2, 0), ["brown", ""], ((0,), ())),
        ((2, 0, 2, 0), ["", "brown"], ((), (0,))),
        ((2, 0, 2, 0), ["brown", "white"], ((0,),)),  # a draw
    ],
)
def test_mr_10_5_won_lost_or_drawn(worth, fund, ranking):
    state = solo(worth=worth, fund=fund, shares=["black", "pink"])
    ended = evolve(state, scored(state, "sold_out"))
    assert GAME.outcome(ended).ranking == ranking
    assert GAME.outcome(ended).scores == (worth[0],)
    assert GAME.view(ended, 0).result.scores == (worth[0], worth[2])


@pytest.mark.parametrize("options", [Options(), EASY], ids=["normal", "easy"])
def test_mr_10_6_it_acts_in_the_same_command(options):
    for seed in range(6):
        for state, events in moments(seed, 1, options):
            assert state.turn in (0, None)
            assert GAME.active_seats(state) == ({0} if state.turn == 0 else frozenset())
            assert events


def test_mr_10_6_nobody_can_move_for_it():
    state = solo()
    with refused(state, "rival-plays-itself", "MR-10.1"):
        GAME.check(state, RIVAL, lay("black", "0,2", "Highmoor", "pink"))
    assert GAME.legal_moves(state, RIVAL) == ()


@pytest.mark.parametrize("options", [Options(), EASY], ids=["normal", "easy"])
def test_mr_11_7_its_draws_are_numbered_without_gaps(options):
    numbers = [
        event.number
        for _, events in moments(5, 1, options)
        for event in events
        if isinstance(event, RivalChose)
    ]
    assert numbers == [*range(1, len(numbers) + 1)]
    assert numbers
