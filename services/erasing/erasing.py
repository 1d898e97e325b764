"""Erasing the names of people: from their match, and from the rows of all lists.

A name lies with its match alone and, copied, in the rows that lists show. It is erased from the
match first; the count of erasures then keeps everybody from writing a row from an older look (see
`Entry.erasures`), and the rows that are there are written again without it. What a process that
died left half done is found by whoever asks again, for the row still stands in its player's list,
and by `work`, for the match stays on a shelf of its own until its rows were looked at once more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import msgspec

from services.hosted import Hall
from services.matches import access, lifecycle
from services.matches.access import Caller
from services.matches.guard import Report, alone
from services.matches.loading import Found, Loader
from services.matches.queries import Queries
from services.projections.projector import LOBBY, RESULTS, player_list
from shared.clocks import DAY_MS, ahead
from shared.list_store import Entry, ListStore
from shared.settings import Settings
from shared.store import EventStore, Person, Seated, Written
from shared.store_files import StoreFiles
from shared.whole_store import Shelf, WholeStore
from shared.work_queue import WorkQueue

LATE_MS = 300_000
"""So long after an erasure nobody still writes what was read before: their task is over."""
TASK_MS = 5_000
"""So long a task works; the sweep asks again."""
AT_ONCE = 20
"""Matches of each partition that a task begins with."""
LOOKED_AT = 500
"""Matches whose people are read in one round trip."""


class ErasureDoc(msgspec.Struct, frozen=True, kw_only=True):
    """Matches that a name was erased in by this request, and those that are left for the next."""

    erased: int
    left: int


class Eraser:
    """Forgets people. Everything here may be done twice, and by many at the same time.

    Args:
        clock: for how long a task works; ms since 1970.
        calendar: by which days are counted; the same.
    """

    def __init__(
        self,
        *,
        store: EventStore,
        wholes: WholeStore,
        lists: ListStore,
        work: WorkQueue,
        files: StoreFiles,
        loader: Loader,
        queries: Queries,
        hall: Hall,
        settings: Settings,
        clock: Callable[[], int],
        calendar: Callable[[], int],
        report: Report,
    ) -> None:
        self._store = store
        self._wholes = wholes
        self._lists = lists
        self._work = work
        self._files = files
        self._loader = loader
        self._queries = queries
        self._hall = hall
        self._key = settings.server_key.encode()
        self._names_ms = settings.names_days * DAY_MS
        self._clock = clock
        self._calendar = calendar
        self._report = report

    def erase_player(self, owner: str, ref: str, *, limit: int) -> ErasureDoc:
        """Forgets a player of an API key in at most `limit` matches, whatever their status."""
        # What has no mark when the marks are read is in its lists by then: none is missed.
        unlisted = self._unlisted(owner, ref)
        found = [*unlisted, *self._listed(owner, ref, limit)]
        matches = list(dict.fromkeys(found))
        for match in matches[:limit]:
            (seated,) = self._store.seated_many([match])
            self._erase(match, {s: p for s, p in seated.people.items() if p.ref == ref})
        left = set(unlisted).difference(matches[:limit])
        return ErasureDoc(
            erased=len(matches[:limit]), left=len(left) + self._count_listed(owner, ref)
        )

    def erase_seat(self, match: str, seat: int, caller: Caller) -> ErasureDoc:
        """Forgets who sits at a seat: for that seat, the match's API key and the operator.

        Raises:
            NotFound: no such match, or it is not the caller's to see; no such seat.
            Forbidden, Unauthenticated: the caller is none of those.
        """
        # People before the token: who sits down after its holder left is then somebody else.
        (seated,) = self._store.seated_many([match])
        found, mine = self._queries.find(match, caller)
        lifecycle.held(found.match, seat)
        if mine != seat:
            access.must_own(caller, mine, found.match)
        erased = self._erase(match, {s: p for s, p in seated.people.items() if s == seat})
        return ErasureDoc(erased=int(erased), left=0)

    def is_due(self) -> bool:
        """Whether there is anything for `work`."""
        return any(
            self._wholes.aged(shelf, before=before, limit=1) for shelf, before in self._shelves()
        )

    def work(self) -> tuple[int, int]:
        """Erases names that are too old, and settles what was erased, for `TASK_MS`.

        Returns how many matches lost their names, and how many were settled.
        """
        until = self._clock() + TASK_MS
        done = {Shelf.NAMED: 0, Shelf.ERASED: 0}
        for shelf, before in self._shelves():
            settled: list[str] = []
            for match in self._wholes.aged(shelf, before=before, limit=AT_ONCE):
                if not ahead(until, self._clock(), TASK_MS):
                    break
                with alone(match, self._report):
                    (self._erase_all if shelf is Shelf.NAMED else self._forget)(match)
                    done[shelf] += 1
                    settled.append(match)
            if shelf is Shelf.ERASED and settled:
                self._settle(settled, before)
        return done[Shelf.NAMED], done[Shelf.ERASED]

    def _shelves(self) -> list[tuple[Shelf, int]]:
        """Where `work` looks for matches, and since when they must stand there."""
        now = self._calendar()
        aged = [(Shelf.NAMED, now - self._names_ms)] if self._names_ms else []
        return [*aged, (Shelf.ERASED, now - LATE_MS)]

    def _settle(self, matches: list[str], before: int) -> None:
        """Takes matches off the shelf whose rows were looked at after the last late write."""
        self._lists.tidy()
        self._files.note()
        for match in matches:
            self._wholes.settle(match, before=before)

    def _unlisted(self, owner: str, ref: str) -> list[str]:
        """Matches of a player that may not be in their lists yet: each has a mark."""
        marked = self._work.marked()
        found: list[str] = []
        for start in range(0, len(marked), LOOKED_AT):
            some = marked[start : start + LOOKED_AT]
            for match, seated in zip(some, self._store.seated_many(some), strict=True):
                if any(person.ref == ref for person in seated.people.values()):
                    found.append(match)
        loaded = self._loader.load_many(found)
        return [f.id for f in loaded if isinstance(f, Found) and f.match.owner == owner]

    def _listed(self, owner: str, ref: str, limit: int) -> list[str]:
        listed = player_list(self._key, owner, ref)
        return [
            match
            for hosted in self._hall
            for _, match, _ in self._lists.page(
                LOBBY, hosted.game.slug, listed, after=None, limit=limit
            )
        ]

    def _count_listed(self, owner: str, ref: str) -> int:
        listed = player_list(self._key, owner, ref)
        return sum(self._lists.counts([(LOBBY, h.game.slug, listed) for h in self._hall]))

    def _erase_all(self, match: str) -> None:
        self._erase(match, self._store.people(match))

    def _erase(self, match: str, people: Mapping[int, Person]) -> bool:
        """Whether any of these people still sat there."""
        erased = bool(self._wholes.erase(match, people))
        self._forget(match)
        return erased

    def _forget(self, match: str) -> None:
        """Takes whoever is erased out of the rows of a match.

        The lobby's current row comes last: a player is looked for there.
        """
        (seated,) = self._store.seated_many([match])
        for generation in reversed(self._lists.generations()):
            for name in (RESULTS, LOBBY):
                if seated.removed:
                    self._lists.remove(name, seated.game, generation, match)
                else:
                    self._rewrite(name, generation, match, seated)

    def _rewrite(self, name: str, generation: int, match: str, seated: Seated) -> None:
        written = None
        while written is not Written.YES:
            row = self._lists.entry(name, seated.game, generation, match)
            # Where there is none, who writes one looks afterwards whether names were erased.
            if row is None or row.erasures >= seated.erasures:
                return
            without = _without(row, seated, self._key)
            written = self._lists.upsert(name, seated.game, generation, without)


def _without(row: Entry, seated: Seated, key: bytes) -> Entry:
    """A row of any build without the people who sit there no more. It shows nobody new."""
    shown = msgspec.json.decode(row.data)
    for doc in shown["seats"]:
        if doc["name"] != seated.people.get(doc["seat"], Person()).name:
            doc["name"] = None
    refs = [person.ref for person in seated.people.values() if person.ref is not None]
    return replace(
        row,
        data=msgspec.json.encode(shown),
        lists=frozenset(listed for listed in row.lists if _stays(listed, refs, key)),
        erasures=seated.erasures,
    )


def _stays(listed: str, refs: list[str], key: bytes) -> bool:
    """Whether a list is of no player, or of one who is still known."""
    owner, of_player, _ = listed.removeprefix("key:").partition(":player:")
    return not of_player or any(listed.startswith(player_list(key, owner, ref)) for ref in refs)
