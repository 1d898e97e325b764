"""Whether this build makes of every stored log what is stored and shown: the gate of an upgrade.

Each log is folded alone. What comes out is compared with the stored projection, with the rows of
the lists, and with how the match ended. Nothing is written, and the service may go on meanwhile:
each is compared at the version that it has, and what differs is looked at again at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

import msgspec

from services.matches.loading import Loader
from services.projections.projector import LOBBY, RESULTS
from services.upkeep import Tell
from services.upkeep.comparing import Comparing, Look
from shared.list_store import ListStore
from shared.store import PARTITIONS, EventStore, Loaded

BATCH = 20
"""So many matches are asked for at once."""

AGAIN_MS = 300
"""After so long what differs is looked at again, twice: it may have been about to change."""


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A match that this build sees otherwise.

    `what` says which part and where in it, never what stands there: it may be hidden. Game and
    version are missing where not even they can be read.
    """

    match: str
    game: str | None
    version: int | None
    what: tuple[str, ...]


@dataclass(slots=True)
class Refolded:
    """What was looked at: matches, those of them in the archive, and projections and rows that
    were not compared, as they are of another schema or generation."""

    matches: int = 0
    archived: int = 0
    passed_over: int = 0

    def count(self, look: Look, passed_over: int) -> None:
        """Counts a match."""
        self.matches += 1
        self.archived += look.archived
        self.passed_over += passed_over


class Refolding:
    """Looks at every match."""

    def __init__(
        self,
        store: EventStore,
        lists: ListStore,
        loader: Loader,
        comparing: Comparing,
        wait: Callable[[int], None],
    ) -> None:
        self._store = store
        self._lists = lists
        self._loader = loader
        self._comparing = comparing
        self._wait = wait

    def check(
        self,
        found: Refolded,
        tell: Tell,
        *,
        game: str | None = None,
        only: Collection[str] = (),
    ) -> Iterator[Difference]:
        """Every match that differs; `found` counts meanwhile, and `tell` is told.

        Args:
            game: of this game alone.
            only: these matches alone.

        Raises:
            Unavailable: the store or the archive is away.
        """
        done, total = 0, len(only) or sum(len(self._store.matches(p)) for p in range(PARTITIONS))
        suspects: list[str] = []
        for batch in self._batches(only):
            for look in self._look(batch):
                if game is None or look.game in (game, None):
                    what, passed_over = self._comparing.differences(look)
                    suspects += [look.match] if what else []
                    found.count(look, passed_over)
            done += len(batch)
            tell(done, max(done, total))  # new ones may come meanwhile
        if suspects:
            self._wait(AGAIN_MS)
            suspects = [each.match for each in self._again(suspects)]
            self._wait(AGAIN_MS)
            yield from self._again(suspects)

    def _again(self, suspects: Sequence[str]) -> Iterator[Difference]:
        for suspect in suspects:
            # Alone, for then an archive that is away is no fault of the match.
            for look in self._look([suspect]):
                what, _ = self._comparing.differences(look)
                if what:
                    yield Difference(
                        match=look.match, game=look.game, version=look.version, what=tuple(what)
                    )

    def _batches(self, only: Collection[str]) -> Iterator[list[str]]:
        everywhere = (self._store.matches(number) for number in range(PARTITIONS))
        for matches in [list(only)] if only else everywhere:
            for at in range(0, len(matches), BATCH):
                yield matches[at : at + BATCH]

    def _look(self, match_ids: Sequence[str]) -> Iterator[Look]:
        """Looks at matches; not at those that are unknown or were removed."""
        stored = self._loader.stored(match_ids)
        seated = self._store.seated_many(match_ids)
        games = [log.head.game if isinstance(log, Loaded) else "" for _, log in stored]
        pairs = list(zip(match_ids, games, strict=True))
        lobby = self._lists.entries([(LOBBY, game, match_id) for match_id, game in pairs])
        results = self._lists.entries([(RESULTS, game, match_id) for match_id, game in pairs])
        looks = zip(match_ids, stored, seated, lobby, results, strict=True)
        for match_id, (projected, log), people, row, result in looks:
            if log is not None:
                snapshot = projected.snapshot if isinstance(projected, Loaded) else None
                yield Look(match_id, snapshot, log, people, row, result)
