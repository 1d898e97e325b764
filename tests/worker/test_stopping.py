"""A worker's processes learn that it was asked to end."""

from __future__ import annotations

import os

from worker.stopping import Stopping


def test_a_process_forked_earlier_is_told() -> None:
    stopping = Stopping()
    asked, told = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:  # nothing of the test may go on here
        os.read(asked[0], 1)
        os.write(told[1], b"yes" if stopping() else b"no")
        os._exit(0)
    assert not stopping()
    stopping.ask(sig="SIGTERM", how="Warm")
    os.write(asked[1], b"x")
    assert os.read(told[0], 3) == b"yes"
    os.waitpid(child, 0)
    assert stopping()
