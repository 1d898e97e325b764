"""Building all projections anew from the streams, while the service goes on.

A rebuild opens a new generation. Live writes go to both; the stored folds of older generations
are ignored from then on; when every partition is done the new generation becomes the current one.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from services.hosted import Hall
from services.matches.loading import Found
from services.matches.state import fold
from services.projections.projector import Projector
from shared.errors import Corrupt
from shared.store import PARTITIONS, EventStore, ListStore, RebuildProgress, Snapshot

Report = Callable[[str, Exception], None]


class RebuildDoc(msgspec.Struct, frozen=True, kw_only=True):
    """How far a rebuild is. `failed` counts matches that this build cannot read."""

    generation: int
    partitions: int
    partitions_done: int
    matches: int
    failed: int
    finished: bool


class Rebuilding:
    """Rebuilds partition by partition, so that no task is long."""

    def __init__(
        self,
        store: EventStore,
        lists: ListStore,
        hall: Hall,
        projector: Projector,
        report: Report,
    ) -> None:
        self._store = store
        self._lists = lists
        self._hall = hall
        self._projector = projector
        self._report = report

    def begin(self) -> int:
        """Opens a new generation; its number."""
        return self._lists.begin_rebuild()

    def being_built(self, generation: int) -> bool:
        """Whether a rebuild still goes on: not finished, nor given up for a newer one."""
        generations = self._lists.generations()
        return len(generations) > 1 and generations[-1] == generation

    def rebuild(self, generation: int, partition: int) -> None:
        """Refolds every match of a partition; after the last one, flips to the new generation."""
        done, failed = 0, 0
        for match_id in self._store.matches(partition):
            try:
                self._refold(match_id, generation)
                done += 1
            except Corrupt as broken:
                self._report(match_id, broken)
                failed += 1
        self._lists.note_rebuild(generation, partition, done, failed)
        if len(self._lists.rebuild_progress(generation)) == PARTITIONS:
            self._lists.finish_rebuild(generation)

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

    def _refold(self, match_id: str, generation: int) -> None:
        loaded = self._store.load(match_id, snapshot=False)
        if loaded is None:
            return
        hosted = self._hall[loaded.head.game]
        match = fold(hosted.game, None, hosted.read(loaded.tail))
        data = hosted.write_snapshot(match)
        self._store.save_snapshot(match_id, Snapshot(match.version, generation, data))
        self._projector.list([Found(match_id, hosted, loaded.head, match)], (generation,))


def _total(parts: RebuildProgress, index: int) -> int:
    return sum(counts[index] for counts in parts.values())
