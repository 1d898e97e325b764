"""A thought ends in time, whatever it does."""

from __future__ import annotations

import signal
import time

import pytest

from services.matches.limits import limit
from services.matches.playing import Stalled


def endless() -> None:
    while True:
        pass


def endless_though_it_swallows_errors() -> None:
    while True:
        try:
            endless()
        except Exception:
            continue


def test_an_endless_loop_is_interrupted() -> None:
    began = time.monotonic()
    with pytest.raises(Stalled), limit(50):
        endless()
    assert 0.05 <= time.monotonic() - began < 1


def test_swallowing_every_exception_does_not_help() -> None:
    with pytest.raises(Stalled), limit(50):
        endless_though_it_swallows_errors()


def test_waiting_does_not_help() -> None:
    with pytest.raises(Stalled), limit(50):
        time.sleep(60)


def test_who_is_in_time_is_left_alone() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with limit(30):
        pass
    time.sleep(0.05)
    assert signal.getsignal(signal.SIGALRM) is before


def test_an_inner_limit_ends_the_inner_block_only() -> None:
    with limit(10_000):
        with pytest.raises(Stalled), limit(30):
            endless()
        left, _ = signal.getitimer(signal.ITIMER_REAL)
        assert 5 < left < 10


def test_an_outer_limit_ends_the_inner_block_too() -> None:
    began = time.monotonic()
    with pytest.raises(Stalled), limit(50), limit(60_000):
        endless()
    assert time.monotonic() - began < 1


def test_an_outer_limit_that_was_swallowed_inside_still_comes() -> None:
    def swallow_the_first() -> None:
        with pytest.raises(Stalled), limit(60_000):
            endless()
        endless()

    with pytest.raises(Stalled), limit(30):
        swallow_the_first()


def test_many_limits_in_a_row_leave_nothing_behind() -> None:
    before = signal.getsignal(signal.SIGALRM)
    for _ in range(200):
        try:
            with limit(1):
                time.sleep(0.001)
        except Stalled:
            pass
    assert signal.getsignal(signal.SIGALRM) is before
