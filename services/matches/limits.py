"""Ends a thought that takes too long: by a timer's signal, in the main thread."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from services.matches.playing import Stalled

LEAVE_S = 0.01
"""An outer time that is over meanwhile comes only after whoever gets the inner `Stalled` has it."""


@contextmanager
def limit(ms: int) -> Iterator[None]:
    """Raises `Stalled` inside its block after `ms` of real time, whatever Python code runs there.

    A block inside another one ends with whichever time is over first. Only for the main thread,
    where signals arrive. Code that never comes back to Python is ended by the task's hard limit.
    """
    armed = True

    def interrupt(number: int, frame: FrameType | None) -> None:
        if armed:
            raise Stalled

    # The timer fires once only, so that what the block does to clean up is not interrupted again.
    began = time.monotonic()
    earlier = signal.getsignal(signal.SIGALRM)
    outer_s, _ = signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        try:
            signal.signal(signal.SIGALRM, interrupt)
            signal.setitimer(signal.ITIMER_REAL, min(filter(None, (ms / 1000, outer_s))))
            yield
        finally:
            armed = False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, earlier)
        if outer_s:
            left_s = outer_s - (time.monotonic() - began)
            signal.setitimer(signal.ITIMER_REAL, max(left_s, LEAVE_S))
