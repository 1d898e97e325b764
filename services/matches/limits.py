"""Ends a thought that takes too long, or is not wanted any more: by a timer's signal, in the main
thread."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NamedTuple

from services.matches.playing import Stalled, Stopped

LEAVE_S = 0.01
"""An outer time that is over meanwhile comes only after whoever gets the inner `Stalled` has it."""

LOOK_S = 0.5
"""So often a thought that may be stopped is interrupted to look whether it was."""


class _Watch(NamedTuple):
    """A block that may be stopped, and when its time is over, s."""

    until: float
    stop: Callable[[], bool]


_armed = False
"""Whether the innermost block that is running may be interrupted."""

_watch: _Watch | None = None
"""The innermost block, where that one may be stopped."""


@contextmanager
def limit(ms: int, stop: Callable[[], bool] | None = None) -> Iterator[None]:
    """Raises `Stalled` inside its block after `ms` of real time, whatever Python code runs there.

    With a `stop` it raises `Stopped` there soon after (`LOOK_S`) that one says so. A block inside
    another one ends with whichever time is over first; while it lasts, its own `stop` alone is
    asked.
    Only for the main thread, where signals arrive. Code that never comes back to Python is ended by
    the task's hard limit.
    """
    global _armed, _watch
    # The timer fires once only, so that what the block does to clean up is not interrupted again.
    began = time.monotonic()
    outer_s, _ = signal.setitimer(signal.ITIMER_REAL, 0)
    outer_armed, outer, earlier = _armed, _watch, signal.getsignal(signal.SIGALRM)
    if outer is not None:
        outer_s = max(outer.until - began, LEAVE_S)
    try:
        try:
            if earlier is not _interrupt:
                signal.signal(signal.SIGALRM, _interrupt)
            seconds = min(filter(None, (ms / 1000, outer_s)))
            _watch = None if stop is None else _Watch(began + seconds, stop)
            _armed = True
            _set_timer(seconds)
            yield
        finally:
            _armed = False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        # Where nobody else handled the signal ours stays, and does nothing: setting it takes longer
        # than a quick bot's whole move.
        if earlier not in (_interrupt, signal.SIG_DFL):
            signal.signal(signal.SIGALRM, earlier)
        _armed, _watch = outer_armed, outer
        if outer_s:
            left_s = outer_s - (time.monotonic() - began)
            _set_timer(max(left_s, LEAVE_S))


def _set_timer(seconds: float) -> None:
    signal.setitimer(signal.ITIMER_REAL, seconds if _watch is None else min(seconds, LOOK_S))


def _interrupt(number: int, frame: FrameType | None) -> None:
    if not _armed:
        return
    if _watch is None:
        raise Stalled
    if _watch.stop():
        raise Stopped
    left_s = _watch.until - time.monotonic()
    if left_s <= 0:
        raise Stalled
    _set_timer(left_s)
