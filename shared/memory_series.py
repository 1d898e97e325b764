"""Series in memory: what the port means, without a server.

One lock guards everything, so each method is one moment, as each script of the server is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from threading import RLock

from shared.clocks import ahead
from shared.series_store import (
    Answer,
    Counts,
    Held,
    NewRecord,
    Record,
    Status,
    WholeSeries,
    total,
)

OVER = ("cancelled", "done")


@dataclass(slots=True)
class _Chunk:
    """`until` is when its lease runs out; `token` is of the last one, `None` once given back."""

    until: int = 0
    token: int | None = None
    tries: int = 0
    part: bytes | None = None
    sums: bytes | None = None
    counts: Counts = field(default_factory=Counts)
    finished: bool = False

    def tried(self, now: int) -> int:
        """How often it was taken, without who holds it now."""
        held = self.token is not None and ahead(self.until, now)
        return self.tries - held


@dataclass(slots=True)
class _Series:
    new: NewRecord
    chunks: list[_Chunk]
    status: Status = "running"
    started_at: int | None = None
    ended_at: int | None = None
    ran_ms: int = 0
    since: int | None = None
    born: int = 0

    @property
    def place(self) -> tuple[int, str]:
        return (self.new.created_at, self.new.id)

    def held(self, now: int) -> int:
        return sum(not chunk.finished and ahead(chunk.until, now) for chunk in self.chunks)

    def free(self, now: int) -> list[int]:
        return [n for n, c in enumerate(self.chunks) if not c.finished and not ahead(c.until, now)]

    def ran(self, now: int) -> int:
        return self.ran_ms + (0 if self.since is None else max(now - self.since, 0))


class MemorySeries:
    """`SeriesStore`. `clock` gives ms since 1970."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._lock = RLock()
        self._series: dict[str, _Series] = {}
        self._deleted: dict[tuple[str, int], int] = {}
        self._last = 0

    def create(self, new: NewRecord, *, limit: int) -> Record | None:
        with self._lock:
            if new.id not in self._series:
                live = Counter(s.new.owner for s in self._series.values() if s.status not in OVER)
                if live[new.owner] >= limit:
                    return None
                chunks = [_Chunk() for _ in range(new.chunks)]
                self._series[new.id] = _Series(new, chunks, born=self._number())
            return self.get(new.id)

    def get(self, series: str) -> Record | None:
        with self._lock:
            found = self._series.get(series)
            return None if found is None else self._record(found)

    def page(self, owner: str, *, after: tuple[int, str] | None, limit: int) -> list[Record]:
        with self._lock:
            mine = [s for s in self._series.values() if s.new.owner == owner]
            found = sorted(mine, key=lambda s: s.place)
            later = [s for s in found if after is None or s.place > after]
            return [self._record(s) for s in later[:limit]]

    def set_status(
        self, series: str, *, before: Collection[Status], after: Status
    ) -> Record | None:
        with self._lock:
            found = self._series.get(series)
            if found is not None and found.status in before:
                self._change(found, after)
            return self.get(series)

    def delete(self, series: str) -> bool:
        with self._lock:
            found = self._series.pop(series, None)
            if found is not None:
                self._deleted[series, found.born] = self._clock()
            return found is not None

    def deleted(self, *, before: int, limit: int) -> list[tuple[str, int]]:
        with self._lock:
            return [gone for gone, at in self._deleted.items() if at < before][:limit]

    def forget(self, series: str, born: int) -> None:
        with self._lock:
            self._deleted.pop((series, born), None)

    def over(self, *, before: int, limit: int) -> list[tuple[str, str]]:
        with self._lock:
            found = self._series.values()
            ended = [s for s in found if s.ended_at is not None and s.ended_at < before]
            return [(s.new.id, s.new.owner) for s in ended[:limit]]

    def active(self) -> list[tuple[str, int]]:
        with self._lock:
            now = self._clock()
            running = [s for s in self._series.values() if s.status == "running"]
            return [
                (s.new.id, max(min(len(s.free(now)), s.new.at_once - s.held(now)), 0))
                for s in sorted(running, key=lambda s: s.place)
            ]

    def take(self, series: str, *, lease_ms: int) -> Held | None:
        with self._lock:
            now, found = self._clock(), self._series.get(series)
            if found is None or found.status != "running" or found.held(now) >= found.new.at_once:
                return None
            number = next(iter(found.free(now)), None)
            if number is None:
                return None
            chunk = found.chunks[number]
            chunk.token, chunk.until, chunk.tries = self._number(), now + lease_ms, chunk.tries + 1
            found.since = now if found.since is None else found.since
            found.started_at = now if found.started_at is None else found.started_at
            return Held(
                series=series,
                born=found.born,
                chunk=number,
                token=chunk.token,
                tries=chunk.tries,
                part=chunk.part,
            )

    def renew(self, held: Held, *, lease_ms: int) -> bool:
        with self._lock:
            if self._refused(held) is not None:
                return False
            self._series[held.series].chunks[held.chunk].until = self._clock() + lease_ms
            return True

    def release(self, held: Held, *, rest_ms: int = 0) -> None:
        with self._lock:
            if self._refused(held) is None:
                chunk = self._series[held.series].chunks[held.chunk]
                until = self._clock() + rest_ms if rest_ms else 0
                chunk.until, chunk.token, chunk.tries = until, None, chunk.tries - 1

    def save(
        self, held: Held, part: bytes, sums: bytes, counts: Counts, *, lease_ms: int = 0
    ) -> Answer:
        with self._lock:
            if (no := self._refused(held)) is not None:
                return no
            chunk = self._series[held.series].chunks[held.chunk]
            chunk.part, chunk.sums, chunk.counts = part, sums, counts
            if lease_ms:
                chunk.until, chunk.tries = self._clock() + lease_ms, 1
            else:
                chunk.until, chunk.token, chunk.tries = 0, None, 0
            return "kept"

    def finish(self, held: Held, sums: bytes, counts: Counts) -> Answer:
        with self._lock:
            if (no := self._refused(held)) is not None:
                return no
            found = self._series[held.series]
            found.chunks[held.chunk] = _Chunk(sums=sums, counts=counts, finished=True)
            if all(chunk.finished for chunk in found.chunks):
                self._change(found, "done")
            return "kept"

    def sums(self, series: str) -> list[tuple[int, bool, bytes]]:
        with self._lock:
            chunks = self._series[series].chunks if series in self._series else []
            return [(n, c.finished, c.sums) for n, c in enumerate(chunks) if c.sums is not None]

    def part(self, series: str, chunk: int) -> bytes | None:
        with self._lock:
            return self._series[series].chunks[chunk].part if series in self._series else None

    def ids(self) -> list[str]:
        with self._lock:
            return list(self._series)

    def whole(self, series: str) -> WholeSeries | None:
        with self._lock:
            found, now = self._series.get(series), self._clock()
            if found is None:
                return None
            new, chunks = found.new, list(enumerate(found.chunks))
            return WholeSeries(
                id=new.id,
                owner=new.owner,
                body=new.body,
                spec=new.spec,
                chunks=new.chunks,
                at_once=new.at_once,
                status=found.status,
                born=found.born,
                created_at=new.created_at,
                started_at=found.started_at,
                ended_at=found.ended_at,
                ran_ms=found.ran(now),
                open=tuple(n for n, chunk in chunks if not chunk.finished),
                tries={n: tried for n, chunk in chunks if (tried := chunk.tried(now))},
                parts={n: chunk.part for n, chunk in chunks if chunk.part is not None},
                sums={n: chunk.sums for n, chunk in chunks if chunk.sums is not None},
                counts={n: chunk.counts for n, chunk in chunks if chunk.sums is not None},
            )

    def put_back(self, whole: WholeSeries) -> bool:
        with self._lock:
            if whole.id in self._series or (whole.id, whole.born) in self._deleted:
                return False
            self._last = max(self._last, whole.born)
            chunks = [
                _Chunk(
                    tries=whole.tries.get(n, 0),
                    part=whole.parts.get(n),
                    sums=whole.sums.get(n),
                    counts=whole.counts.get(n, Counts()),
                    finished=n not in whole.open,
                )
                for n in range(whole.chunks)
            ]
            new = NewRecord(
                id=whole.id,
                owner=whole.owner,
                body=whole.body,
                spec=whole.spec,
                chunks=whole.chunks,
                at_once=whole.at_once,
                created_at=whole.created_at,
            )
            self._series[whole.id] = _Series(
                new,
                chunks,
                status=whole.status,
                started_at=whole.started_at,
                ended_at=whole.ended_at,
                ran_ms=whole.ran_ms,
                born=whole.born,
            )
            return True

    def put_back_deleted(self, series: str, born: int) -> None:
        with self._lock:
            found = self._series.get(series)
            if found is None or found.born != born:
                self._deleted.setdefault((series, born), self._clock())

    def _number(self) -> int:
        self._last += 1
        return self._last

    def _refused(self, held: Held) -> Answer | None:
        found = self._series.get(held.series)
        if found is None:
            return "gone"
        return None if found.chunks[held.chunk].token == held.token else "lost"

    def _change(self, found: _Series, status: Status) -> None:
        now = self._clock()
        found.status = status
        if status != "running":
            found.ran_ms, found.since = found.ran(now), None
        if status in OVER:
            found.ended_at = now
            for chunk in found.chunks:
                chunk.token = None

    def _record(self, found: _Series) -> Record:
        now, new = self._clock(), found.new
        return Record(
            id=new.id,
            owner=new.owner,
            body=new.body,
            spec=new.spec,
            status=found.status,
            created_at=new.created_at,
            started_at=found.started_at,
            ended_at=found.ended_at,
            ran_ms=found.ran(now),
            counts=total(chunk.counts for chunk in found.chunks),
            held=0 if found.status in OVER else found.held(now),
            born=found.born,
        )
