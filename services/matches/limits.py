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

_armed = False
"""Whether the innermost block that is running may be interrupted."""


@contextmanager
def limit(ms: int) -> Iterator[None]:
    """Raises `Stalled` inside its block after `ms` of real time, whatever Python code runs there.

    A block inside another one ends with whichever time is over first. Only for the main thread,
    where signals arrive. Code that never comes back to Python is ended by the task's hard limit.
    """
    global _armed
    # The timer fires once only, so that what the block does to clean up is not interrupted again.
    began = time.monotonic()
    outer_s, _ = signal.setitimer(signal.ITIMER_REAL, 0)
    outer_armed, earlier = _armed, signal.getsignal(signal.SIGALRM)
    try:
        try:
            if earlier is not _interrupt:
                signal.signal(signal.SIGALRM, _interrupt)
            _armed = True
            signal.setitimer(signal.ITIMER_REAL, min(filter(None, (ms / 1000, outer_s))))
            yield
        finally:
            _armed = False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        # Where nobody else handled the signal ours stays, and does nothing: setting it takes longer
        # than a quick bot's whole move.
        if earlier not in (_interrupt, signal.SIG_DFL):
            signal.signal(signal.SIGALRM, earlier)
        _armed = outer_armed
        if outer_s:
            left_s = outer_s - (time.monotonic() - began)
            signal.setitimer(signal.ITIMER_REAL, max(left_s, LEAVE_S))


def _interrupt(number: int, frame: FrameType | None) -> None:
    if _armed:
        raise Stalled
