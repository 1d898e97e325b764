"""What is ahead of a clock that jumps."""

from __future__ import annotations

from shared.clocks import LONGEST_MS, ahead


def test_a_time_is_ahead_until_it_has_come() -> None:
    assert [ahead(1_000, now, 500) for now in (500, 999, 1_000, 5_000)] == [
        True,
        True,
        False,
        False,
    ]


def test_what_a_clock_that_was_set_back_left_ahead_has_come() -> None:
    assert not ahead(1_000, 499, 500)
    assert not ahead(LONGEST_MS + 1, 0)
    assert ahead(LONGEST_MS, 0)
