"""Estimates from whole sums: the only floats of a series, made when it is looked at."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

from services.series.tally import Histogram, Spread

Z = 1.959964
"""Of the normal distribution: 95 % lie within."""


class Estimate(NamedTuple):
    """A value with its 95 % interval; no interval where there is too little data for one."""

    value: float
    low: float | None
    high: float | None


def wilson(wins: int, n: int) -> Estimate:
    """The rate of wins in `n` (at least 1) tries with the score interval.

    E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", Journal of
    the American Statistical Association 22 (1927).
    """
    rate, zz = wins / n, Z * Z
    middle = (rate + zz / (2 * n)) / (1 + zz / n)
    half = Z / (1 + zz / n) * math.sqrt(rate * (1 - rate) / n + zz / (4 * n * n))
    # Where all are won or lost, rounding may leave a bound a hair on the wrong side of the rate.
    return Estimate(rate, min(max(middle - half, 0.0), rate), max(min(middle + half, 1.0), rate))


def mean(spread: Spread) -> Estimate | None:
    """The mean score of a match; `None` without one.

    Matches of one deal depend on each other, so the interval is that of a ratio estimator over
    deals (W. G. Cochran, *Sampling Techniques*, 3rd ed. 1977, chapter 6): with one match a deal it
    is the ordinary one of a mean.
    """
    y, m, deals = spread.y, spread.m, spread.deals
    if m == 0:
        return None
    value = y / m
    if deals < 2:
        return Estimate(value, None, None)
    # sum of (y_g - (y/m) m_g)^2, times m^2 to stay whole.
    squares = spread.yy * m * m - 2 * y * m * spread.ym + y * y * spread.mm
    half = Z * math.sqrt(Fraction(deals * squares, (deals - 1) * m**4))
    return Estimate(value, value - half, value + half)


def quantile(histogram: Histogram, share: Fraction) -> int | None:
    """The class that the quantile lies in: the first one that `share` of all do not exceed."""
    total = sum(histogram.values())
    seen = 0
    for number in sorted(histogram):
        seen += histogram[number]
        if seen >= share * total:
            return number
    return None
