"""MR-8.2 to 8.6: dividends, places and the result."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from services.games.mint_rails import GAME
from services.games.mint_rails.evolve import evolve
from services.games.mint_rails.scoring import groups, places, scored, shared_out
from services.games.mint_rails.state import Payout, Take
from tests.games.mint_rails.plain import dividends
from tests.games.mint_rails.table import after, buy, table


def payout(worth, fund, shares):
    """What each player gets from black and what is discarded; funds and shares by player."""
    state = table(
        len(fund),
        fund=[f"black {f}" for f in fund],
        shares=[f"black {s}" for s in shares],
        worth=(worth, 0, 0, 0),
    )
    passes, discarded = shared_out(worth, groups(state, 0))
    taken = Counter(dict.fromkeys(range(len(fund)), 0))
    for take in (take for turn in passes for take in turn):
        taken[take.seat] += take.cubes
    return [taken[seat] for seat in range(len(fund))], discarded


def test_mr_8_2_1_without_shareholders_nothing_is_paid():
    assert payout(9, [3, 1], [0, 0]) == ([0, 0], 0)
    assert payout(0, [3, 1], [1, 1]) == ([0, 0], 0)


def test_mr_8_2_2_by_fund_then_by_shares():
    assert payout(1, [1, 2], [3, 1]) == ([0, 1], 0)
    assert payout(2, [1, 1], [1, 2]) == ([0, 2], 0)


def test_mr_8_2_3_again_and_again_until_the_pile_is_empty():
    assert payout(10, [4, 0], [1, 3]) == ([3, 7], 0)
    assert payout(3, [4, 0], [1, 3]) == ([1, 2], 0)  # what is left, if that is fewer


def test_mr_8_2_4_a_tied_group_takes_equally_and_the_rest_is_discarded():
    assert payout(7, [2, 2], [2, 2]) == ([3, 3], 1)
    assert payout(3, [2, 2, 1], [2, 2, 1]) == ([1, 1, 0], 1)


HOLDERS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=4)


@given(worth=st.integers(0, 30), holders=HOLDERS)
def test_mr_8_2_agrees_with_a_plain_reading(worth, holders):
    taken, discarded = payout(worth, *zip(*holders, strict=True))
    expected, lost = dividends(worth, dict(enumerate(holders)))
    assert taken == [expected[player] for player in range(len(holders))]
    assert discarded == lost
    if any(shares for _, shares in holders):
        assert sum(taken) + discarded == worth


def test_mr_8_3_most_dividend_cubes_win():
    state = table(3, shares=["black", "pink", "white 2"], worth=(3, 1, 5, 9))
    event = scored(state, "sold_out")
    assert event.scores == (3, 5, 1)
    assert event.places == (2, 1, 3)


def test_mr_8_4_the_higher_sum_of_funds_breaks_a_tie():
    state = table(2, fund=["brown 2", "brown 3"], shares=["black", "pink"], worth=(4, 0, 4, 0))
    assert scored(state, "sold_out").places == (2, 1)


def test_mr_8_4_an_equal_sum_shares_the_win():
    state = table(2, fund=["brown 3", "white 3"], shares=["black", "pink"], worth=(4, 0, 4, 0))
    event = scored(state, "sold_out")
    assert event.places == (1, 1)
    assert GAME.outcome(evolve(state, event)).ranking == ((0, 1),)


def test_mr_8_5_equal_keys_share_a_place_and_the_next_is_skipped():
    assert places(table(3), [5, 5, 2]) == (1, 1, 3)
    assert places(table(4), [2, 7, 2, 7]) == (3, 1, 3, 1)
    state = table(3, shares=["black", "pink", "white"], worth=(5, 2, 5, 0))
    ended = evolve(state, scored(state, "sold_out"))
    assert GAME.outcome(ended).ranking == ((0, 1), (2,))


def test_mr_8_6_every_payout_pass_by_pass_and_the_final_map():
    state = table(
        market=(1, 0, 3, 3),
        fund=["black 5", "black 2"],
        shares=["black", "black"],
        worth=(7, 0, 0, 0),
        track={"pink": "1,4 0,4 0,3"},
    )
    shown = GAME.view(after(state, (0, buy("black"))), None)
    assert shown.companies[2].cubes == ((1, 4), (0, 4), (0, 3))
    payouts = shown.result.payouts
    assert [paid.company for paid in payouts] == ["black", "white", "pink", "brown"]
    passes = (Take(1, 1), Take(0, 2)), (Take(1, 1), Take(0, 2)), (Take(1, 1),)
    assert payouts[0] == Payout(company="black", worth=7, passes=passes, discarded=0)
    assert shown.result.scores == (4, 3)
