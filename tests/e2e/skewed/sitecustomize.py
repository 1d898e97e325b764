"""Puts a process's clock ahead by the seconds in a file; Python runs this before anything else.

Only what asks the time is deceived, as by a clock that jumps: what measures a duration is not.
"""

import os
import time

_file = os.environ.get("CLOCK_AHEAD_FILE")
_true_ns = time.time_ns


def _ahead_ns() -> int:
    try:
        with open(_file, encoding="ascii") as told:
            return int(told.read()) * 1_000_000_000
    except FileNotFoundError:
        return 0


if _file is not None:
    time.time_ns = lambda: _true_ns() + _ahead_ns()
    time.time = lambda: time.time_ns() / 1e9
