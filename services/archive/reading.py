"""The event store with the archive behind it: what was archived is read there, and nobody notices.

A match may be archived, restored or removed between two looks. What comes short is looked at again.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache

from services.archive.files import Archive
from shared.errors import Corrupt, Unavailable
from shared.store import (
    Append,
    Appended,
    EventStore,
    Head,
    Loaded,
    Look,
    Person,
    Repeated,
    Seated,
    Secret,
    Snapshot,
    Written,
)
from shared.whole_store import Whole

KEPT = 8
"""So many archived matches a process keeps as they were read; a file never changes."""

BEYOND = 10**9
"""A version that no match reaches: no event is looked at then."""


class ArchivedEvents:
    """`EventStore`. Whatever reads a match may raise `Corrupt` for one whose file is damaged."""

    def __init__(self, store: EventStore, archive: Archive) -> None:
        self._store = store
        self._read = lru_cache(KEPT)(archive.read)

    def load(
        self, match: str, *, after: int = 0, command: str | None = None, snapshot: bool = True
    ) -> Loaded | None:
        (loaded,) = self.load_many([Look(match, after, command, snapshot)])
        if isinstance(loaded, Corrupt):
            raise loaded
        return loaded

    def load_many(self, looks: Sequence[Look]) -> list[Loaded | Corrupt | None]:
        found = self._store.load_many(looks)
        alone = len(looks) == 1
        return [self._filled(*each, alone=alone) for each in zip(looks, found, strict=True)]

    def _filled(
        self, look: Look, loaded: Loaded | Corrupt | None, *, alone: bool
    ) -> Loaded | Corrupt | None:
        filled = self._from_archive(look, loaded, alone=alone)
        if not isinstance(filled, Corrupt):
            return filled
        # Only if it is the same fault again, it is no change that came in between.
        (again,) = self._store.load_many([look])
        return self._from_archive(look, again, alone=alone)

    def _from_archive(
        self, look: Look, loaded: Loaded | Corrupt | None, *, alone: bool
    ) -> Loaded | Corrupt | None:
        if not isinstance(loaded, Loaded) or loaded.head.place is None:
            return loaded
        if look.after == loaded.head.version and look.command is None:
            return loaded  # nothing of it is asked for
        try:
            whole = self._read(look.match, loaded.head.place)
        except Corrupt as broken:
            return broken
        except Unavailable:
            if alone:
                raise
            return Corrupt(f"the archive of {look.match} is away")  # others of these are here
        if whole.head != loaded.head.version:
            return Corrupt(f"{look.match} was archived at another version")
        record = whole.commands.get(look.command) if look.command else None
        before = whole.events[look.after - 1] if look.after else b""
        return replace(loaded, tail=whole.events[look.after :], record=record, before=before)

    def events(self, match: str, *, after: int = 0, limit: int | None = None) -> list[bytes]:
        found = self._store.events(match, after=after, limit=limit)
        if limit is not None and len(found) == limit:
            return found
        head = head_of(self._store, match)
        if head is None:
            return found
        last = head.version if limit is None else min(head.version, after + limit)
        if head.place is not None:
            return list(self._read(match, head.place).events[after:last])
        if after + len(found) >= last:
            return found
        return self._store.events(match, after=after, limit=limit)  # restored in between

    def thoughts(self, match: str, *, after: int, limit: int) -> list[bytes]:
        found = self._store.thoughts(match, after=after, limit=limit)
        if len(found) == limit:
            return found
        whole = self._archived(match)
        if whole is not None:
            return list(whole.thoughts[after : after + limit])
        return found or self._store.thoughts(match, after=after, limit=limit)  # the same

    def secret(self, match: str) -> Secret:
        with suppress(KeyError):
            return self._store.secret(match)
        whole = self._archived(match)
        if whole is not None and whole.secret is not None:
            return whole.secret
        return self._store.secret(match)  # the same

    # -- what the store alone has -----------------------------------------------------------

    def append(self, command: Append) -> Appended | Repeated:
        return self._store.append(command)

    def people(self, match: str) -> dict[int, Person]:
        return self._store.people(match)

    def seated_many(self, matches: Sequence[str]) -> list[Seated]:
        return self._store.seated_many(matches)

    def raise_epoch(self, match: str, seat: int) -> int:
        return self._store.raise_epoch(match, seat)

    def save_snapshot(self, match: str, snapshot: Snapshot) -> Written:
        return self._store.save_snapshot(match, snapshot)

    def save_snapshots(self, snapshots: Sequence[tuple[str, Snapshot]]) -> list[Written]:
        return self._store.save_snapshots(snapshots)

    def matches(self, partition: int) -> list[str]:
        return self._store.matches(partition)

    # -- the archive ------------------------------------------------------------------------

    def _archived(self, match: str) -> Whole | None:
        head = head_of(self._store, match)
        return None if head is None or head.place is None else self._read(match, head.place)


def head_of(store: EventStore, match: str) -> Head | None:
    """What is kept beside a match's events, wherever these are; `None` for an unknown match."""
    loaded = store.load(match, after=BEYOND, snapshot=False)
    return None if loaded is None else loaded.head
