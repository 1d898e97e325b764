"""Estimates from whole sums: the only floats of a series, made when it is looked at."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

from services.series.student import Z, t_95
from services.series.tally import Histogram, Spread


class Estimate(NamedTuple):
    """A value with its 95 % interval; no interval where there is too little data for one."""

    value: float
    low: float | None
    high: float | None


def win_rate(won: Spread) -> Estimate | None:
    """The rate of wins; `None` without a match.

    Matches of one deal depend on each other, and so do several seats of one bot in a match. So the
    interval is Wilson's for the number of independent tries that would be as certain: that of the
    matches by the design effect, which is the rate's variance over deals beside that of independent
    tries (L. Kish, *Survey Sampling*, 1965, section 8.2), and by the square of t over z, as this
    variance itself is known from few deals (E. L. Korn and B. I. Graubard, "Confidence Intervals
    for Proportions with Small Expected Number of Positive Counts Estimated from Survey Data",
    Survey Methodology 24, 1998).

    It is the plain one where each deal has one match, and where the deals tell no variance: a
    single one, or all alike.
    """
    wins, n, deals = won.y, won.m, won.deals
    if n == 0:
        return None
    squares = _squares(won)
    if deals == n or deals < 2 or squares == 0 or not 0 < wins < n:
        return wilson(wins, n)
    over_deals = Fraction(deals * squares, (deals - 1) * n**4)
    independent = Fraction(wins * (n - wins), n**3)
    tries = float(n * independent / over_deals) * (Z / t_95(deals - 1)) ** 2
    return wilson(wins, n, tries)


def wilson(wins: int, n: int, tries: float | None = None) -> Estimate:
    """The rate of wins in `n` (at least 1) with the score interval, for as many independent tries.

    E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", Journal of
    the American Statistical Association 22 (1927).
    """
    rate, zz, t = wins / n, Z * Z, tries or n
    middle = (rate + zz / (2 * t)) / (1 + zz / t)
    half = Z / (1 + zz / t) * math.sqrt(rate * (1 - rate) / t + zz / (4 * t * t))
    # Where all are won or lost, rounding may leave a bound a hair on the wrong side of the rate.
    return Estimate(rate, min(max(middle - half, 0.0), rate), max(min(middle + half, 1.0), rate))


def mean(spread: Spread) -> Estimate | None:
    """The mean score of a match; `None` without one.

    Matches of one deal depend on each other, so the interval is that of a ratio estimator over
    deals (W. G. Cochran, *Sampling Techniques*, 3rd ed. 1977, chapter 6), by Student's t: with one
    match a deal it is the ordinary one of a mean.
    """
    m, deals = spread.m, spread.deals
    if m == 0:
        return None
    value = spread.y / m
    if deals < 2:
        return Estimate(value, None, None)
    error = math.sqrt(Fraction(deals * _squares(spread), (deals - 1) * m**4))
    half = t_95(deals - 1) * error
    return Estimate(value, value - half, value + half)


def _squares(spread: Spread) -> int:
    """The sum over deals of (y_g - (y/m) m_g)^2, times m^2 to stay whole."""
    y, m = spread.y, spread.m
    return spread.yy * m * m - 2 * y * m * spread.ym + y * y * spread.mm


def quantile(histogram: Histogram, share: Fraction) -> int | None:
    """The class that the quantile lies in: the first one that `share` of all do not exceed."""
    total = sum(histogram.values())
    seen = 0
    for number in sorted(histogram):
        seen += histogram[number]
        if seen >= share * total:
            return number
    return None
