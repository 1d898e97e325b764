"""A series without any server: the same chunks, on all cores of this machine.

Every lane is a thread with a process of its own, so that a match that kills its process costs
nobody else anything, and is passed over after as many tries as on a server.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_EXCEPTION,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache, partial
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from threading import Lock

import msgspec

from services.hosted import Hall
from services.matches.limits import limit
from services.registry import games
from services.series.documents import ProgressDoc, SeriesDoc
from services.series.files import Files
from services.series.part import Part
from services.series.playing import Course, course
from services.series.reporting import progress_doc, series_doc
from services.series.rows import Row
from services.series.slicing import TRIES, play_slice
from services.series.spec import Spec
from services.series.tally import Sums
from shared.series_store import Counts, Record, Status, total
from shared.settings import Settings

SLICE_MS = 1_000
LOCAL = "local"
"""Stands for the id of a series that no server knows."""


@dataclass(frozen=True, slots=True)
class LocalSeries:
    """A series that was played here: the same document and rows as a server gives."""

    doc: SeriesDoc
    rows: tuple[Row, ...]


def run_local(
    spec: Spec,
    settings: Settings,
    *,
    now: int,
    tell: Callable[[ProgressDoc], None],
    lanes: int | None = None,
    folder: str | None = None,
) -> LocalSeries:
    """Plays a whole series.

    Args:
        spec: from `resolve`.
        settings: only `extra_games` is of interest.
        now: ms since 1970, for the document.
        tell: called about once a second a lane, by one thread at a time.
        lanes: processes; as many as there are cores, if it is not said.
        folder: where kept transcripts go (any fsspec address); without it none are kept.

    Raises:
        Unavailable: `series.files-unavailable`, a transcript can't be kept in the folder.
        KeyboardInterrupt: Ctrl-C; the processes have ended when it arrives here.
    """
    count = min(lanes or os.cpu_count() or 1, spec.chunks)
    run = _Run(spec, settings, now, tell, folder, count)
    with ThreadPoolExecutor(count, thread_name_prefix="lane") as threads:
        working = [threads.submit(run.lane) for _ in range(count)]
        try:
            ended, _ = wait(working, return_when=FIRST_EXCEPTION)
        finally:
            run.stop()
    for lane in ended:
        lane.result()
    return run.result()


class _Run:
    """What the lanes share: which chunks nobody has begun, and how far the others are."""

    def __init__(
        self,
        spec: Spec,
        settings: Settings,
        now: int,
        tell: Callable[[ProgressDoc], None],
        folder: str | None,
        lanes: int,
    ) -> None:
        self.stopping = get_context("spawn").Event()
        self._spec = spec
        self._settings = settings
        self._now = now
        self._tell = tell
        self._folder = folder
        self._began = time.monotonic()
        self._lock = Lock()
        self._waiting: Iterator[int] = iter(range(spec.chunks))
        self._lanes = lanes
        self._parts: dict[int, Part] = {}
        self._counts: dict[int, Counts] = {}

    def stop(self) -> None:
        """Every lane ends soon, also in a thought."""
        self.stopping.set()

    def lane(self) -> None:
        """Plays one chunk after the other."""
        pool = _process(self.stopping)
        try:
            while (chunk := self._next()) is not None:
                pool = self._play(chunk, pool)
        finally:
            pool.shutdown()

    def result(self) -> LocalSeries:
        """The series once all chunks are over."""
        parts = [self._parts[chunk] for chunk in range(self._spec.chunks)]
        sums = Sums()
        for part in parts:
            sums.add(part.sums())
        hosted = Hall(games(self._settings))[self._spec.game]
        return LocalSeries(
            series_doc(self._record("done"), self._spec, sums, hosted),
            tuple(row for part in parts for row in part.rows),
        )

    def _next(self) -> int | None:
        with self._lock:
            return None if self.stopping.is_set() else next(self._waiting, None)

    def _play(self, chunk: int, pool: ProcessPoolExecutor) -> ProcessPoolExecutor:
        """Plays a chunk by slices; the pool to go on with."""
        data: bytes | None = None
        tries, over = 1, False
        while not (over or self.stopping.is_set()):
            given = (self._spec, self._settings, self._folder, chunk, data, tries)
            try:
                data = pool.submit(_slice, *given).result()
            except (BrokenProcessPool, MemoryError):
                pool.shutdown()
                if tries > TRIES:  # it passed over a match and played nothing: it can't even start
                    raise
                pool, tries = _process(self.stopping), tries + 1
                continue
            tries = 1
            part = Part.read(data)
            over = part.following(self._spec) is None
            self._note(part)
        return pool

    def _note(self, part: Part) -> None:
        with self._lock:
            self._parts[part.chunk] = part
            self._counts[part.chunk] = part.counts()
            self._tell(progress_doc(self._record("running"), self._spec.matches))

    def _record(self, status: Status) -> Record:
        ran_ms = round((time.monotonic() - self._began) * 1000)
        return Record(
            id=LOCAL,
            owner=LOCAL,
            body="",
            spec=msgspec.json.encode(self._spec),
            status=status,
            created_at=self._now,
            started_at=self._now,
            ended_at=self._now + ran_ms if status == "done" else None,
            ran_ms=ran_ms,
            counts=total(self._counts.values()),
            held=self._lanes,
            born=0,
        )


_stopping: Event | None = None
"""In a lane's process: whether it was told to end."""


def _process(stopping: Event) -> ProcessPoolExecutor:
    # Forked, a process would take along whatever locks our other threads hold just then.
    return ProcessPoolExecutor(
        1, mp_context=get_context("spawn"), initializer=_leave_ctrl_c, initargs=(stopping,)
    )


def _leave_ctrl_c(stopping: Event) -> None:
    """Ctrl-C reaches the whole terminal: a process ends when it is told to."""
    global _stopping
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _stopping = stopping


def _is_stopping() -> bool:
    assert _stopping is not None, "this is a lane's process"
    return _stopping.is_set()


def _slice(
    spec: Spec, settings: Settings, folder: str | None, chunk: int, part: bytes | None, tries: int
) -> bytes:
    """A slice of a chunk, in a process of its own; how far the chunk is then."""
    files = None if folder is None else Files(folder)

    def keep(match: int, digest: str, lines: Sequence[bytes]) -> None:
        if files is not None:
            files.write_transcript(LOCAL, match, digest, lines)

    return play_slice(
        _course(msgspec.json.encode(spec), settings),
        chunk,
        part,
        tries=tries,
        for_ms=SLICE_MS,
        stop=_is_stopping,
        keep=keep,
        save=lambda part: True,  # who would go on from there is gone as well
        broke=lambda match, error: None,  # `tycoon series match` tells where
    ).written()


@lru_cache(maxsize=1)
def _course(spec: bytes, settings: Settings) -> Course:
    hall = Hall(games(settings))
    return course(msgspec.json.decode(spec, type=Spec), hall, partial(limit, stop=_is_stopping))
