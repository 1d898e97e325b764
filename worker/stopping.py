"""Tells the processes of a pool that their worker was asked to end."""

from __future__ import annotations

import mmap


class Stopping:
    """A flag that the processes forked later share with the one that made it."""

    def __init__(self) -> None:
        self._shared = mmap.mmap(-1, 1)

    def __call__(self) -> bool:
        """Whether it was asked."""
        return self._shared[0] != 0

    def ask(self, **facts: object) -> None:
        """Asks every process to end its work soon. A signal's handler may call it."""
        self._shared[0] = 1
