"""What the kernel and the services tell of themselves, for metrics and logs.

Whoever listens must not raise and must not wait. The listener that counts is
`services/watching/play.py`; nothing here knows how.
"""

from __future__ import annotations

from typing import Protocol

from shared.errors import Unavailable
from shared.store import Append, Appended, Repeated, TokenRevoked, VersionConflict

OUTCOMES: dict[type, str] = {
    Appended: "stored",
    Repeated: "repeated",
    VersionConflict: "conflict",
    TokenRevoked: "revoked",
    Unavailable: "unavailable",
}
"""What an append answered or raised -> how it ended."""

FAILED = "failed"
"""How an append ended that raised anything else."""


class Observer(Protocol):
    """Listens to one process."""

    def appended(self, command: Append, outcome: str, seconds: float) -> None:
        """A command went to the store, and how that ended (see `OUTCOMES`)."""
        ...

    def thought(self, game: str, level: str, seconds: float) -> None:
        """A bot was asked for a move, and answered or not."""
        ...

    def fault(self, game: str, kind: str) -> None:
        """A bot gave no legal move: it `raised`, was `illegal` or `stalled`."""
        ...


class Nobody:
    """Listens to nothing."""

    def appended(self, command: Append, outcome: str, seconds: float) -> None:
        pass

    def thought(self, game: str, level: str, seconds: float) -> None:
        pass

    def fault(self, game: str, kind: str) -> None:
        pass


NOBODY = Nobody()
