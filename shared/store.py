"""The event store, as the domain sees it. `work_queue.py` and `list_store.py` are its neighbours.

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

    `head` can be the expected one: then a seat's epoch was raised meanwhile, or the store went back
    (to a replica, or a copy) and the match went on from there otherwise.
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
class Seated:
    """Who sits where, and how often names of the match were erased before.

    What was made from fewer erasures may hold a name that is erased by now. `game` is empty where
    there never was such a match.
    """

    people: Mapping[int, Person]
    erasures: int = 0
    game: str = ""
    removed: bool = False


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
        ended_at: when the match ended, ms since 1970, with its last event.
        secret: with the first event only.
        people: who sits down where; an empty `Person` is forgotten; other seats stay as they are.
        epochs: new epoch of seats whose holder changed; every older token is void. It must be
            higher than the one that is kept.
        holder: the seat that gives the command, with the epoch of its token.
        thoughts: of built-in bots' moves among the events, JSON; kept apart from them.
        last: the event at the expected version, as its caller knows it; not compared if empty.

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
    ended_at: int | None = None
    secret: Secret | None = None
    people: Mapping[int, Person] = field(default_factory=dict)
    epochs: Mapping[int, int] = field(default_factory=dict)
    holder: tuple[int, int] | None = None
    thoughts: Sequence[bytes] = ()
    last: bytes = b""

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
    """What is kept beside a stream. Seats not in `epochs` have epoch 0.

    `place` is where in the archive the match lies, once its stream is gone from the store.
    """

    version: int
    game: str
    status: str
    epochs: Mapping[int, int]
    place: str | None = None


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
    where that was newer. `record` answers the command id that was asked for. `before` is the event
    before the tail, empty where it is not known: whoever folds the tail onto what he kept must have
    kept that one.
    """

    head: Head
    snapshot: Snapshot | None
    tail: Sequence[bytes]
    record: CommandRecord | None
    before: bytes = b""

    @property
    def last(self) -> bytes:
        """The event at the head."""
        return self.tail[-1] if self.tail else self.before


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
            VersionConflict: the stream is not at the expected version or has another event there,
                or a seat's epoch is not lower than the new one (and the command is new).
            Unavailable: `store.full` wrote nothing; after `store.unavailable` nobody knows: a
                repeat with the same command id is safe, without one look at the stream first.
        """
        ...

    def load(
        self, match: str, *, after: int = 0, command: str | None = None, snapshot: bool = True
    ) -> Loaded | None:
        """Head, events after a version, and a command's record; `None` for an unknown match.

        With `after` = 0 and `snapshot` the stored projection is used as the start. Of a match
        that lies in the archive (`head.place`) there is nothing but the head; one that was
        removed is unknown.

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

    def seated_many(self, matches: Sequence[str]) -> list[Seated]:
        """The same of many matches in one round trip."""
        ...

    def raise_epoch(self, match: str, seat: int) -> int:
        """Makes every token of a seat void; the seat's new epoch.

        Raises `KeyError` for an unknown match, and for one that was removed.
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
        """Every match that a partition has or had, in order; for whoever looks at all."""
        ...


PARTITIONS = 256
