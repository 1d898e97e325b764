"""The quantile of Student's t that 95 % intervals from few deals need."""

from __future__ import annotations

import math
from functools import lru_cache

Z = 1.959964
"""Of the normal distribution: 95 % lie within."""

EXACT = 200
"""Up to so many degrees of freedom the distribution is summed; beyond, a series does as well."""

HALVINGS = 60


@lru_cache(maxsize=256)
def t_95(df: int) -> float:
    """95 % of Student's distribution with `df` (at least 1) degrees of freedom lie within ± this.

    The distribution of whole degrees of freedom is a finite sum (M. Abramowitz and I. A. Stegun,
    *Handbook of Mathematical Functions*, 1964, 26.7.3 and 26.7.4), which is inverted by halving;
    for many of them the expansion 26.7.5 around the normal quantile is taken.
    """
    if df > EXACT:
        return Z + (Z**3 + Z) / (4 * df) + (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * df * df)
    low, high = 0.0, math.pi / 2
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, df) < 0.95 else (low, middle)
    return math.sqrt(df) * math.tan(low)


def _within(angle: float, df: int) -> float:
    """How much of the distribution lies within ± sqrt(df) tan(angle)."""
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = df % 2
    term, total = (cosine if odd else 1.0), 0.0
    for step in range(2 + odd, df + 1, 2):
        total += term
        term *= cosine * cosine * (step - 1) / step
    return 2 / math.pi * (angle + sine * total) if odd else sine * total
