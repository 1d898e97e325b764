"""The event store and its neighbours, as the domain sees them.

A match is one stream of events with versions 1, 2, 3, ... without gaps. An append names the
version that it expects; whoever is late gets a conflict and must look again. Adapters:
`memory_store.py` and `redis_store.py`, held to one suite (`tests/shared/test_event_store.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

import msgspec

from shared.errors import Corrupt


class VersionConflict(Exception):
    """Somebody else changed the match first; look again. `head` is the version it has now.

    `head` can be the expected one: then a seat's epoch was raised meanwhile.
    """

    def __init__(self, head: int) -> None:
        super().__init__(f"the stream is at version {head}")
        self.head = head


class TokenRevoked(Exception):
    """The seat's epoch was raised since the caller's token was looked at."""


class CommandRecord(msgspec.Struct, frozen=True):
    """What is remembered of an accepted command: never its answer, which is rebuilt for the asker.

    `body` is the hash of the request's body; `first` and `last` are the versions it wrote.
    """

    body: str
    status: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Appended:
    """The command's events are stored up to `version`; `people` is who sits where by then."""

    version: int
    people: Mapping[int, Person] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Repeated:
    """The command was carried out before; nothing was written now."""

    record: CommandRecord


class Secret(msgspec.Struct, frozen=True, omit_defaults=True):
    """Kept back until the end: the seed (64 hex digits) and a custom match's script."""

    seed: str
    script: dict[str, int | str | tuple[str, ...]] = {}


class Person(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who sits at a seat, for people's eyes: kept apart from the log so that it can be erased."""

    name: str | None = None
    ref: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Append:
    """All that one command writes, at once or not at all.

    Attributes:
        match: the match's id.
        expected: the version that the stream must have.
        events: encoded envelopes; at least one.
        game: slug, kept beside the head so that a reader knows how to decode.
        status: `waiting`, `running` or `ended`.
        command: id and record for a repeat, where the caller gave a key; `last` and `first`
            must span exactly these events.
        wake_in_ms: from when the match's work mark may be handed out, counted from now.
        due: when the clock must look at the match, ms since 1970; `None` takes it out.
        secret: with the first event only.
        people: who sits down where; an empty `Person` is forgotten; other seats stay as they are.
        epochs: new epoch of seats whose holder changed; every older token is void. It must be
            higher than the one that is kept.
        holder: the seat that gives the command, with the epoch of its token.
        thoughts: of built-in bots' moves among the events, JSON; kept apart from them.

    Raises:
        ValueError: no event; a record that spans others; a secret that comes too late.
    """

    match: str
    expected: int
    events: Sequence[bytes]
    game: str
    status: str
    command: tuple[str, CommandRecord] | None = None
    wake_in_ms: int = 0
    due: int | None = None
    secret: Secret | None = None
    people: Mapping[int, Person] = field(default_factory=dict)
    epochs: Mapping[int, int] = field(default_factory=dict)
    holder: tuple[int, int] | None = None
    thoughts: Sequence[bytes] = ()

    def __post_init__(self) -> None:
        if not self.events:
            raise ValueError("a command appends at least one event")
        if self.command is not None:
            record, last = self.command[1], self.expected + len(self.events)
            if (record.first, record.last) != (self.expected + 1, last):
                raise ValueError(f"the record must span the versions {self.expected + 1} to {last}")
        if self.secret is not None and self.expected != 0:
            raise ValueError("a secret comes with the first event only")


@dataclass(frozen=True, slots=True)
class Head:
    """What is kept beside a stream. Seats not in `epochs` have epoch 0."""

    version: int
    game: str
    status: str
    epochs: Mapping[int, int]


class Written(Enum):
    """What became of a projection that was to be written."""

    YES = "yes"
    BEHIND = "behind"
    """One of a newer version of the match, or of a newer generation, is there."""
    OUTDATED = "outdated"
    """One of a newer schema is there: a newer build must bring it up to date."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A stored fold: the match-state projection.

    `generation` grows with each rebuild, `schema` with each build that folds otherwise.
    """

    version: int
    generation: int
    data: bytes
    schema: int = 0


@dataclass(frozen=True, slots=True)
class Loaded:
    """One consistent look at a match.

    `tail` holds the encoded events after the version that was asked for, or after `snapshot`
    where that was newer. `record` answers the command id that was asked for.
    """

    head: Head
    snapshot: Snapshot | None
    tail: Sequence[bytes]
    record: CommandRecord | None


@dataclass(frozen=True, slots=True)
class Look:
    """What to load of a match: the events after a version, or after the stored projection."""

    match: str
    after: int = 0
    command: str | None = None
    snapshot: bool = True


class EventStore(Protocol):
    """Streams of events with all that must change together with them."""

    def append(self, command: Append) -> Appended | Repeated:
        """Stores one command.

        Raises:
            TokenRevoked: the `holder` named holds the seat no more.
            VersionConflict: the stream is not at the expected version, or a seat's epoch is not
                lower than the new one (and the command is new).
            Unavailable: `store.full` wrote nothing; after `store.unavailable` nobody knows: a
                repeat with the same command id is safe, without one look at the stream first.
        """
        ...

    def load(
        self, match: str, *, after: int = 0, command: str | None = None, snapshot: bool = True
    ) -> Loaded | None:
        """Head, events after a version, and a command's record; `None` for an unknown match.

        With `after` = 0 and `snapshot` the stored projection is used as the start.

        Raises:
            Corrupt: the stream has a gap, or ends before its head.
        """
        ...

    def load_many(self, looks: Sequence[Look]) -> list[Loaded | Corrupt | None]:
        """Many matches in as few round trips as one; what is wrong with one stands in its place."""
        ...

    def events(self, match: str, *, after: int = 0, limit: int | None = None) -> list[bytes]:
        """Encoded events of versions after + 1, after + 2, ... at most `limit` of them."""
        ...

    def thoughts(self, match: str, *, after: int, limit: int) -> list[bytes]:
        """Kept thoughts in the order of their moves, from the one after so many on."""
        ...

    def secret(self, match: str) -> Secret:
        """The match's seed and script. Raises `KeyError` where there is none."""
        ...

    def people(self, match: str) -> dict[int, Person]:
        """Who sits where, as far as it was told and not erased."""
        ...

    def people_many(self, matches: Sequence[str]) -> list[dict[int, Person]]:
        """The same of many matches in one round trip."""
        ...

    def raise_epoch(self, match: str, seat: int) -> int:
        """Makes every token of a seat void; the seat's new epoch.

        Raises `KeyError` for an unknown match.
        """
        ...

    def save_snapshot(self, match: str, snapshot: Snapshot) -> Written:
        """Compare-and-set: the generation never goes back, nor in one of them schema or version.

        So an older build never overwrites what a newer one wrote; a new generation, which is
        begun on purpose, begins anew. An equal one is written again: a build that can't read the
        stored data can so mend it.
        """
        ...

    def save_snapshots(self, snapshots: Sequence[tuple[str, Snapshot]]) -> list[Written]:
        """The same for many matches in one round trip."""
        ...

    def matches(self, partition: int) -> list[str]:
        """Every match of a partition that has a stream; for rebuilds."""
        ...


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

    def offer(self, partition: int, *, limit: int, lease_ms: int) -> list[str]:
        """Ids whose time has come; they are not offered again for `lease_ms`."""
        ...

    def mark(self, match: str, *, in_ms: int = 0) -> None:
        """Makes sure that the match has a mark (an existing one is left as it is)."""
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

    def overdue(self, partition: int, now: int, *, limit: int, lease_ms: int) -> list[str]:
        """Matches whose `due` is not after `now` (ms since 1970), the longest overdue first.

        Their `due` is moved to `now` + `lease_ms`, for the case that nobody acts on them.
        """
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A row of a cross-match projection. `lists` are the lists that it stands in now.

    `created_at` (ms since 1970) and `match` order it in each. A list's name has no space.
    `schema` is that of the fold which the row was made from.
    """

    match: str
    version: int
    created_at: int
    data: bytes
    lists: frozenset[str]
    schema: int = 0


class ListStore(Protocol):
    """Cross-match projections: rows keyed by match, in lists ordered by creation, then id."""

    def upsert(self, name: str, game: str, generation: int, entry: Entry) -> Written:
        """Writes a row unless one of a newer schema, or of a newer version, is there.

        The row leaves the lists it stood in and is not in now.
        """
        ...

    def upsert_many(self, rows: Sequence[tuple[str, str, int, Entry]]) -> list[Written]:
        """`upsert` for rows of (name, game, generation, entry), in one round trip."""
        ...

    def page(
        self, name: str, game: str, listed: str, *, after: tuple[int, str] | None, limit: int
    ) -> list[tuple[int, str, bytes]]:
        """(created_at, id, data) of rows after a cursor, from the current generation."""
        ...

    def count(self, name: str, game: str, listed: str) -> int:
        """How many rows stand in a list."""
        ...

    def generations(self) -> tuple[int, ...]:
        """Generations that must be written now: the current one, and one that is being built.

        Ask after a match was loaded and before its rows are written, and never keep the answer:
        a rebuild that begins later then loads at least what this row was folded from.
        """
        ...

    def begin_rebuild(self) -> int:
        """Opens a new generation beside the current one; one that was begun before is given up."""
        ...

    def note_rebuild(self, generation: int, partition: int, done: int, failed: int) -> None:
        """Remembers that a partition is done, with its matches and those that can't be read."""
        ...

    def rebuild_progress(self, generation: int) -> RebuildProgress:
        """What was noted of a generation; empty for one that nobody rebuilds or rebuilt."""
        ...

    def finish_rebuild(self, generation: int) -> None:
        """Makes a generation the current one and deletes the older ones.

        Raises `Conflict` (`store.rebuild-superseded`) where it is not the one being built.
        """
        ...


RebuildProgress = Mapping[int, tuple[int, int]]
"""Partition -> matches refolded, matches that could not be read."""


def check_list_name(listed: str) -> None:
    """Raises `ValueError` for a name that can't be a list's."""
    if not listed or " " in listed:
        raise ValueError(f"a list's name is not empty and has no space: {listed!r}")


PARTITIONS = 256
