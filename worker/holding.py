"""Keeps a lease while long work goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Generic, TypeVar

from shared.errors import Unavailable

L = TypeVar("L")


class Holder(Generic[L]):
    """Renews a lease in a thread of its own for as long as the block lasts.

    What the block is given returns the newest lease; that one may have been lost meanwhile.

    Args:
        renew: the renewed lease, or `None` where it was lost.
        every_s: a third of the lease: two renewals may fail before it is lost.
    """

    def __init__(self, renew: Callable[[L], L | None], *, every_s: float) -> None:
        self._renew = renew
        self._every_s = every_s

    @contextmanager
    def __call__(self, lease: L) -> Iterator[Callable[[], L]]:
        held = [lease]
        over = Event()

        def renew() -> None:
            while not over.wait(self._every_s):
                try:
                    renewed = self._renew(held[0])
                except Unavailable:
                    continue  # the store may be back in time
                if renewed is None:
                    return
                held[0] = renewed

        thread = Thread(target=renew, name="hold", daemon=True)
        thread.start()
        try:
            yield lambda: held[0]
        finally:
            over.set()
            thread.join()
