"""The estimates, against an independent computation."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from services.series.statistics import Estimate, mean, quantile, wilson, win_rate
from services.series.student import Z, t_95
from services.series.tally import Spread, class_of, least

scores = st.lists(st.integers(-500, 5_000), min_size=2, max_size=60)


@pytest.mark.parametrize("n", [1, 2, 9, 100, 5_000])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.93, 1.0])
def test_the_rate_of_wins_has_wilsons_interval(n: int, share: float) -> None:
    wins = round(share * n)
    found = wilson(wins, n)
    wanted = stats.binomtest(wins, n).proportion_ci(0.95, method="wilson")
    assert found.value == wins / n
    assert found.low == pytest.approx(wanted.low, abs=1e-7)
    assert found.high == pytest.approx(wanted.high, abs=1e-7)
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= found.value <= found.high <= 1


def test_z_and_t_are_those_of_95_percent() -> None:
    assert stats.norm.ppf(0.975) == pytest.approx(Z, abs=1e-6)
    for df in [*range(1, 1_001), 5_000, 10**6]:
        assert t_95(df) == pytest.approx(stats.t.ppf(0.975, df), abs=2e-6)


Deal = Callable[[np.random.Generator], tuple[int, int]]
"""Draws the wins (or the score) of a deal, and how many matches it has."""


def on_its_own(rng: np.random.Generator) -> tuple[int, int]:
    return int(rng.random() < 0.3), 1


def often_alike(rng: np.random.Generator) -> tuple[int, int]:
    """Four matches, of which all or none are won in two deals of five."""
    alike = rng.random() < 0.4
    return (4 * int(rng.random() < 0.3), 4) if alike else (int(rng.binomial(4, 0.3)), 4)


def one_of_four(rng: np.random.Generator) -> tuple[int, int]:
    """A bot at three of four seats in four matches: it can't win at two seats at once."""
    return int(rng.binomial(4, 0.75)), 12


def luck_decides(rng: np.random.Generator) -> tuple[int, int]:
    """Two matches with the seats changed: in four of five deals one is won, whoever plays."""
    return (1, 2) if rng.random() < 0.8 else (int(rng.binomial(2, 0.6)), 2)


def luck_of_scores(rng: np.random.Generator) -> tuple[int, int]:
    """The score of two matches that depend on each other."""
    return int(2 * rng.integers(-50, 51) + rng.integers(-10, 11, size=2).sum()), 2


def coverage(
    estimate_of: Callable[[Spread], Estimate | None], draw: Deal, truth: float, deals: int
) -> float:
    """How often the interval has the truth in it."""
    rng = np.random.default_rng(deals)
    runs = 1_000 if deals < 100 else 400
    covered = 0
    for _ in range(runs):
        spread = Spread()
        for _ in range(deals):
            spread.note(*draw(rng))
        estimate = estimate_of(spread)
        assert estimate is not None
        assert estimate.low is not None
        assert estimate.high is not None
        covered += estimate.low <= truth <= estimate.high
    return covered / runs


@pytest.mark.parametrize("deals", [3, 10, 30, 300])
@pytest.mark.parametrize(
    ("draw", "rate"),
    [(on_its_own, 0.3), (often_alike, 0.3), (one_of_four, 0.25), (luck_decides, 0.52)],
)
def test_a_rate_of_wins_covers_the_truth_with_few_deals_and_with_many(
    draw: Deal, rate: float, deals: int
) -> None:
    # Wins are whole numbers, so that of 30 even independent matches it is 93 % (Wilson's own).
    assert coverage(win_rate, draw, rate, deals) >= 0.9


@pytest.mark.parametrize(("draw", "rate"), [(one_of_four, 0.25), (luck_decides, 0.52)])
def test_a_rate_of_wins_promises_no_less_than_it_knows(draw: Deal, rate: float) -> None:
    """Wilson's plain interval has the truth in it nearly always here: it is twice too wide."""
    assert coverage(win_rate, draw, rate, 300) <= 0.98
    assert coverage(lambda won: wilson(won.y, won.m), draw, rate, 300) > 0.99


def test_deals_that_are_won_or_lost_as_a_whole_are_worth_one_match_each() -> None:
    plain = coverage(lambda won: wilson(won.y, won.m), often_alike, 0.3, 300)
    assert plain < 0.9 < coverage(win_rate, often_alike, 0.3, 300)


@pytest.mark.parametrize(
    "deals", [[(1, 1), (0, 1), (1, 1)], [(3, 4)], [(1, 2)] * 9, [(2, 2)] * 5, [(0, 4)] * 5]
)
def test_where_deals_tell_no_variance_of_wins_it_is_wilsons_interval(
    deals: list[tuple[int, int]],
) -> None:
    won = Spread()
    for wins, matches in deals:
        won.note(wins, matches)
    assert win_rate(won) == wilson(won.y, won.m)
    assert win_rate(Spread()) is None


def test_many_deals_of_many_matches_give_the_variance_over_deals() -> None:
    """Against the effective size by its definition, from the residuals in floats."""
    rng = np.random.default_rng(4)
    drawn = np.array([often_alike(rng) for _ in range(2_000)], dtype=float)
    won = Spread()
    for wins, matches in drawn:
        won.note(int(wins), int(matches))
    y, m = drawn.T
    rate = y.sum() / m.sum()
    error = math.sqrt(len(y) * np.var(y - rate * m, ddof=1)) / m.sum()
    estimate = win_rate(won)
    assert estimate is not None
    assert estimate.high is not None
    assert estimate.low is not None
    assert (estimate.high - estimate.low) / 2 == pytest.approx(Z * error, rel=0.01)


@settings(deadline=None)
@given(scores)
def test_with_one_match_a_deal_it_is_the_interval_of_a_mean(found: list[int]) -> None:
    spread = Spread()
    for score in found:
        spread.note(score, 1)
    estimate = mean(spread)
    assert estimate is not None
    assert estimate.low is not None
    assert estimate.high is not None
    assert estimate.value == pytest.approx(np.mean(found))
    half = stats.t.ppf(0.975, len(found) - 1) * stats.sem(found)
    assert estimate.high - estimate.low == pytest.approx(2 * half, rel=1e-6, abs=1e-9)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(-500, 5_000), st.integers(1, 6)), min_size=2, max_size=40))
def test_over_deals_it_is_a_ratio_estimator(deals: list[tuple[int, int]]) -> None:
    spread = Spread()
    for y, m in deals:
        spread.note(y, m)
    estimate = mean(spread)
    assert estimate is not None
    assert estimate.low is not None
    assert estimate.high is not None
    y, m = (np.array(column, dtype=float) for column in zip(*deals, strict=True))
    ratio = y.sum() / m.sum()
    # The residuals have mean 0, so this is their ordinary variance.
    residuals = y - ratio * m
    error = math.sqrt(len(deals) * np.var(residuals, ddof=1)) / m.sum()
    t = stats.t.ppf(0.975, len(deals) - 1)
    assert estimate.value == pytest.approx(ratio, rel=1e-9, abs=1e-9)
    assert (estimate.high - estimate.low) / 2 == pytest.approx(t * error, rel=1e-6, abs=1e-9)


def test_matches_of_one_deal_are_no_independent_witnesses() -> None:
    alone, paired = Spread(), Spread()
    for score in (0, 10, 0, 10, 10, 0):
        paired.note(4 * score, 4)
        for _ in range(4):
            alone.note(score, 1)
    one, other = mean(alone), mean(paired)
    assert one is not None
    assert other is not None
    assert one.value == other.value
    assert other.high is not None
    assert one.high is not None
    assert other.high > one.high


def test_of_one_deal_there_is_no_interval_and_of_none_no_mean() -> None:
    assert mean(Spread()) is None
    spread = Spread()
    spread.note(7, 2)
    assert mean(spread) == (3.5, None, None)


@pytest.mark.parametrize("deals", [2, 3, 5, 30, 300])
def test_a_mean_score_covers_the_truth_with_few_deals_and_with_many(deals: int) -> None:
    assert 0.93 <= coverage(mean, luck_of_scores, 0, deals) <= 0.98


@given(st.integers(0, 10**7))
def test_a_class_holds_what_lies_between_its_ends(n: int) -> None:
    number = class_of(n)
    assert least(number) <= n < least(number + 1)
    assert n < 2 or least(number + 1) / least(number) < 2 ** (1 / 4) + 1 / n * 2


@settings(deadline=None)
@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=100), st.sampled_from([50, 99]))
def test_a_quantile_lies_in_the_class_that_is_told(times: list[int], percent: int) -> None:
    histogram: dict[int, int] = {}
    for us in times:
        histogram[class_of(us)] = histogram.get(class_of(us), 0) + 1
    number = quantile(histogram, Fraction(percent, 100))
    exact = int(np.percentile(times, percent, method="inverted_cdf"))
    assert number == class_of(exact)


def test_nothing_has_no_quantile() -> None:
    assert quantile({}, Fraction(1, 2)) is None
