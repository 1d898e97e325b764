"""Times that are still to come, by a clock that may jump."""

from __future__ import annotations

DAY_MS = 86_400_000

LONGEST_MS = 600_000
"""No lease and no pause in a store is longer: see `lua/marks.lua` and `lua/series.lua`."""


def ahead(until: int, now: int, length: int = LONGEST_MS) -> bool:
    """Whether a time that was set `length` ahead, at most, is still to come.

    What is further ahead was set by a clock that has been set back since, and has come, too:
    nobody waits for hours because a clock was wrong for a moment.
    """
    return 0 < until - now <= length
