"""From the store to a folded match: projection or cache first, then the tail of the stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from services.hosted import Hall, Hosted
from services.matches.access import unknown
from services.matches.cache import Kept, MatchCache
from services.matches.state import AnyMatch, fold
from services.projections.generation import Generation
from shared.errors import Corrupt
from shared.store import CommandRecord, EventStore, Head, Snapshot


@dataclass(frozen=True, slots=True)
class Found:
    """A match at its head."""

    id: str
    hosted: Hosted
    head: Head
    match: AnyMatch
    record: CommandRecord | None = None


class Loader:
    """Loads matches; keeps the last ones folded."""

    def __init__(
        self, store: EventStore, hall: Hall, cache: MatchCache, generation: Generation
    ) -> None:
        self._store = store
        self._hall = hall
        self._cache = cache
        self._generation = generation

    def load(self, match_id: str, *, command: str | None = None) -> Found:
        """A match at its head, and the record of a command if it was carried out before.

        Raises:
            NotFound: there is no such match.
            Corrupt: the log has an event that this build cannot read.
        """
        kept = self._cache.get(match_id)
        cached = kept.match if kept else None
        after = cached.version if cached else 0
        loaded = self._store.load(match_id, after=after, command=command, snapshot=cached is None)
        if loaded is None:
            self._cache.drop(match_id)
            raise unknown()
        if loaded.head.version < after:
            # The store went back behind what we saw (restored from a backup): believe the store.
            self._cache.drop(match_id)
            return self.load(match_id, command=command)
        hosted = self._hall[loaded.head.game]
        start, tail = cached, loaded.tail
        if loaded.snapshot is not None:
            start = self._start(hosted, loaded.snapshot)
            if start is None:
                tail = self._store.events(match_id)
        match = fold(hosted.game, start, hosted.read(tail)) if tail or start is None else start
        self._cache.put(match_id, Kept(match, loaded.head.epochs))
        return Found(match_id, hosted, loaded.head, match, loaded.record)

    def _start(self, hosted: Hosted, snapshot: Snapshot) -> AnyMatch | None:
        if snapshot.generation < self._generation.target():
            return None  # a rebuild means: trust the log alone
        return hosted.read_snapshot(snapshot.data)

    def at_version(self, found: Found, version: int) -> AnyMatch:
        """The match as it was at a version between 1 and its head, folded from the log."""
        if version == found.match.version:
            return found.match
        stored = self._store.events(found.id, limit=version)
        if len(stored) != version:
            raise Corrupt(f"the log of {found.id} has a gap before version {version}")
        return fold(found.hosted.game, None, found.hosted.read(stored))

    def kept(self, match_id: str, version: int) -> Found | None:
        """A match without a look at the store, if this process saw it last at just that version."""
        kept = self._cache.get(match_id)
        if kept is None or kept.match.version != version:
            return None
        match = kept.match
        head = Head(match.version, match.game, match.status, kept.epochs)
        return Found(match_id, self._hall[match.game], head, match)

    def keep(self, match_id: str, match: AnyMatch, epochs: Mapping[int, int]) -> None:
        """Remembers what was just appended."""
        self._cache.put(match_id, Kept(match, epochs))

    def forget(self, match_id: str) -> None:
        """Looks at the store again next time."""
        self._cache.drop(match_id)
