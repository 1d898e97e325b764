"""Event store and work queue in memory: what the ports mean, for tests and series.

One lock guards everything, so each method is one moment, as each script of the server is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from threading import RLock

from shared.errors import Corrupt
from shared.ids import partition as partition_of
from shared.store import (
    Append,
    Appended,
    CommandRecord,
    Head,
    Loaded,
    Look,
    Person,
    Repeated,
    Secret,
    Snapshot,
    TokenRevoked,
    VersionConflict,
    Written,
)
from shared.waiting import ahead
from shared.work_queue import Lease


@dataclass(slots=True)
class _Match:
    head: Head
    events: list[bytes] = field(default_factory=list)
    commands: dict[str, CommandRecord] = field(default_factory=dict)
    people: dict[int, Person] = field(default_factory=dict)
    secret: Secret | None = None
    due: int | None = None
    thoughts: list[bytes] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Mark:
    """`token` is the holder's; a mark that is neither held nor handed out is waiting."""

    at: int
    token: int | None = None
    handed_out: bool = False


class MemoryStore:
    """`EventStore` and `WorkQueue`. `clock` gives ms for leases; any starting point will do."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._lock = RLock()
        self._matches: dict[str, _Match] = {}
        self._snapshots: dict[str, Snapshot] = {}
        self._marks: dict[str, _Mark] = {}
        self._tries: defaultdict[str, int] = defaultdict(int)
        self._tokens = count(1)

    def append(self, command: Append) -> Appended | Repeated:
        with self._lock:
            empty = _Match(Head(0, command.game, command.status, {}))
            match = self._matches.get(command.match, empty)
            if command.holder is not None:
                seat, epoch = command.holder
                if match.head.epochs.get(seat, 0) != epoch:
                    raise TokenRevoked
            name, record = command.command or (None, None)
            if name in match.commands:
                return Repeated(match.commands[name])
            kept = match.head.epochs
            if match.head.version != command.expected or any(
                seat in kept and kept[seat] >= epoch for seat, epoch in command.epochs.items()
            ):
                raise VersionConflict(match.head.version)

            match.events += command.events
            match.thoughts += command.thoughts
            version, epochs = len(match.events), {**kept, **command.epochs}
            match.head = Head(version, command.game, command.status, epochs)
            match.due = command.due
            if name is not None and record is not None:
                match.commands[name] = record
            if command.secret is not None:
                match.secret = command.secret
            match.people = {
                seat: person
                for seat, person in {**match.people, **command.people}.items()
                if person != Person()
            }
            self._matches[command.match] = match
            self._wake(command.match, self._clock() + command.wake_in_ms)
            return Appended(version, dict(match.people))

    def _wake(self, match: str, at: int) -> None:
        self._tries.pop(match, None)
        mark = self._marks.get(match)
        if mark is None or (mark.token is None and not mark.handed_out and mark.at > at):
            self._marks[match] = _Mark(at)

    def load(
        self, match: str, *, after: int = 0, command: str | None = None, snapshot: bool = True
    ) -> Loaded | None:
        with self._lock:
            held = self._matches.get(match)
            if held is None:
                return None
            start = self._snapshots.get(match) if snapshot and after == 0 else None
            first = after if start is None else start.version
            record = None if command is None else held.commands.get(command)
            return Loaded(held.head, start, held.events[first:], record)

    def load_many(self, looks: Sequence[Look]) -> list[Loaded | Corrupt | None]:
        return [
            self.load(look.match, after=look.after, command=look.command, snapshot=look.snapshot)
            for look in looks
        ]

    def events(self, match: str, *, after: int = 0, limit: int | None = None) -> list[bytes]:
        with self._lock:
            held = self._matches.get(match)
            if held is None:
                return []
            return held.events[after:] if limit is None else held.events[after : after + limit]

    def thoughts(self, match: str, *, after: int, limit: int) -> list[bytes]:
        with self._lock:
            held = self._matches.get(match)
            return [] if held is None else held.thoughts[after : after + limit]

    def secret(self, match: str) -> Secret:
        with self._lock:
            held = self._matches.get(match)
            if held is None or held.secret is None:
                raise KeyError(match)
            return held.secret

    def people(self, match: str) -> dict[int, Person]:
        with self._lock:
            held = self._matches.get(match)
            return {} if held is None else dict(held.people)

    def people_many(self, matches: Sequence[str]) -> list[dict[int, Person]]:
        return [self.people(match) for match in matches]

    def raise_epoch(self, match: str, seat: int) -> int:
        with self._lock:
            held = self._matches[match]
            epoch = held.head.epochs.get(seat, 0) + 1
            held.head = replace(held.head, epochs={**held.head.epochs, seat: epoch})
            return epoch

    def save_snapshot(self, match: str, snapshot: Snapshot) -> Written:
        with self._lock:
            old, generation = self._snapshots.get(match), snapshot.generation
            if old is not None and old.generation > generation:
                return Written.BEHIND
            if old is not None and old.generation == generation:
                if old.schema > snapshot.schema:
                    return Written.OUTDATED
                if old.version > snapshot.version:
                    return Written.BEHIND
            self._snapshots[match] = snapshot
            return Written.YES

    def save_snapshots(self, snapshots: Sequence[tuple[str, Snapshot]]) -> list[Written]:
        return [self.save_snapshot(match, snapshot) for match, snapshot in snapshots]

    def matches(self, partition: int) -> list[str]:
        with self._lock:
            return sorted(match for match in self._matches if partition_of(match) == partition)

    def busy(self, now: int) -> list[int]:
        with self._lock:
            time = self._clock()
            ready = [match for match, mark in self._marks.items() if not ahead(mark.at, time)]
            due = [match for match in self._matches if self._is_overdue(match, now)]
            return sorted({partition_of(match) for match in ready + due})

    def offer(self, partition: int, *, limit: int, lease_ms: int) -> list[str]:
        with self._lock:
            time = self._clock()
            ready = sorted(
                (mark.at, match)
                for match, mark in self._marks.items()
                if not ahead(mark.at, time) and partition_of(match) == partition
            )
            offered = [match for _, match in ready[:limit]]
            for match in offered:
                self._marks[match] = _Mark(time + lease_ms, handed_out=True)
            return offered

    def mark(self, match: str, *, in_ms: int = 0) -> None:
        with self._lock:
            self._marks.setdefault(match, _Mark(self._clock() + in_ms))

    def take(self, match: str, *, lease_ms: int) -> Lease | None:
        with self._lock:
            time, mark = self._clock(), self._marks.get(match)
            if mark is None or (mark.token is not None and ahead(mark.at, time)):
                return None
            self._tries[match] += 1
            return self._hold(Lease(match, next(self._tokens), self._tries[match]), lease_ms)

    def take_many(self, matches: Sequence[str], *, lease_ms: int) -> list[Lease]:
        taken = [self.take(match, lease_ms=lease_ms) for match in matches]
        return [lease for lease in taken if lease is not None]

    def renew(self, lease: Lease, *, lease_ms: int) -> Lease | None:
        with self._lock:
            if not self._holds(lease):
                return None
            return self._hold(replace(lease, token=next(self._tokens)), lease_ms)

    def release(self, lease: Lease, *, done_at: int | None, in_ms: int = 0) -> bool:
        with self._lock:
            if not self._holds(lease):
                return False
            self._tries.pop(lease.match, None)
            held = self._matches.get(lease.match)
            if done_at == (0 if held is None else held.head.version):
                del self._marks[lease.match]
                return True
            self._marks[lease.match] = _Mark(self._clock() + in_ms)
            return False

    def release_many(self, done: Sequence[tuple[Lease, int | None]]) -> None:
        for lease, done_at in done:
            self.release(lease, done_at=done_at)

    def overdue(self, partition: int, now: int, *, limit: int, lease_ms: int) -> list[str]:
        with self._lock:
            found = [
                (held.due, match)
                for match, held in self._matches.items()
                if self._is_overdue(match, now) and partition_of(match) == partition
            ]
            overdue = [match for _, match in sorted(found)[:limit]]
            for match in overdue:
                self._matches[match].due = now + lease_ms
            return overdue

    def remind(self, match: str, at: int) -> None:
        with self._lock:
            held = self._matches.get(match)
            if held is not None and held.due is not None:
                held.due = min(held.due, at)

    def oldest(self) -> int:
        with self._lock:
            time = self._clock()
            return max(
                (time - mark.at for mark in self._marks.values() if mark.at <= time), default=0
            )

    def _is_overdue(self, match: str, now: int) -> bool:
        due = self._matches[match].due
        return due is not None and due <= now

    def _hold(self, lease: Lease, lease_ms: int) -> Lease:
        self._marks[lease.match] = _Mark(self._clock() + lease_ms, token=lease.token)
        return lease

    def _holds(self, lease: Lease) -> bool:
        mark = self._marks.get(lease.match)
        return mark is not None and mark.token == lease.token
