"""Cross-match projections in memory: what the port means, without a server."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from threading import RLock

from shared.errors import Conflict
from shared.list_store import Entry, RebuildProgress, check_list_name
from shared.store import Written


class MemoryLists:
    """`ListStore`."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._current, self._building = 1, 0
        self._noted: defaultdict[int, dict[int, tuple[int, int]]] = defaultdict(dict)
        self._rows: defaultdict[tuple[str, str, int], dict[str, Entry]] = defaultdict(dict)

    def upsert(self, name: str, game: str, generation: int, entry: Entry) -> Written:
        for listed in entry.lists:
            check_list_name(listed)
        with self._lock:
            rows = self._rows[name, game, generation]
            old = rows.get(entry.match)
            if old is not None and old.schema > entry.schema:
                return Written.OUTDATED
            if old is not None and (old.version > entry.version or old.erasures > entry.erasures):
                return Written.BEHIND
            rows[entry.match] = entry
            return Written.YES

    def upsert_many(self, rows: Sequence[tuple[str, str, int, Entry]]) -> list[Written]:
        return [self.upsert(*row) for row in rows]

    def remove(self, name: str, game: str, generation: int, match: str) -> None:
        with self._lock:
            self._rows[name, game, generation].pop(match, None)

    def entry(self, name: str, game: str, generation: int, match: str) -> Entry | None:
        with self._lock:
            return self._rows[name, game, generation].get(match)

    def entries(self, rows: Sequence[tuple[str, str, str]]) -> list[Entry | None]:
        with self._lock:
            return [self._rows[name, game, self._current].get(match) for name, game, match in rows]

    def page(
        self, name: str, game: str, listed: str, *, after: tuple[int, str] | None, limit: int
    ) -> list[tuple[int, str, bytes]]:
        rows = sorted((e.created_at, e.match, e.data) for e in self._listed(name, game, listed))
        return [row for row in rows if after is None or row[:2] > after][:limit]

    def counts(self, lists: Sequence[tuple[str, str, str]]) -> list[int]:
        return [len(self._listed(*each)) for each in lists]

    def generations(self) -> tuple[int, ...]:
        with self._lock:
            return (self._current, self._building) if self._building else (self._current,)

    def begin_rebuild(self) -> int:
        with self._lock:
            self._building = max(self._current, self._building) + 1
            return self._building

    def note_rebuild(self, generation: int, partition: int, done: int, failed: int) -> None:
        with self._lock:
            self._noted[generation][partition] = (done, failed)

    def rebuild_progress(self, generation: int) -> RebuildProgress:
        with self._lock:
            return dict(self._noted[generation])

    def finish_rebuild(self, generation: int) -> None:
        with self._lock:
            if generation != self._building:
                raise Conflict(
                    "store.rebuild-superseded",
                    f"Generation {generation} is not being built any more.",
                )
            self._current, self._building = generation, 0
            self.tidy()

    def tidy(self) -> None:
        with self._lock:
            for key in [key for key in self._rows if key[2] < self._current]:
                del self._rows[key]

    def _listed(self, name: str, game: str, listed: str) -> list[Entry]:
        check_list_name(listed)
        with self._lock:
            rows = self._rows[name, game, self._current].values()
            return [entry for entry in rows if listed in entry.lists]
