"""From the store to a folded match: projection or cache first, then the tail of the stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from services.hosted import Hall, Hosted
from services.matches.access import unknown
from services.matches.cache import Kept, MatchCache
from services.matches.state import AnyMatch, fold
from services.projections.generation import Generation
from shared.errors import Corrupt, Newer, NotFound, Unavailable
from shared.store import CommandRecord, EventStore, Head, Loaded, Look, Snapshot


@dataclass(frozen=True, slots=True)
class Found:
    """A match at its head."""

    id: str
    hosted: Hosted
    head: Head
    match: AnyMatch
    last: bytes
    """The event at its version, as it is stored."""
    record: CommandRecord | None = None
    fresh: bool = True
    """Whether the store was asked; what is kept here may be older than its head."""


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
        (found,) = self.load_many([match_id], command=command)
        if isinstance(found, Corrupt):
            raise found
        if found is None:
            raise unknown()
        return found

    def load_many(
        self, match_ids: Sequence[str], *, command: str | None = None
    ) -> list[Found | Corrupt | None]:
        """Many matches at once; `None` for an unknown one, the fault of one in its place."""
        kept = [self._cache.get(match_id) for match_id in match_ids]
        looks = [
            Look(match_id, k.match.version if k else 0, command, snapshot=k is None)
            for match_id, k in zip(match_ids, kept, strict=True)
        ]
        loaded = self._store.load_many(looks)
        return [self._found(*each) for each in zip(looks, kept, loaded, strict=True)]

    def _found(
        self, look: Look, kept: Kept | None, loaded: Loaded | Corrupt | None
    ) -> Found | Corrupt | None:
        if isinstance(loaded, Corrupt):
            return loaded
        lost = kept is not None and loaded is not None and loaded.before not in (b"", kept.last)
        if loaded is None or lost or loaded.head.version < look.after:
            self._cache.drop(look.match)
            # A store that went back behind what we saw (to a replica that lacked it, or to a copy)
            # is believed, also where it went on from there.
            return None if loaded is None else self.load_many([look.match], command=look.command)[0]
        try:
            match = self._folded(look.match, kept, loaded)
        except Corrupt as broken:
            return broken
        except Unavailable:
            raise
        except Exception as bug:
            # Whatever a fold stumbles over: this build cannot read this log, and others go on.
            unreadable = Corrupt(f"folding {look.match} raised {type(bug).__name__}")
            unreadable.__cause__ = bug
            return unreadable
        self._cache.put(look.match, Kept(match, loaded.head.epochs, loaded.last))
        hosted = self._hall[loaded.head.game]
        return Found(look.match, hosted, loaded.head, match, loaded.last, loaded.record)

    def _folded(self, match_id: str, kept: Kept | None, loaded: Loaded) -> AnyMatch:
        try:
            hosted = self._hall[loaded.head.game]
        except NotFound as elsewhere:
            raise Newer(f"this build hosts no {loaded.head.game!r}") from elsewhere
        start, tail = kept.match if kept else None, loaded.tail
        if loaded.snapshot is not None:
            start = self._start(hosted, loaded.snapshot)
            if start is None:
                tail = self._store.events(match_id)
        return (
            start if start is not None and not tail else fold(hosted.game, start, hosted.read(tail))
        )

    def _start(self, hosted: Hosted, snapshot: Snapshot) -> AnyMatch | None:
        if snapshot.generation < self._generation.target():
            return None  # a rebuild means: trust the log alone
        return hosted.read_snapshot(snapshot.data)

    def stored(
        self, match_ids: Sequence[str]
    ) -> list[tuple[Loaded | Corrupt | None, Loaded | Corrupt | None]]:
        """Two looks at each match, nothing of it folded: with its projection, then its whole log.

        So the log is not shorter than what the projection was folded from. Where there is no
        projection the first look has the log already: a file of the archive is read once.
        """
        projected = self._store.load_many([Look(match_id) for match_id in match_ids])
        again = [
            Look(match_id, snapshot=False)
            for match_id, found in zip(match_ids, projected, strict=True)
            if not _is_whole(found)
        ]
        rest = iter(self._store.load_many(again))
        return [(found, found if _is_whole(found) else next(rest)) for found in projected]

    def refold(self, match_id: str) -> Found:
        """A match at its head folded from the log alone; neither cache nor projection is asked.

        Raises:
            NotFound: there is no such match.
            Corrupt: the log can't be folded by this build.
        """
        look = Look(match_id, snapshot=False)
        (loaded,) = self._store.load_many([look])
        found = self._found(look, None, loaded)
        if isinstance(found, Corrupt):
            raise found
        if found is None:
            raise unknown()
        return found

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
        return Found(match_id, self._hall[match.game], head, match, kept.last, fresh=False)

    def keep(self, match_id: str, match: AnyMatch, epochs: Mapping[int, int], last: bytes) -> None:
        """Remembers what was just appended."""
        self._cache.put(match_id, Kept(match, epochs, last))

    def forget(self, match_id: str) -> None:
        """Looks at the store again next time."""
        self._cache.drop(match_id)


def _is_whole(found: Loaded | Corrupt | None) -> bool:
    """Whether a look has all events of a match, or there is none."""
    return found is None or (isinstance(found, Loaded) and found.snapshot is None)
