"""Writes what queries read: the match's state, the lobby's row, the result's row.

Each write carries the match's version and refuses to go back; nothing is ever incremented, so a
lost, doubled or late projection is harmless.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec

from services import hosted
from services.matches.documents import ResultDoc, SeatDoc, instant, result_doc, seat_docs
from services.matches.events import Visibility
from services.matches.loading import Found
from services.matches.state import AnyMatch, Status
from services.projections.generation import Generation
from shared import ids
from shared.list_store import Entry, ListStore
from shared.store import EventStore, Person, Seated, Snapshot, Written

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

    def project(self, found: Sequence[Found]) -> frozenset[str]:
        """Brings every projection of these matches up to this version of them.

        Returns the matches that have a projection of a newer build, which was left as it is.
        """
        generation = self._generation.target()
        saved = self._save(found, generation)
        behind = [f for f in found if saved[f.id] is Written.BEHIND]
        if behind:
            # A newer version was there, or a rebuild began within the last second.
            generation = self._generation.refresh()
            saved |= self._save(behind, generation)
        left = {match_id for match_id, written in saved.items() if written is Written.OUTDATED}
        # Most moves change nothing that a list shows; another process may write the row once more.
        changed = [f for f in found if self._listed.get(f.id) != (f.match.shown, generation)]
        if changed:
            unlisted = self.list(changed, self._lists.generations())
            left |= unlisted
            if len(self._listed) >= REMEMBERED:
                self._listed.clear()
            listed = [f for f in changed if f.id not in unlisted]
            self._listed.update({f.id: (f.match.shown, generation) for f in listed})
        return frozenset(left)

    def rebuild(self, found: Found, generation: int) -> None:
        """Writes the projections of a match that was folded anew, for a generation alone."""
        self._save([found], generation)
        self.list([found], (generation,))

    def _save(self, found: Sequence[Found], generation: int) -> dict[str, Written]:
        saved = self._store.save_snapshots([(f.id, _snapshot(f, generation)) for f in found])
        return {f.id: written for f, written in zip(found, saved, strict=True)}

    def list(self, found: Sequence[Found], generations: tuple[int, ...]) -> set[str]:
        """Writes the matches' rows of the cross-match projections.

        Returns the matches that have a row of a newer build, which was left as it is.
        """
        left: set[str] = set()
        while found:
            seated = self._store.seated_many([f.id for f in found])
            rows = [
                (name, f.match.game, generation, entry(f.id, f.match, people, self._key))
                for f, people in zip(found, seated, strict=True)
                for generation in generations
                for name in ((LOBBY, RESULTS) if counts(f.match) else (LOBBY,))
            ]
            written = self._lists.upsert_many(rows)
            left |= {
                row.match
                for (_, _, _, row), done in zip(rows, written, strict=True)
                if done is Written.OUTDATED
            }
            found = self._erased_since(found, seated)
        return left

    def _erased_since(self, found: Sequence[Found], seated: Sequence[Seated]) -> Sequence[Found]:
        """Matches that lost a name since it was read: it may stand in a row that was just written.

        Or the row was refused because of that, and has an older version yet.
        """
        named = [(f, then) for f, then in zip(found, seated, strict=True) if then.people]
        now = self._store.seated_many([f.id for f, _ in named])
        return [
            f
            for (f, then), again in zip(named, now, strict=True)
            if again.erasures != then.erasures
        ]


def entry(match_id: str, match: AnyMatch, seated: Seated, key: bytes) -> Entry:
    """A match's row, the same in every list."""
    return Entry(
        match=match_id,
        version=match.shown,
        created_at=match.created_at,
        data=msgspec.json.encode(row_doc(match_id, match, seated.people)),
        lists=lists_of(match, seated.people, key),
        schema=hosted.SNAPSHOT_SCHEMA,
        erasures=seated.erasures,
    )


def _snapshot(found: Found, generation: int) -> Snapshot:
    data = found.hosted.write_snapshot(found.match)
    return Snapshot(found.match.version, generation, data, hosted.SNAPSHOT_SCHEMA)


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
