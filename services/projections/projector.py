"""Writes what queries read: the match's state, the lobby's row, the result's row.

Each write carries the match's version and refuses to go back; nothing is ever incremented, so a
lost, doubled or late projection is harmless.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from services.hosted import Hosted
from services.matches.documents import ResultDoc, SeatDoc, instant, result_doc, seat_docs
from services.matches.events import Visibility
from services.matches.state import AnyMatch, Status
from services.projections.generation import Generation
from shared import ids
from shared.store import Entry, EventStore, ListStore, Person, Snapshot

LOBBY = "lobby"
RESULTS = "results"
COUNTED = ("completed", "resigned")


class RowDoc(msgspec.Struct, frozen=True, kw_only=True):
    """A match in a list."""

    id: str
    game: str
    status: Status
    version: int
    """The version since which nothing that a list shows has changed."""
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

    def project(self, match_id: str, hosted: Hosted, match: AnyMatch) -> None:
        """Brings every projection of a match up to this version of it."""
        generation = self._generation.target()
        data = hosted.write_snapshot(match)
        if not self._store.save_snapshot(match_id, Snapshot(match.version, generation, data)):
            # A newer version was there, or a rebuild began within the last second.
            generation = self._generation.refresh()
            self._store.save_snapshot(match_id, Snapshot(match.version, generation, data))
        # Most moves change nothing that a list shows; another process may write the row once more.
        if self._listed.get(match_id) == (match.shown, generation):
            return
        self.list(match_id, match, self._lists.generations())
        if len(self._listed) >= 10_000:
            self._listed.clear()
        self._listed[match_id] = (match.shown, generation)

    def list(self, match_id: str, match: AnyMatch, generations: tuple[int, ...]) -> None:
        """Writes the match's rows of the cross-match projections."""
        people = self._store.people(match_id)
        lists = lists_of(match, people, self._key)
        entry = Entry(
            match=match_id,
            version=match.shown,
            created_at=match.created_at,
            data=msgspec.json.encode(row_doc(match_id, match, people)),
            lists=lists,
        )
        counts = match.result is not None and match.result.reason in COUNTED
        for generation in generations:
            self._lists.upsert(LOBBY, match.game, generation, entry)
            if counts and not (match.custom or match.imported):
                self._lists.upsert(RESULTS, match.game, generation, entry)


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
    if match.visibility == "public":
        views.append("public")
    refs = [player_list(key, match.owner, p.ref) for p in people.values() if p.ref is not None]
    return frozenset(
        {*views, *refs, *(f"{view}:{match.status}" for view in (*views, *refs))},
    )


def player_list(key: bytes, owner: str, ref: str) -> str:
    """The list of a host's player. The reference itself is in no key."""
    return f"key:{owner}:player:{ids.derive(key, 'ref', owner, ref, length=26)}"
