"""The sweep: looks at every mark and deadline, and hands out what is ready.

Whatever else got lost (a task, a worker, the broker with all its queues) is found again here. A
crash between handing out and sending is repaired in the same way when the hand-out runs out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest

from services.series.cleaning import is_due
from shared.clocks import ahead
from shared.series_store import SeriesStore
from shared.tasks import ADVANCE, QUEUES, SERIES, TIME_OUT, Sender
from shared.work_queue import WorkQueue

BATCH = 50
"""Matches in one task."""

OFFER_MS = 5_000
"""So long a match that was handed out is not handed out again."""

QUEUED = 20
"""With so many tasks waiting in a queue nothing more is handed out: who plays must not stand behind
an endless line of bots."""

SERIES_EVERY_MS = 1_000
"""So often a process looks for chunks of series: whoever plays them asks for more by itself."""

SERIES_QUEUED = 4
"""So many tasks of series may wait: enough that nobody who plays them ever has nothing to do."""

CLEAN_EVERY_MS = 60_000
"""So often a process looks whether deleted series have left anything, or erased names."""

RETAIN_EVERY_MS = 60_000
"""So often a process looks whether anything is due for the archive. A task that gets on asks for
itself again until then, so there are never more of them at once than processes that sweep."""

Find = Callable[[Sequence[int], int], list[list[str]]]
"""Matches of each of these partitions, at most so many of each."""


@dataclass(frozen=True, slots=True)
class Swept:
    """How many matches a sweep handed out, and for how many chunks of series it sent tasks."""

    advance: int
    time_out: int
    series: int


class Sweeper:
    """Hands out ready marks as `advance`, passed deadlines as `time_out`, chunks as `series`."""

    def __init__(
        self,
        work: WorkQueue,
        series: SeriesStore,
        sender: Sender,
        clock: Callable[[], int],
        retention_is_due: Callable[[], bool],
        erasing_is_due: Callable[[], bool],
    ) -> None:
        self._work = work
        self._series = series
        self._series_due = 0
        self._clean_due = 0
        self._retain_due = 0
        self._retention_is_due = retention_is_due
        self._sender = sender
        self._clock = clock
        self._erasing_is_due = erasing_is_due

    def sweep(self) -> Swept:
        """One look at all partitions; several at the same time do no harm.

        Raises:
            Unavailable: the store is away.
            Unsent: the broker is away.
        """
        now = self._clock()
        partitions = self._work.busy(now)
        # Where not everything fits in, no partition may always come last.
        start = now % len(partitions) if partitions else 0
        partitions = partitions[start:] + partitions[:start]

        def ready(partitions: Sequence[int], limit: int) -> list[list[str]]:
            return self._work.offer(partitions, limit=limit, lease_ms=OFFER_MS)

        def overdue(partitions: Sequence[int], limit: int) -> list[list[str]]:
            return self._work.overdue(partitions, now, limit=limit, lease_ms=OFFER_MS)

        self._send_to_clean(now)
        self._send_to_retain(now)
        return Swept(
            advance=self._hand_out(partitions, ready, ADVANCE),
            time_out=self._hand_out(partitions, overdue, TIME_OUT),
            series=self._send_for_series(now),
        )

    def _send_to_clean(self, now: int) -> None:
        if ahead(self._clean_due, now, CLEAN_EVERY_MS):
            return
        self._clean_due = now + CLEAN_EVERY_MS
        if is_due(self._series, now):
            self._sender.clean()
        if self._erasing_is_due():
            self._sender.erase()

    def _send_to_retain(self, now: int) -> None:
        if ahead(self._retain_due, now, RETAIN_EVERY_MS):
            return
        self._retain_due = now + RETAIN_EVERY_MS
        if self._retention_is_due():
            self._sender.retain(self._retain_due)

    def _send_for_series(self, now: int) -> int:
        """Sends tasks for chunks that nobody holds, as far as the queue has room."""
        if ahead(self._series_due, now, SERIES_EVERY_MS):
            return 0
        self._series_due = now + SERIES_EVERY_MS
        waiting = [(series, room) for series, room in self._series.active() if room]
        if not waiting:
            return 0
        room = max(SERIES_QUEUED - self._sender.queued(QUEUES[SERIES]), 0)
        start = now % len(waiting)  # where not all come to their turn, none is always the last
        sent = 0
        for series in islice(_in_turn(waiting[start:] + waiting[:start]), room):
            self._sender.series(series)
            sent += 1
        return sent

    def _hand_out(self, partitions: Sequence[int], find: Find, task: str) -> int:
        """Sends tasks as far as their queue has room; how many matches they name."""
        if not partitions:
            return 0
        room = (QUEUED - self._sender.queued(QUEUES[task])) * BATCH
        handed_out = 0
        for ids in _batches(_found(partitions, find, room)):
            self._sender.send(task, ids)
            handed_out += len(ids)
        return handed_out


def _found(partitions: Sequence[int], find: Find, room: int) -> Iterator[str]:
    """As many matches as there is room for: an equal share of it to each partition, in one round
    trip; then what is left of it to those that had more."""
    while partitions and room > 0:
        asked, later = partitions[:room], partitions[room:]
        share = room // len(asked)
        found = find(asked, share)
        for matches in found:
            room -= len(matches)
            yield from matches
        more = [p for p, matches in zip(asked, found, strict=True) if len(matches) == share]
        partitions = [*later, *more]


def _in_turn(waiting: Sequence[tuple[str, int]]) -> Iterator[str]:
    """One chunk of each series, then another of each that has more."""
    rounds = zip_longest(*([series] * room for series, room in waiting))
    return (series for turn in rounds for series in turn if series is not None)


def _batches(ids: Iterator[str]) -> Iterator[list[str]]:
    while batch := list(islice(ids, BATCH)):
        yield batch
