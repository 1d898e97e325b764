"""Lists across matches, as the domain sees them. Adapters: `memory_lists.py`, `redis_lists.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from shared.store import Written


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A row of a cross-match projection. `lists` are the lists that it stands in now.

    `created_at` (ms since 1970) and `match` order it in each. A list's name has no space.
    `schema` is that of the fold which the row was made from; `erasures` counts how often names of
    the match had been erased when those in the row were read.
    """

    match: str
    version: int
    created_at: int
    data: bytes
    lists: frozenset[str]
    schema: int = 0
    erasures: int = 0


class ListStore(Protocol):
    """Cross-match projections: rows keyed by match, in lists ordered by creation, then id."""

    def upsert(self, name: str, game: str, generation: int, entry: Entry) -> Written:
        """Writes a row unless one of a newer schema or version, or after more erasures, is there.

        Answers `BEHIND` where what the row was made from is old: look again. The row leaves the
        lists it stood in and is not in now.
        """
        ...

    def upsert_many(self, rows: Sequence[tuple[str, str, int, Entry]]) -> list[Written]:
        """`upsert` for rows of (name, game, generation, entry), in one round trip."""
        ...

    def remove(self, name: str, game: str, generation: int, match: str) -> None:
        """Takes a row out of all its lists; harmless where there is none."""
        ...

    def entry(self, name: str, game: str, generation: int, match: str) -> Entry | None:
        """A row as it was written. Where it is written again meanwhile, `data` may be newer."""
        ...

    def entries(self, rows: Sequence[tuple[str, str, str]]) -> list[Entry | None]:
        """Rows as they were written, by (name, game, match), in one round trip.

        From the current generation. `created_at` is 0 for a row that stands in no list.
        """
        ...

    def page(
        self, name: str, game: str, listed: str, *, after: tuple[int, str] | None, limit: int
    ) -> list[tuple[int, str, bytes]]:
        """(created_at, id, data) of rows after a cursor, from the current generation."""
        ...

    def counts(self, lists: Sequence[tuple[str, str, str]]) -> list[int]:
        """How many rows stand in each list, by (name, game, listed), in one round trip."""
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

    def tidy(self) -> None:
        """Deletes what generations before the current one have left, once more.

        Who looked at `generations` before a rebuild was finished may have written a row since.
        """
        ...


RebuildProgress = Mapping[int, tuple[int, int]]
"""Partition -> matches refolded, matches that could not be read."""


def check_list_name(listed: str) -> None:
    """Raises `ValueError` for a name that can't be a list's."""
    if not listed or " " in listed:
        raise ValueError(f"a list's name is not empty and has no space: {listed!r}")
