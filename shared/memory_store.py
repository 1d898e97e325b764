"""Event store and work queue in memory: what the ports mean, for tests and series.

One lock guards everything, so each method is one moment, as each script of the server is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from threading import RLock

from shared.clocks import ahead
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
    Seated,
    Secret,
    Snapshot,
    TokenRevoked,
    VersionConflict,
    Written,
)
from shared.whole_store import REMOVED
from shared.work_queue import Lease


@dataclass(slots=True)
class KeptMatch:
    """All that is stored of a match."""

    head: Head
    events: list[bytes] = field(default_factory=list)
    commands: dict[str, CommandRecord] = field(default_factory=dict)
    people: dict[int, Person] = field(default_factory=dict)
    secret: Secret | None = None
    due: int | None = None
    thoughts: list[bytes] = field(default_factory=list)
    ended_at: int | None = None
    ended_first: int | None = None
    """Of one that came back from the archive: its names are as old as that."""
    erasures: int = 0
    erased_at: int | None = None


@dataclass(frozen=True, slots=True)
class _Mark:
    """`token` is the holder's; a mark that is neither held nor handed out is waiting."""

    at: int
    token: int | None = None
    handed_out: bool = False


class MemoryStore:
    """`EventStore` and `WorkQueue`. `clock` gives ms for leases; any starting point will do.

    What is stored lies open to `memory_wholes.py`, which is the same store.
    """

    def __init__(self, clock: Callable[[], int]) -> None:
        self.clock = clock
        self.lock = RLock()
        self.kept: dict[str, KeptMatch] = {}
        self.snapshots: dict[str, Snapshot] = {}
        self.marks: dict[str, _Mark] = {}
        self._tries: defaultdict[str, int] = defaultdict(int)
        self._tokens = count(1)

    def append(self, command: Append) -> Appended | Repeated:
        with self.lock:
            empty = KeptMatch(Head(0, command.game, command.status, {}))
            match = self.kept.get(command.match, empty)
            if command.holder is not None:
                seat, epoch = command.holder
                if match.head.epochs.get(seat, 0) != epoch:
                    raise TokenRevoked
            name, record = command.command or (None, None)
            if name in match.commands:
                return Repeated(match.commands[name])
            kept = match.head.epochs
            if _gone(match.head) or match.head.version != command.expected:
                raise VersionConflict(match.head.version)
            if any(seat in kept and kept[seat] >= epoch for seat, epoch in command.epochs.items()):
                raise VersionConflict(match.head.version)
            if command.last and match.events[-1:] != [command.last]:
                raise VersionConflict(match.head.version)

            match.events += command.events
            match.thoughts += command.thoughts
            version, epochs = len(match.events), {**kept, **command.epochs}
            match.head = Head(version, command.game, command.status, epochs)
            match.due = command.due
            match.ended_at = command.ended_at
            if name is not None and record is not None:
                match.commands[name] = record
            if command.secret is not None:
                match.secret = command.secret
            match.people = {
                seat: person
                for seat, person in {**match.people, **command.people}.items()
                if person != Person()
            }
            self.kept[command.match] = match
            self._wake(command.match, self.clock() + command.wake_in_ms)
            return Appended(version, dict(match.people))

    def _wake(self, match: str, at: int) -> None:
        self._tries.pop(match, None)
        mark = self.marks.get(match)
        if mark is None or (mark.token is None and not mark.handed_out and mark.at > at):
            self.marks[match] = _Mark(at)

    def load(
        self, match: str, *, after: int = 0, command: str | None = None, snapshot: bool = True
    ) -> Loaded | None:
        with self.lock:
            held = self.kept.get(match)
            if held is None or held.head.status == REMOVED:
                return None
            start = self.snapshots.get(match) if snapshot and after == 0 else None
            first = after if start is None else start.version
            record = None if command is None else held.commands.get(command)
            before = b"".join(held.events[first - 1 : first]) if first else b""
            return Loaded(held.head, start, held.events[first:], record, before)

    def load_many(self, looks: Sequence[Look]) -> list[Loaded | Corrupt | None]:
        return [
            self.load(look.match, after=look.after, command=look.command, snapshot=look.snapshot)
            for look in looks
        ]

    def events(self, match: str, *, after: int = 0, limit: int | None = None) -> list[bytes]:
        with self.lock:
            held = self.kept.get(match)
            if held is None:
                return []
            return held.events[after:] if limit is None else held.events[after : after + limit]

    def thoughts(self, match: str, *, after: int, limit: int) -> list[bytes]:
        with self.lock:
            held = self.kept.get(match)
            return [] if held is None else held.thoughts[after : after + limit]

    def secret(self, match: str) -> Secret:
        with self.lock:
            held = self.kept.get(match)
            if held is None or held.secret is None:
                raise KeyError(match)
            return held.secret

    def people(self, match: str) -> dict[int, Person]:
        with self.lock:
            held = self.kept.get(match)
            return {} if held is None else dict(held.people)

    def seated_many(self, matches: Sequence[str]) -> list[Seated]:
        with self.lock:
            found = [self.kept.get(match) for match in matches]
            return [
                Seated({})
                if f is None
                else Seated(dict(f.people), f.erasures, f.head.game, f.head.status == REMOVED)
                for f in found
            ]

    def raise_epoch(self, match: str, seat: int) -> int:
        with self.lock:
            held = self.kept[match]
            if held.head.status == REMOVED:
                raise KeyError(match)
            epoch = held.head.epochs.get(seat, 0) + 1
            held.head = replace(held.head, epochs={**held.head.epochs, seat: epoch})
            return epoch

    def save_snapshot(self, match: str, snapshot: Snapshot) -> Written:
        with self.lock:
            held = self.kept.get(match)
            if held is not None and _gone(held.head):
                return Written.YES  # what lies in the archive is folded from there
            old, generation = self.snapshots.get(match), snapshot.generation
            if old is not None and old.generation > generation:
                return Written.BEHIND
            if old is not None and old.generation == generation:
                if old.schema > snapshot.schema:
                    return Written.OUTDATED
                if old.version > snapshot.version:
                    return Written.BEHIND
            self.snapshots[match] = snapshot
            return Written.YES

    def save_snapshots(self, snapshots: Sequence[tuple[str, Snapshot]]) -> list[Written]:
        return [self.save_snapshot(match, snapshot) for match, snapshot in snapshots]

    def matches(self, partition: int) -> list[str]:
        with self.lock:
            return sorted(match for match in self.kept if partition_of(match) == partition)

    def busy(self, now: int) -> list[int]:
        with self.lock:
            time = self.clock()
            ready = [match for match, mark in self.marks.items() if not ahead(mark.at, time)]
            due = [match for match in self.kept if self._is_overdue(match, now)]
            return sorted({partition_of(match) for match in ready + due})

    def offer(self, partitions: Sequence[int], *, limit: int, lease_ms: int) -> list[list[str]]:
        with self.lock:
            return [self._offered(number, limit, lease_ms) for number in partitions]

    def _offered(self, partition: int, limit: int, lease_ms: int) -> list[str]:
        time = self.clock()
        ready = sorted(
            (mark.at, match)
            for match, mark in self.marks.items()
            if not ahead(mark.at, time) and partition_of(match) == partition
        )
        offered = [match for _, match in ready[:limit]]
        for match in offered:
            self.marks[match] = _Mark(time + lease_ms, handed_out=True)
        return offered

    def mark(self, match: str, *, in_ms: int = 0) -> None:
        with self.lock:
            self.marks.setdefault(match, _Mark(self.clock() + in_ms))

    def marked(self) -> list[str]:
        with self.lock:
            return list(self.marks)

    def take(self, match: str, *, lease_ms: int) -> Lease | None:
        with self.lock:
            time, mark = self.clock(), self.marks.get(match)
            if mark is None or (mark.token is not None and ahead(mark.at, time)):
                return None
            self._tries[match] += 1
            return self._hold(Lease(match, next(self._tokens), self._tries[match]), lease_ms)

    def take_many(self, matches: Sequence[str], *, lease_ms: int) -> list[Lease]:
        taken = [self.take(match, lease_ms=lease_ms) for match in matches]
        return [lease for lease in taken if lease is not None]

    def renew(self, lease: Lease, *, lease_ms: int) -> Lease | None:
        with self.lock:
            if not self._holds(lease):
                return None
            return self._hold(replace(lease, token=next(self._tokens)), lease_ms)

    def release(self, lease: Lease, *, done_at: int | None, in_ms: int = 0) -> bool:
        with self.lock:
            if not self._holds(lease):
                return False
            self._tries.pop(lease.match, None)
            held = self.kept.get(lease.match)
            removed = held is not None and held.head.status == REMOVED
            if removed or done_at == (0 if held is None else held.head.version):
                del self.marks[lease.match]
                return True
            self.marks[lease.match] = _Mark(self.clock() + in_ms)
            return False

    def release_many(self, done: Sequence[tuple[Lease, int | None]]) -> None:
        for lease, done_at in done:
            self.release(lease, done_at=done_at)

    def overdue(
        self, partitions: Sequence[int], now: int, *, limit: int, lease_ms: int
    ) -> list[list[str]]:
        with self.lock:
            return [self._overdue(number, now, limit, lease_ms) for number in partitions]

    def _overdue(self, partition: int, now: int, limit: int, lease_ms: int) -> list[str]:
        found = [
            (held.due, match)
            for match, held in self.kept.items()
            if self._is_overdue(match, now) and partition_of(match) == partition
        ]
        overdue = [match for _, match in sorted(found)[:limit]]
        for match in overdue:
            self.kept[match].due = now + lease_ms
        return overdue

    def remind(self, match: str, at: int) -> None:
        with self.lock:
            held = self.kept.get(match)
            if held is not None and held.due is not None:
                held.due = min(held.due, at)

    def oldest(self) -> int:
        with self.lock:
            time = self.clock()
            return max(
                (time - mark.at for mark in self.marks.values() if mark.at <= time), default=0
            )

    def _is_overdue(self, match: str, now: int) -> bool:
        due = self.kept[match].due
        return due is not None and due <= now

    def _hold(self, lease: Lease, lease_ms: int) -> Lease:
        self.marks[lease.match] = _Mark(self.clock() + lease_ms, token=lease.token)
        return lease

    def _holds(self, lease: Lease) -> bool:
        mark = self.marks.get(lease.match)
        return mark is not None and mark.token == lease.token


def _gone(head: Head) -> bool:
    """Whether its events are not here any more."""
    return head.place is not None or head.status == REMOVED
