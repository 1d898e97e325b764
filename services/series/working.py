"""A worker's part in a series: takes a chunk under a lease, plays a slice, and brings it back.

A slice ends with one call of the store. Who dies before that has taken nothing along but the time:
the lease runs out, and the next one goes on from what was saved last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache

import msgspec

from services.hosted import Hall
from services.matches.playing import Limit
from services.series.files import Files
from services.series.part import Part
from services.series.playing import Course, course
from services.series.slicing import play_slice
from services.series.spec import Spec
from services.series.tally import ChunkSums
from shared.errors import Unavailable
from shared.series_store import Answer, Counts, Held, SeriesStore

LEASE_MS = 15_000
TASK_MS = 5_000
"""So long a task plays; then other series come to their turn."""
INSIST_MS = 15_000
"""So long a store that is away is asked again to take what was played."""
AGAIN_MS = 500

HoldChunk = Callable[[Held], AbstractContextManager[object]]
"""Keeps the lease of a chunk renewed inside its block."""

Sliced = Callable[[str, Answer, Counts], None]
"""Told of a slice: the game, what became of it, and what it played, which counts only if `kept`."""


class SeriesWorker:
    """Plays chunks.

    Args:
        limit: ends a thought that takes too long.
        hold: keeps a lease.
        wait: passes time, ms.
        stopwatch: ms from any start.
        stopping: whether this process was asked to end: a slice then ends with the move.
        sliced: told of each slice that was brought back.
    """

    def __init__(
        self,
        *,
        store: SeriesStore,
        files: Files,
        hall: Hall,
        limit: Limit,
        hold: HoldChunk,
        wait: Callable[[int], None],
        stopwatch: Callable[[], int],
        stopping: Callable[[], bool],
        sliced: Sliced,
    ) -> None:
        self._store = store
        self._files = files
        self._hold = hold
        self._wait = wait
        self._stopwatch = stopwatch
        self._stopping = stopping
        self._sliced = sliced

        @lru_cache(maxsize=8)
        def course_of(spec: bytes) -> Course:
            return course(msgspec.json.decode(spec, type=Spec), hall, limit)

        self._course = course_of

    def work(self, series: str) -> int:
        """Plays chunks of a series for `TASK_MS`, as long as there are any; how many slices.

        Raises:
            Unavailable: the store or the files were away for long.
        """
        until = self._stopwatch() + TASK_MS
        slices = 0
        while not self._stopping() and (left := until - self._stopwatch()) > 0:
            record = self._store.get(series)
            held = None if record is None else self._store.take(series, lease_ms=LEASE_MS)
            if record is None or held is None:
                break
            self._slice(held, self._course(record.spec), left)
            slices += 1
        return slices

    def _slice(self, held: Held, playing: Course, for_ms: int) -> None:
        def keep(match: int, digest: str, lines: Sequence[bytes]) -> None:
            self._files.write_transcript(held.series, match, digest, lines)

        try:
            with self._hold(held):
                part = play_slice(
                    playing,
                    held.chunk,
                    held.part,
                    tries=held.tries,
                    for_ms=for_ms,
                    stop=self._stopping,
                    keep=keep,
                )
                answer = self._bring_until_taken(held, playing.spec, part)
        except Unavailable:
            self._store.release(held)  # nobody died of it
            raise
        self._sliced(playing.spec.game, answer, part.since(held.part))

    def _bring_until_taken(self, held: Held, spec: Spec, part: Part) -> Answer:
        """A repeat does no harm: what was taken the first time is refused the second."""
        until = self._stopwatch() + INSIST_MS
        while True:
            try:
                return self._bring(held, spec, part)
            except Unavailable:
                if self._stopwatch() >= until:
                    raise
            self._wait(AGAIN_MS)

    def _bring(self, held: Held, spec: Spec, part: Part) -> Answer:
        sums, counts = part.sums(), part.counts()
        if part.following(spec) is None:
            name = self._files.write_rows(held.series, held.chunk, part.rows)
            finished = ChunkSums(sums, name).written()
            answer = self._store.finish(held, finished, counts)
        else:
            so_far = ChunkSums(sums).written()
            answer = self._store.save(held, part.written(), so_far, counts)
        if answer == "gone":
            self._files.remove(held.series)
        return answer
