"""Where series are kept while they are played: who works at which chunk, and what was counted.

A series is split into chunks. A chunk is *taken* under a lease, *saved* as often as one likes, and
*finished* once: whoever lost the lease is refused, so nothing is counted twice. All sums are opaque
bytes here. Adapters: `MemorySeries` and `RedisSeries`, held to one suite
(`tests/shared/test_series_store.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Status = Literal["running", "paused", "cancelled", "done"]
Answer = Literal["kept", "lost", "gone"]
"""What became of a save or finish: the lease was lost, or the series was deleted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRecord:
    """A series to be stored. `body` is the hash of the request that asked for it."""

    id: str
    owner: str
    body: str
    spec: bytes
    chunks: int
    at_once: int
    created_at: int


@dataclass(frozen=True, slots=True)
class Counts:
    """Of a chunk: matches played, matches that failed, moves of those played."""

    done: int = 0
    failed: int = 0
    moves: int = 0


def total(counts: Iterable[Counts]) -> Counts:
    """The counts of many chunks together."""
    found = list(counts)
    return Counts(
        sum(each.done for each in found),
        sum(each.failed for each in found),
        sum(each.moves for each in found),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A series as it stands.

    Times are ms since 1970; those after `created_at` are the server's. `ran_ms` is how long it ran
    up to now, from the first take, without pauses. `held` is the number of chunks under a lease.
    `born` tells it from any other that had the same id: no two are ever the same.
    """

    id: str
    owner: str
    body: str
    spec: bytes
    status: Status
    created_at: int
    started_at: int | None
    ended_at: int | None
    ran_ms: int
    counts: Counts
    held: int
    born: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A chunk under a lease.

    `tries` counts the takes since it was last saved; `part` is what was saved then. No lease of any
    series ever has the `token` of another one of the same id; `born` is the series'.
    """

    series: str
    born: int
    chunk: int
    token: int
    tries: int
    part: bytes | None


class SeriesStore(Protocol):
    """Series by id. Every method is one moment; leases run in the server's time."""

    def create(self, new: NewRecord, *, limit: int) -> Record | None:
        """Stores a series that runs from now on; one that exists is left as it is and returned.

        `None` where its owner has `limit` series that are not over.
        """
        ...

    def get(self, series: str) -> Record | None:
        """A series by its id."""
        ...

    def page(self, owner: str, *, after: tuple[int, str] | None, limit: int) -> list[Record]:
        """An owner's series by creation, then id, after a cursor of both."""
        ...

    def set_status(
        self, series: str, *, before: Collection[Status], after: Status
    ) -> Record | None:
        """Changes the status where it is one of `before`; the record as it is then.

        With `cancelled` and `done` every lease is lost. `None` for an unknown series.
        """
        ...

    def delete(self, series: str) -> bool:
        """Forgets a series; whether it was there. Its id and birth stay until `forget`."""
        ...

    def deleted(self, *, before: int, limit: int) -> list[tuple[str, int]]:
        """Id and birth of series deleted before that time (ms since 1970), the first ones first."""
        ...

    def forget(self, series: str, born: int) -> None:
        """Nothing of a deleted series is left anywhere."""
        ...

    def over(self, *, before: int, limit: int) -> list[tuple[str, str]]:
        """Id and owner of series that were over before that time (ms since 1970), in any order.

        It looks at every series: not for who is in a hurry.
        """
        ...

    def active(self) -> list[tuple[str, int]]:
        """Running series, by creation, with how many of their chunks could be taken now."""
        ...

    def take(self, series: str, *, lease_ms: int) -> Held | None:
        """Holds the lowest chunk that nobody holds.

        `None` where the series does not run, nothing is free, or `at_once` chunks are held.
        """
        ...

    def renew(self, held: Held, *, lease_ms: int) -> bool:
        """Holds on; `False` where the lease was lost."""
        ...

    def release(self, held: Held, *, rest_ms: int = 0) -> None:
        """Gives a chunk back as it was taken, as if it had not been; nothing if it was lost.

        Nobody gets it before `rest_ms` have passed.
        """
        ...

    def save(
        self, held: Held, part: bytes, sums: bytes, counts: Counts, *, lease_ms: int = 0
    ) -> Answer:
        """Keeps a part of a chunk with its sums so far, and gives the chunk back.

        With a `lease_ms` it is held on to instead.
        """
        ...

    def finish(self, held: Held, sums: bytes, counts: Counts) -> Answer:
        """Keeps the sums of a whole chunk; with the last chunk the series is done."""
        ...

    def sums(self, series: str) -> Sequence[tuple[int, bool, bytes]]:
        """Chunk, whether it is finished, and its sums, by chunk: of all that were saved."""
        ...

    def part(self, series: str, chunk: int) -> bytes | None:
        """What an unfinished chunk was saved with."""
        ...
