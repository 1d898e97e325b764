"""Writes what queries read: the match's state, the lobby's row, the result's row.

Each write carries the match's version and refuses to go back; nothing is ever incremented, so a
lost, doubled or late projection is harmless.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec

from services.matches.documents import ResultDoc, SeatDoc, instant, result_doc, seat_docs
from services.matches.events import Visibility
from services.matches.loading import Found
from services.matches.state import AnyMatch, Status
from services.projections.generation import Generation
from shared import ids
from shared.store import Entry, EventStore, ListStore, Person, Snapshot

LOBBY = "lobby"
RESULTS = "results"
ALL = "all"
"""The lobby's lists of all matches that are not over. Nobody is shown them: they are counted."""
COUNTED = ("completed", "resigned")
REMEMBERED = 10_000


_SINCE = "Since this version of the match nothing has changed that this list shows."


class RowDoc(msgspec.Struct, frozen=True, kw_only=True):
    """A match in a list."""

    id: str
    game: str
    status: Status
    version: Annotated[int, msgspec.Meta(description=_SINCE)]
    visibility: Visibility
    custom: bool
    imported: bool
    created_at: str
    seats: tuple[SeatDoc, ...]
    result: ResultDoc | None


class Projector:
    """Writes all projections of one match."""

    def __init__(
        self, store: EventStore, lists: ListStore, generation: Generation, server_key: bytes
    ) -> None:
        self._store = store
        self._lists = lists
        self._generation = generation
        self._key = server_key
        self._listed: dict[str, tuple[int, int]] = {}

    def project(self, found: Sequence[Found]) -> None:
        """Brings every projection of these matches up to this version of them."""
        generation = self._generation.target()
        saved = self._save(found, generation)
        if not all(saved):
            # A newer version was there, or a rebuild began within the last second.
            generation = self._generation.refresh()
            self._save([f for f, ok in zip(found, saved, strict=True) if not ok], generation)
        # Most moves change nothing that a list shows; another process may write the row once more.
        changed = [f for f in found if self._listed.get(f.id) != (f.match.shown, generation)]
        if not changed:
            return
        self.list(changed, self._lists.generations())
        if len(self._listed) >= REMEMBERED:
            self._listed.clear()
        self._listed.update({f.id: (f.match.shown, generation) for f in changed})

    def rebuild(self, found: Found, generation: int) -> None:
        """Writes the projections of a match that was folded anew, for a generation alone."""
        self._save([found], generation)
        self.list([found], (generation,))

    def _save(self, found: Sequence[Found], generation: int) -> list[bool]:
        return self._store.save_snapshots(
            [
                (f.id, Snapshot(f.match.version, generation, f.hosted.write_snapshot(f.match)))
                for f in found
            ]
        )

    def list(self, found: Sequence[Found], generations: tuple[int, ...]) -> None:
        """Writes the matches' rows of the cross-match projections."""
        people = self._store.people_many([f.id for f in found])
        self._lists.upsert_many(
            [
                (name, f.match.game, generation, self._entry(f, seated))
                for f, seated in zip(found, people, strict=True)
                for generation in generations
                for name in ((LOBBY, RESULTS) if counts(f.match) else (LOBBY,))
            ]
        )

    def _entry(self, found: Found, people: Mapping[int, Person]) -> Entry:
        match = found.match
        return Entry(
            match=found.id,
            version=match.shown,
            created_at=match.created_at,
            data=msgspec.json.encode(row_doc(found.id, match, people)),
            lists=lists_of(match, people, self._key),
        )


def counts(match: AnyMatch) -> bool:
    """Whether a match is a result: played to an end, neither custom nor imported."""
    ended = match.result is not None and match.result.reason in COUNTED
    return ended and not (match.custom or match.imported)


def row_doc(match_id: str, match: AnyMatch, people: Mapping[int, Person]) -> RowDoc:
    """A match as every list shows it; no host's reference is in it."""
    return RowDoc(
        id=match_id,
        game=match.game,
        status=match.status,
        version=match.shown,
        visibility=match.visibility,
        custom=match.custom,
        imported=match.imported,
        created_at=instant(match.created_at),
        seats=seat_docs(match, people, refs=False),
        result=result_doc(match),
    )


def lists_of(match: AnyMatch, people: Mapping[int, Person], key: bytes) -> frozenset[str]:
    """Every list that a match stands in: by who may see it, each with its status, and by player."""
    views = [f"key:{match.owner}"]
    if match.visibility == "public" and not match.imported:  # a file tells its own time
        views.append("public")
    refs = [player_list(key, match.owner, p.ref) for p in people.values() if p.ref is not None]
    counted = () if match.status == "ended" else (f"{ALL}:{match.status}",)
    return frozenset(
        {*views, *refs, *counted, *(f"{view}:{match.status}" for view in (*views, *refs))},
    )


def player_list(key: bytes, owner: str, ref: str) -> str:
    """The list of a host's player. The reference itself is in no key."""
    return f"key:{owner}:player:{ids.derive(key, 'ref', owner, ref, length=26)}"
