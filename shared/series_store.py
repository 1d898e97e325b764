"""Where series are kept while they are played: who works at which chunk, and what was counted.

A series is split into chunks. A chunk is *taken* under a lease, *saved* as often as one likes, and
*finished* once: whoever lost the lease is refused, so nothing is counted twice. All sums are opaque
bytes here. Adapters: `MemorySeries` and `RedisSeries`, held to one suite
(`tests/shared/test_series_*.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import msgspec

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


class WholeSeries(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that is kept of a series at one moment, for a backup.

    Leases are not: whoever holds a chunk loses it when the series is put back. `open` are the
    chunks that are not finished; `tries` as if nobody held one; the rest as in `Record` and `Held`.
    """

    id: str
    owner: str
    body: str
    spec: bytes
    chunks: int
    at_once: int
    status: Status
    born: int
    created_at: int
    started_at: int | None = None
    ended_at: int | None = None
    ran_ms: int = 0
    open: tuple[int, ...] = ()
    tries: Mapping[int, int] = {}
    parts: Mapping[int, bytes] = {}
    sums: Mapping[int, bytes] = {}
    counts: Mapping[int, Counts] = {}


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

    def ids(self) -> list[str]:
        """Every series; for whoever looks at all."""
        ...

    def whole(self, series: str) -> WholeSeries | None:
        """One look at all of a series."""
        ...

    def put_back(self, whole: WholeSeries) -> bool:
        """Stores a series at once where it is not, with no lease; older leases stay lost.

        Answers false, and changes nothing, where there is one of that id, or where this very one
        was deleted and its files are still to be removed.
        """
        ...

    def put_back_deleted(self, series: str, born: int) -> None:
        """Remembers that a series was deleted, as of now, unless it is here or that is known."""
        ...
