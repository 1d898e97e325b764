"""How long what is over is kept, and where: each rule with its own number of days."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from services.archive.archiving import Archiver
from services.archive.files import Archive
from services.archive.reading import head_of
from services.matches.guard import Report, alone
from services.projections.projector import LOBBY, RESULTS
from services.series.commands import SeriesCommands
from shared.clocks import DAY_MS, ahead
from shared.list_store import ListStore
from shared.series_store import SeriesStore
from shared.settings import Settings
from shared.store import EventStore
from shared.whole_store import Shelf, WholeStore
from shared.work_queue import WorkQueue

TASK_MS = 5_000
"""So long a task works; it asks for itself again while it gets on."""
BATCH = 4
"""So many matches of each partition are looked up at once."""
SERIES = 20
"""So many series a task deletes at most."""
LEASE_MS = 30_000


class Rule(NamedTuple):
    """What becomes of matches of a shelf that ended `days` ago; 0 is never."""

    name: str
    shelf: Shelf
    days: int
    carry_out: Callable[[str], bool]
    """Whether it came to that: somebody may work on the match just now."""


class Retention:
    """Carries out the rules. Two processes at the same time do no harm.

    Args:
        events: the store without the archive behind it.
        clock: for how long a task works; ms since 1970.
        calendar: by which days are counted; the same.
    """

    def __init__(
        self,
        *,
        events: EventStore,
        wholes: WholeStore,
        work: WorkQueue,
        lists: ListStore,
        series: SeriesStore,
        series_commands: SeriesCommands,
        archive: Archive,
        archiver: Archiver,
        settings: Settings,
        clock: Callable[[], int],
        calendar: Callable[[], int],
        report: Report,
    ) -> None:
        self._events = events
        self._wholes = wholes
        self._work = work
        self._lists = lists
        self._series = series
        self._series_commands = series_commands
        self._archive = archive
        self._archiver = archiver
        self._series_days = settings.series_days
        self._clock = clock
        self._calendar = calendar
        self._report = report
        self._failed: set[tuple[str, str]] = set()
        # What needs no archive comes first, and what is removed is not archived before.
        self._rules: Sequence[Rule] = (
            Rule("removed", Shelf.ENDED, settings.remove_days, self._remove),
            Rule("removed", Shelf.ARCHIVED, settings.remove_days, self._remove),
            Rule("archived", Shelf.ENDED, settings.archive_days, self._put_away),
        )

    def is_due(self) -> bool:
        """Whether anything is due: a look at the store's shelves. May raise `Unavailable`."""
        return bool(self._series_due(1)) or any(self._due(rule) for rule in self._rules)

    def carry_out(self) -> Mapping[str, int]:
        """Works for `TASK_MS`: how many series were `deleted`, how many matches which rule met.

        Raises:
            Unavailable: the store or the archive is away.
        """
        until = self._clock() + TASK_MS
        done = Counter(deleted=0, archived=0, removed=0)
        for series, owner in self._series_due(SERIES):
            delete = partial(self._series_commands.delete, series, owner)
            done["deleted"] += self._try("deleted", series, delete)
        for rule in self._rules:
            for match in self._due(rule):
                if not ahead(until, self._clock(), TASK_MS):
                    return done
                done[rule.name] += self._try(rule.name, match, partial(rule.carry_out, match))
        return done

    def _due(self, rule: Rule) -> list[str]:
        """Some matches that a rule speaks of, but for those that it failed at before."""
        if not rule.days:
            return []
        before = self._calendar() - rule.days * DAY_MS
        # Those that it failed at are still the first ones, and must not hide the others.
        found = self._wholes.aged(rule.shelf, before=before, limit=BATCH + len(self._failed))
        due = [match for match in found if (rule.name, match) not in self._failed]
        start = before % len(due) if due else 0  # two processes rarely begin at the same one
        return due[start:] + due[:start]

    def _series_due(self, limit: int) -> list[tuple[str, str]]:
        if not self._series_days:
            return []
        before = self._calendar() - self._series_days * DAY_MS
        found = self._series.over(before=before, limit=limit + len(self._failed))
        return [each for each in found if ("deleted", each[0]) not in self._failed]

    def _try(self, rule: str, name: str, carry_out: Callable[[], bool | None]) -> bool:
        """One that fails stops no other one, and is left alone by this process from then on."""
        with alone(name, self._report):
            return carry_out() is not False
        self._failed.add((rule, name))
        return False

    def _put_away(self, match: str) -> bool:
        return self._archiver.archive(match) == "archived"

    def _remove(self, match: str) -> bool:
        """Removes a match for good; whoever dies in between leaves it on its shelf.

        The match goes first: rows and files are nobody's from then on, and no mark asks for them.
        What is just being written into a list is found by the shelf `ERASED`.
        """
        self._give_up(match)
        if not self._wholes.remove(match):
            return False
        (gone,) = self._events.seated_many([match])
        for generation in self._lists.generations():
            for name in (LOBBY, RESULTS):
                self._lists.remove(name, gone.game, generation, match)
        self._archive.remove(match, self._wholes.place(match))
        self._wholes.forget(match)
        return True

    def _give_up(self, match: str) -> None:
        """Takes its mark away, unless somebody works on it just now.

        A match that can't be read would have one for ever.
        """
        head = head_of(self._events, match)
        lease = self._work.take(match, lease_ms=LEASE_MS)
        if lease is not None and head is not None:
            self._work.release(lease, done_at=head.version)
