"""Matches as a whole, as the domain sees them: taken out of the store, put back, removed for good.

The archive, backups, retention and the erasure of names need no more than this. Adapters:
`memory_wholes.py` and `redis_wholes.py`, held to one suite (`tests/shared/test_whole_*.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Protocol

import msgspec

from shared.store import CommandRecord, Person, Secret

REMOVED = "removed"
"""Status of a match of which nothing is kept but that there was one."""


class Shelf(Enum):
    """Where matches that are over stand, each since it ended."""

    ENDED = "ended"
    """In the store, with all their events."""
    ARCHIVED = "archived"
    """In the archive; a tombstone stays in the store."""
    NAMED = "named"
    """On either, with names of people."""
    ERASED = "erased"
    """Not by its end but by when names were last erased, or it was removed (the store's time):
    where rows may still tell otherwise. `settle` takes it off."""


class Whole(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that is kept of a match and can't be made again, at one moment.

    Attributes:
        head: the match's version; there are so many `events`, unless `place` says where they lie.
        status: `waiting`, `running`, `ended` or `removed`.
        commands: id -> record.
        due, ended_at: ms since 1970; `ended_at` of a match that is over.
        erasures: how often names were erased.
        place: where in the archive the events, commands, secret and thoughts lie.
    """

    match: str
    game: str
    status: str
    head: int
    epochs: Mapping[int, int] = {}
    events: Sequence[bytes] = ()
    commands: Mapping[str, CommandRecord] = {}
    secret: Secret | None = None
    people: Mapping[int, Person] = {}
    thoughts: Sequence[bytes] = ()
    due: int | None = None
    ended_at: int | None = None
    erasures: int = 0
    place: str | None = None


class WholeStore(Protocol):
    """What becomes of matches beside being played."""

    def whole(self, match: str) -> Whole | None:
        """One look at all of a match; `None` for one that never was.

        Raises:
            Corrupt: its events are not as many as its head says, or a part can't be read.
        """
        ...

    def put_back(self, whole: Whole) -> bool:
        """Stores a match at once where it is not; a mark asks for its projections.

        Over the tombstone of an archived match only its events (with commands, secret and
        thoughts) are written: who sits there and whose token is valid may have changed since.
        Answers false, and changes nothing, where the match's events are in the store, where it
        was removed, or where the tombstone is of another version or `whole` is one itself.
        """
        ...

    def archive(self, match: str, head: int, place: str) -> bool:
        """Drops all that lies at `place` in the archive now; the tombstone names the place.

        Answers false, and changes nothing, unless the match is over, at this head, here, and
        nobody has to work on it.
        """
        ...

    def remove(self, match: str) -> bool:
        """Drops all of a match but that there was one, whether it is here or in the archive.

        Its shelf and its place stay until its rows and files are gone, too: see `forget`. It
        comes onto the shelf `ERASED`. Answers whether it is removed, by now or before; false
        unless it is over and nobody has to work on it, and nothing is changed then.
        """
        ...

    def forget(self, match: str) -> None:
        """Takes a match that was removed off its shelf: nothing of it is left anywhere else."""
        ...

    def erase(self, match: str, people: Mapping[int, Person]) -> tuple[int, ...]:
        """Forgets these people, each at a seat where it still is just that one; those seats.

        Whoever sat down since the caller looked stays. The match comes onto the shelf `ERASED`.
        """
        ...

    def settle(self, match: str, *, before: int) -> None:
        """Takes a match off the shelf `ERASED`, unless names were erased at that time or later."""
        ...

    def place(self, match: str) -> str | None:
        """Where in the archive a match lies; `None` for one that does not."""
        ...

    def note_ended(self, match: str, at: int) -> None:
        """Puts a match that is over on its shelves, unless it is there or not in the store.

        Only one that ended under an older build is not there by itself.
        """
        ...

    def count(self, shelf: Shelf, *, before: int | None = None) -> int:
        """How many matches stand on a shelf; with `before`, only those that ended before it."""
        ...

    def now(self) -> int:
        """The store's time, ms since 1970."""
        ...

    def aged(self, shelf: Shelf, *, before: int, limit: int) -> list[str]:
        """Matches of a shelf since before a time, at most `limit` of each partition."""
        ...

    def shelved(self, shelf: Shelf, partition: int) -> list[str]:
        """All matches of a partition that stand on a shelf, the longest there first."""
        ...
