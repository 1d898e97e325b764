"""The estimates, against an independent computation."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from services.series.statistics import Z, mean, quantile, wilson
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


def test_z_is_that_of_95_percent() -> None:
    assert stats.norm.ppf(0.975) == pytest.approx(Z, abs=1e-6)


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
    half = Z * stats.sem(found)
    assert estimate.high - estimate.low == pytest.approx(2 * half, rel=1e-9, abs=1e-9)


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
    assert estimate.value == pytest.approx(ratio, rel=1e-9, abs=1e-9)
    assert (estimate.high - estimate.low) / 2 == pytest.approx(Z * error, rel=1e-6, abs=1e-9)


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


def test_an_interval_covers_the_truth_as_often_as_it_says() -> None:
    """1,000 series of 100 deals, each with two matches that depend on each other."""
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(1_000):
        luck = rng.integers(-50, 51, size=100)
        own = rng.integers(-10, 11, size=(100, 2))
        spread = Spread()
        for deal in range(100):
            spread.note(int(2 * luck[deal] + own[deal].sum()), 2)
        estimate = mean(spread)
        assert estimate is not None
        assert estimate.low is not None
        assert estimate.high is not None
        covered += estimate.low <= 0 <= estimate.high
    assert 0.93 <= covered / 1_000 <= 0.97


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
