"""A worker's part in a series: takes a chunk under a lease, plays a slice, and brings it back.

A slice ends with one call of the store. Who dies before that has taken nothing along but the time:
the lease runs out, and the next one goes on from what was saved last. Who fails in any other way
gives the chunk back: only a death counts as one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from functools import lru_cache

import msgspec

from services.bots.levels import exact_policy_for
from services.hosted import Hall
from services.matches.playing import Limit
from services.series.files import Files, folder_of
from services.series.part import Part
from services.series.playing import Course, course
from services.series.slicing import play_slice
from services.series.spec import Spec
from services.series.tally import ChunkSums
from shared.errors import Malformed, Newer, NotFound, Unavailable, Unprocessable
from shared.series_store import Answer, Counts, Held, Record, SeriesStore

LEASE_MS = 15_000
TASK_MS = 5_000
"""So long a task plays; then other series come to their turn."""
INSIST_MS = 15_000
"""So long a store that is away is asked again to take what was played."""
LEAVING_MS = 1_000
"""So long instead, by who was asked to stop."""
AGAIN_MS = 500
REST_MS = 5_000
"""A chunk that something went wrong at is offered again after so long."""

HoldChunk = Callable[[Held], AbstractContextManager[object]]
"""Keeps the lease of a chunk renewed inside its block."""

Sliced = Callable[[str, Answer, Counts], None]
"""Told of a slice: the game, what became of it, and what it played, which counts only if `kept`."""

ReportSeries = Callable[[str, int | None, Exception], None]
"""Is told of a series, and the number of a match in it, that something went wrong at; it must not
repeat the exception's text."""


class SeriesWorker:
    """Plays chunks.

    Args:
        limit: ends a thought that takes too long.
        hold: keeps a lease.
        wait: passes time, ms.
        stopwatch: ms from any start.
        stopping: whether this process was asked to end: a slice then ends with the move.
        sliced: told of each slice that was brought back.
        report: told of matches that broke off, of what went wrong, and of series left to others.
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
        report: ReportSeries,
    ) -> None:
        self._store = store
        self._files = files
        self._hold = hold
        self._wait = wait
        self._stopwatch = stopwatch
        self._stopping = stopping
        self._sliced = sliced
        self._report = report
        self._left: set[str] = set()

        @lru_cache(maxsize=8)
        def course_of(spec: bytes) -> Course:
            return _course(spec, hall, limit)

        self._course = course_of

    def work(self, series: str) -> int:
        """Plays chunks of a series for `TASK_MS`, as long as there are any; how many slices.

        A series of a game or of a build that is newer than this one is left to others.

        Raises:
            Unavailable: the store or the files were away for long.
        """
        try:
            return self._work(series)
        except Newer as newer:
            if series not in self._left:  # one line for each process, not for each task
                self._report(series, None, newer)
            self._left.add(series)
            return 0

    def _work(self, series: str) -> int:
        until = self._stopwatch() + TASK_MS
        slices = 0
        while not self._stopping() and (left := until - self._stopwatch()) > 0:
            record = self._store.get(series)
            if record is None:
                break
            playing = self._course(record.spec)  # before a chunk is taken: it may not be for us
            held = self._take(record)
            if held is None:
                break
            self._slice(held, playing, left)
            slices += 1
        return slices

    def _take(self, record: Record) -> Held | None:
        held = self._store.take(record.id, lease_ms=LEASE_MS)
        if held is not None and held.born != record.born:
            self._store.release(held)  # the series was deleted, and another one has its id
            return None
        return held

    def _slice(self, held: Held, playing: Course, for_ms: int) -> None:
        folder = folder_of(held.series, held.born)

        def keep(match: int, digest: str, lines: Sequence[bytes]) -> None:
            self._files.write_transcript(folder, match, digest, lines)

        def broke(match: int, error: Exception) -> None:
            self._report(held.series, match, error)

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
                    save=lambda part: self._save(held, part),
                    broke=broke,
                )
                answer = self._bring_until_taken(held, playing.spec, part)
        except (Unavailable, Newer):
            self._give_back(held)
            raise
        except MemoryError as error:  # as good as a death: where it comes again, it is passed over
            self._report(held.series, None, error)
            raise
        except Exception as error:
            self._give_back(held, rest_ms=REST_MS)
            self._report(held.series, None, error)
            raise
        self._sliced(playing.spec.game, answer, part.since(held.part))

    def _give_back(self, held: Held, *, rest_ms: int = 0) -> None:
        """Nobody died of it."""
        with suppress(Unavailable):
            self._store.release(held, rest_ms=rest_ms)

    def _save(self, held: Held, part: Part) -> bool:
        """Saves a part that is played on. What can't be saved now is saved later."""
        so_far = ChunkSums(part.sums()).written()
        try:
            answer = self._store.save(
                held, part.written(), so_far, part.counts(), lease_ms=LEASE_MS
            )
        except Unavailable:
            return True
        return answer == "kept"

    def _bring_until_taken(self, held: Held, spec: Spec, part: Part) -> Answer:
        """A repeat does no harm: what was taken the first time is refused the second."""
        began = self._stopwatch()
        while True:
            try:
                return self._bring(held, spec, part)
            except Unavailable:
                patience = LEAVING_MS if self._stopping() else INSIST_MS
                if self._stopwatch() - began >= patience:
                    raise
            self._wait(AGAIN_MS)

    def _bring(self, held: Held, spec: Spec, part: Part) -> Answer:
        sums, counts = part.sums(), part.counts()
        folder = folder_of(held.series, held.born)
        if part.following(spec) is None:
            name = self._files.write_rows(folder, held.chunk, part.rows)
            finished = ChunkSums(sums, name).written()
            return self._store.finish(held, finished, counts)
        so_far = ChunkSums(sums).written()
        return self._store.save(held, part.written(), so_far, counts)


def _course(stored: bytes, hall: Hall, limit: Limit) -> Course:
    """The course of a stored series. Raises `Newer` where this build can't play it."""
    try:
        spec = msgspec.json.decode(stored, type=Spec)
        found = course(spec, hall, limit)
        found.hosted.read_options(spec.options)
        versions = {
            level: exact_policy_for(found.hosted.game, level).version for level in spec.versions
        }
    except (msgspec.DecodeError, NotFound, Malformed, Unprocessable) as unknown:
        raise Newer("this build doesn't know such a series") from unknown
    if spec.rules > found.hosted.game.rules:
        raise Newer(f"this build knows no rules {spec.rules} of {spec.game}")
    for level, version in versions.items():
        if spec.versions[level] > version:
            raise Newer(f"this build knows no {level} {spec.versions[level]}")
    return found
