"""A thought ends in time, whatever it does."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator

import pytest

from services.matches.limits import LOOK_S, limit
from services.matches.playing import Stalled, Stopped


def endless() -> None:
    while True:
        pass


def endless_though_it_swallows_errors() -> None:
    while True:
        try:
            endless()
        except Exception:  # a bot that is written so; `Stalled` must come through
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


@pytest.fixture
def nobody_else() -> Iterator[None]:
    """No handler and no timer but those of the test, as in a worker."""
    timer = signal.setitimer(signal.ITIMER_REAL, 0)
    handler = signal.signal(signal.SIGALRM, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, *timer)


@pytest.mark.usefixtures("nobody_else")
def test_one_block_after_the_other_ends_in_time_and_is_left_alone_then() -> None:
    for _ in range(3):
        with pytest.raises(Stalled), limit(20):
            endless()
        with limit(10_000):
            pass
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
        signal.raise_signal(signal.SIGALRM)  # one that came too late harms nobody


@pytest.mark.usefixtures("nobody_else")
def test_blocks_lie_in_each_other_where_nobody_else_has_a_timer() -> None:
    def one_inside_is_over_first() -> None:
        with pytest.raises(Stalled), limit(20):
            endless()
        with limit(20):
            pass
        endless()

    with pytest.raises(Stalled), limit(100):
        one_inside_is_over_first()


@pytest.mark.usefixtures("nobody_else")
def test_a_handler_that_came_later_gets_its_signal_back() -> None:
    with limit(10_000):
        pass
    seen: list[int] = []
    signal.signal(signal.SIGALRM, lambda number, frame: seen.append(number))
    with pytest.raises(Stalled), limit(20):
        endless()
    signal.raise_signal(signal.SIGALRM)
    assert seen == [signal.SIGALRM]


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


def asked_after(seconds: float) -> Callable[[], bool]:
    at = time.monotonic() + seconds
    return lambda: time.monotonic() >= at


def test_a_thought_that_is_not_wanted_any_more_is_stopped_soon() -> None:
    began = time.monotonic()
    with pytest.raises(Stopped), limit(60_000, asked_after(0.1)):
        endless_though_it_swallows_errors()
    assert 0.1 <= time.monotonic() - began < 0.1 + LOOK_S + 1


def test_what_may_be_stopped_is_not_stopped_before_its_time() -> None:
    began = time.monotonic()
    ms = round(2500 * LOOK_S)
    with pytest.raises(Stalled), limit(ms, lambda: False):
        endless()
    assert ms / 1000 <= time.monotonic() - began < ms / 1000 + 1


def test_who_cleans_up_after_a_stop_is_left_alone() -> None:
    def clean_up() -> None:
        try:
            endless()
        finally:
            time.sleep(1.5 * LOOK_S)

    with pytest.raises(Stopped), limit(60_000, lambda: True):
        clean_up()


def test_a_block_that_may_be_stopped_goes_on_after_one_inside() -> None:
    def others_inside_first() -> None:
        with pytest.raises(Stalled), limit(20):
            endless()
        with limit(10_000):
            pass
        endless()

    with pytest.raises(Stopped), limit(60_000, asked_after(0.1)):
        others_inside_first()


def test_the_time_of_a_block_that_may_be_stopped_holds_inside_too() -> None:
    began = time.monotonic()
    with pytest.raises(Stalled), limit(round(1500 * LOOK_S), lambda: False), limit(60_000):
        endless()
    assert LOOK_S < time.monotonic() - began < 1.5 * LOOK_S + 1
