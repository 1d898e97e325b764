"""Building all projections anew from the streams, while the service goes on.

A rebuild opens a new generation. Live writes go to both; the stored folds of older generations
are ignored from then on; when every partition is done the new generation becomes the current one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from services.matches.guard import Report, alone
from services.matches.loading import Found, Loader
from services.projections.projector import Projector
from shared.clocks import ahead
from shared.errors import NotFound
from shared.list_store import ListStore, RebuildProgress
from shared.store import PARTITIONS, EventStore
from shared.whole_store import WholeStore
from shared.work_queue import WorkQueue

PART_MS = 3_000
"""So long one part may take."""


class RebuildDoc(msgspec.Struct, frozen=True, kw_only=True):
    """How far a rebuild is. `failed` counts matches that this build cannot read."""

    generation: int
    partitions: int
    partitions_done: int
    matches: int
    failed: int
    finished: bool


class Part(NamedTuple):
    """Where a rebuild goes on: in a partition after a match, with the counts of it so far."""

    partition: int
    after: str = ""
    done: int = 0
    failed: int = 0


class Rebuilding:
    """Rebuilds part by part, so that no task is long."""

    def __init__(
        self,
        store: EventStore,
        lists: ListStore,
        loader: Loader,
        projector: Projector,
        clock: Callable[[], int],
        report: Report,
        work: WorkQueue,
        wholes: WholeStore,
    ) -> None:
        self._store = store
        self._lists = lists
        self._loader = loader
        self._projector = projector
        self._clock = clock
        self._report = report
        self._work = work
        self._wholes = wholes

    def begin(self) -> tuple[int, Part]:
        """A new generation and its first part; or, of one that is being built, the next part.

        So beginning again does no harm, and goes on where a task was lost.
        """
        _, *building = self._lists.generations()
        if not building:
            return self._lists.begin_rebuild(), Part(0)
        noted = self._lists.rebuild_progress(building[0])
        missing = (p for p in range(PARTITIONS) if p not in noted)
        return building[0], Part(next(missing, PARTITIONS - 1))

    def being_built(self, generation: int) -> bool:
        """Whether a rebuild still goes on: not finished, nor given up for a newer one."""
        return generation in self._lists.generations()[1:]

    def rebuild(self, generation: int, part: Part) -> Part | None:
        """Refolds matches of a partition for a while; the next part, `None` after the last one.

        After the last partition it flips to the new generation.
        """
        until = self._clock() + PART_MS
        partition, after, done, failed = part
        for match_id in self._store.matches(partition):
            if match_id <= after:
                continue
            if not ahead(until, self._clock(), PART_MS):
                return Part(partition, after, done, failed)
            succeeded = self._refold(match_id, generation)
            done, failed = done + (succeeded is True), failed + (succeeded is False)
            after = match_id
        self._lists.note_rebuild(generation, partition, done, failed)
        if len(self._lists.rebuild_progress(generation)) == PARTITIONS:
            self._lists.finish_rebuild(generation)
            return None
        return Part(partition + 1) if partition + 1 < PARTITIONS else None

    def progress(self, generation: int) -> RebuildDoc:
        """How far a rebuild is."""
        parts = self._lists.rebuild_progress(generation)
        return RebuildDoc(
            generation=generation,
            partitions=PARTITIONS,
            partitions_done=len(parts),
            matches=_total(parts, 0),
            failed=_total(parts, 1),
            finished=self._lists.generations() == (generation,),
        )

    def _refold(self, match_id: str, generation: int) -> bool | None:
        """Whether the match could be folded and its projections written; `None` without one."""
        with alone(match_id, self._report):
            try:
                found = self._loader.refold(match_id)
            except NotFound:
                return None  # it was removed for good
            self._projector.rebuild(found, generation)
            self._note_ended(found)
            return True
        # A newer build may read it, and writes it into the new generation when it finds the mark.
        self._work.mark(match_id)
        return False

    def _note_ended(self, found: Found) -> None:
        """Matches that ended under a build without an archive come to it in this way."""
        match = found.match
        if match.status == "ended" and found.head.place is None:
            # A file that was imported may tell any time.
            self._wholes.note_ended(found.id, self._clock() if match.imported else match.last_at)


def _total(parts: RebuildProgress, index: int) -> int:
    return sum(counts[index] for counts in parts.values())
