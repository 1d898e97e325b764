"""Which matches need work, as the domain sees it. Adapters: `memory_store.py`, `redis_work.py`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class WorkQueue(Protocol):
    """Marks that say *this match needs work*. A mark's score is a lease in the server's time.

    A mark is *waiting* (to be handed out from its time on), *handed out* (a task with it is on its
    way; anyone may take it) or *held* (until its lease runs out only the holder may go on). When
    its time has come, any mark may be handed out again or taken: so nothing is lost with a task
    or a worker. A mark is removed only by its holder, and only when nothing is left to do.

    An append makes a mark where there is none and brings a waiting one forward, never back; one
    that is handed out or held stays, as whoever works on it will see the new events.
    """

    def busy(self, now: int) -> list[int]:
        """Partitions where a mark is ready, or a `due` not after `now`: one look at all of them."""
        ...

    def offer(self, partitions: Sequence[int], *, limit: int, lease_ms: int) -> list[list[str]]:
        """Ids of each partition whose time has come, at most `limit` of each, in one round trip.

        They are not offered again for `lease_ms`.
        """
        ...

    def mark(self, match: str, *, in_ms: int = 0) -> None:
        """Makes sure that the match has a mark (an existing one is left as it is)."""
        ...

    def marked(self) -> list[str]:
        """Every match with a mark of any kind: its projections may be behind its log."""
        ...

    def take(self, match: str, *, lease_ms: int) -> Lease | None:
        """Holds a mark; `None` where there is none or somebody holds it.

        A mark that is still waiting is taken too: a pace is kept by whoever works on the match.
        """
        ...

    def take_many(self, matches: Sequence[str], *, lease_ms: int) -> list[Lease]:
        """The same for many in one round trip: the leases that were to be had."""
        ...

    def renew(self, lease: Lease, *, lease_ms: int) -> Lease | None:
        """Holds on; `None` where the lease was lost."""
        ...

    def release(self, lease: Lease, *, done_at: int | None, in_ms: int = 0) -> bool:
        """Gives a mark back.

        With `done_at`, the version the projection has reached, the mark is removed if that is the
        head and the lease is still ours. Otherwise it is offered again after `in_ms`.
        Returns whether the mark is gone.
        """
        ...

    def release_many(self, done: Sequence[tuple[Lease, int | None]]) -> None:
        """`release` for leases with their `done_at`, in one round trip."""
        ...

    def overdue(
        self, partitions: Sequence[int], now: int, *, limit: int, lease_ms: int
    ) -> list[list[str]]:
        """Matches of each partition whose `due` is not after `now` (ms since 1970).

        At most `limit` of each, the longest overdue first, in one round trip. Their `due` is moved
        to `now` + `lease_ms`, for the case that nobody acts on them.
        """
        ...

    def remind(self, match: str, at: int) -> None:
        """Moves a match's `due` forward to `at` where it is later, and there is one at all."""
        ...

    def oldest(self) -> int:
        """Age in ms of the oldest mark that is ready and not handed out; 0 where none is."""
        ...


@dataclass(frozen=True, slots=True)
class Lease:
    """A held mark. `tries` counts the takes since it was last given back or the match moved on."""

    match: str
    token: int
    tries: int
