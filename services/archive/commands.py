"""What the operator may ask of the archive: what lies there, archive these, put those back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from services.archive.archiving import Archived, Archiver, Restored
from services.matches.documents import Instant, instant
from services.matches.guard import Report, alone
from services.matches.queries import read_count
from shared.clocks import DAY_MS
from shared.settings import Settings
from shared.store import PARTITIONS
from shared.whole_store import Shelf, WholeStore

PAGE = 200
"""Ids of a page, if there are so many, and the rest of their last partition."""


class ArchiveDoc(msgspec.Struct, frozen=True, kw_only=True):
    """How many matches that are over lie where, and for how long.

    `due` counts those in the store that should be archived by now. Days of 0 mean for ever.
    """

    in_store: int
    due: int
    archived: int
    archive_days: int
    remove_days: int
    series_days: int
    as_of: Instant


class ArchivingDoc(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a match. `busy`: ask again in a moment; `failed`: it can't be read."""

    match: str
    outcome: Archived | Restored | Literal["failed"]


class ArchivingsDoc(msgspec.Struct, frozen=True, kw_only=True):
    """What became of each match, in the order that they were named."""

    items: tuple[ArchivingDoc, ...]


class ArchivedDoc(msgspec.Struct, frozen=True, kw_only=True):
    """Ids of archived matches, in no order; `next` leads on."""

    items: tuple[str, ...]
    next: str | None
    as_of: Instant


class ArchiveCommands:
    """Commands of the operator. All may be repeated. `Unavailable` is for all matches alike."""

    def __init__(
        self,
        wholes: WholeStore,
        archiver: Archiver,
        settings: Settings,
        clock: Callable[[], int],
        report: Report,
    ) -> None:
        self._wholes = wholes
        self._archiver = archiver
        self._settings = settings
        self._clock = clock
        self._report = report

    def show(self) -> ArchiveDoc:
        """What is kept."""
        now, settings = self._clock(), self._settings
        before = now - settings.archive_days * DAY_MS
        due = self._wholes.count(Shelf.ENDED, before=before) if settings.archive_days else 0
        return ArchiveDoc(
            in_store=self._wholes.count(Shelf.ENDED),
            due=due,
            archived=self._wholes.count(Shelf.ARCHIVED),
            archive_days=settings.archive_days,
            remove_days=settings.remove_days,
            series_days=settings.series_days,
            as_of=instant(now),
        )

    def matches(self, *, cursor: str | None) -> ArchivedDoc:
        """Which matches lie in the archive, `PAGE` and some on a page. Raises `Malformed`.

        A page ends with a partition, so whoever restores a page loses nothing of the next one.
        """
        number = 0 if cursor is None else read_count(cursor)
        found: list[str] = []
        while number < PARTITIONS and len(found) < PAGE:
            found += self._wholes.shelved(Shelf.ARCHIVED, number)
            number += 1
        more = str(number) if number < PARTITIONS else None
        return ArchivedDoc(items=tuple(found), next=more, as_of=instant(self._clock()))

    def archive(self, matches: Sequence[str]) -> ArchivingsDoc:
        """Archives matches now, however old they are."""
        return ArchivingsDoc(items=tuple(self._each(m, self._archiver.archive) for m in matches))

    def restore(self, matches: Sequence[str]) -> ArchivingsDoc:
        """Puts archived matches back into the store."""
        return ArchivingsDoc(items=tuple(self._each(m, self._archiver.restore) for m in matches))

    def _each(self, match: str, ask: Callable[[str], Archived | Restored]) -> ArchivingDoc:
        with alone(match, self._report):
            return ArchivingDoc(match=match, outcome=ask(match))
        return ArchivingDoc(match=match, outcome="failed")
