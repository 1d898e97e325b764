"""Keeps a lease while a long thought goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from services.matches.thinking import LEASE_MS
from shared.errors import Unavailable
from shared.store import Lease, WorkQueue

EVERY_S = 2.0
"""A third of the lease: two renewals may fail before it is lost."""


class Holder:
    """`Hold` for a work queue: renews in a thread of its own for as long as the block lasts.

    What the block is given returns the newest lease; that one may have been lost meanwhile.
    """

    def __init__(self, work: WorkQueue, *, every_s: float = EVERY_S) -> None:
        self._work = work
        self._every_s = every_s

    @contextmanager
    def __call__(self, lease: Lease) -> Iterator[Callable[[], Lease]]:
        held = [lease]
        over = Event()

        def renew() -> None:
            while not over.wait(self._every_s):
                try:
                    renewed = self._work.renew(held[0], lease_ms=LEASE_MS)
                except Unavailable:
                    continue  # the store may be back in time
                if renewed is None:
                    return
                held[0] = renewed

        thread = Thread(target=renew, name=f"hold {lease.match}", daemon=True)
        thread.start()
        try:
            yield lambda: held[0]
        finally:
            over.set()
            thread.join()
