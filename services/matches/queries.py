"""Every query: projection or cache plus the tail of the log, shown to one caller."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Generic, TypeVar

import msgspec

from services.matches import access, lifecycle, thoughts, transcript
from services.matches.access import Caller
from services.matches.committing import Done, refuse_stale
from services.matches.documents import MatchDoc, Seat, Shown, Version, event_doc, match_doc
from services.matches.loading import Found, Loader
from services.matches.state import AnyMatch
from services.matches.thoughts import ThoughtsDoc
from shared.errors import Conflict, Forbidden, IllegalMove, Malformed
from shared.game import Move
from shared.settings import Settings
from shared.store import EventStore

M = TypeVar("M")


class ListedMove(msgspec.Struct, Generic[M], frozen=True, kw_only=True, omit_defaults=True):
    """A legal move, or a template of moves with ranges; `facts` where a preview was asked for."""

    move: M
    facts: dict[str, Any] | None = None


class MovesDoc(msgspec.Struct, Generic[M], frozen=True, kw_only=True):
    """The caller's legal moves at a version; empty when the seat is not asked for one."""

    version: Version
    seat: Seat
    moves: tuple[ListedMove[M], ...]


class RefusalDoc(msgspec.Struct, frozen=True, kw_only=True):
    """Why a move would be refused."""

    code: str
    rule: str | None
    detail: str


class TrialDoc(msgspec.Struct, frozen=True, kw_only=True):
    """What a dry run found. Nothing was decided, drawn or stored."""

    version: Version
    legal: bool
    refusal: RefusalDoc | None
    facts: dict[str, Any] | None


class DoneDoc(msgspec.Struct, frozen=True, kw_only=True):
    """A command's answer: what it wrote, as the caller may see it, and the match after it."""

    version: Version
    events: tuple[Shown, ...]
    match: MatchDoc[Any, Any]


class EventsDoc(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the log. `next` is the version to go on after; `null` at the head."""

    items: tuple[Shown, ...]
    next: str | None
    as_of: Version


class Queries:
    """What a caller may know of one match."""

    def __init__(self, store: EventStore, loader: Loader, settings: Settings) -> None:
        self._store = store
        self._loader = loader
        self._key = settings.server_key.encode()

    def find(self, match_id: str, caller: Caller) -> tuple[Found, int | None]:
        """A match that the caller may see, and the caller's seat."""
        found = self._loader.load(match_id)
        seat = access.seat_of(caller, match_id, found.head, self._key)
        access.may_see(caller, seat, found.match)
        return found, seat

    def match(
        self,
        match_id: str,
        caller: Caller,
        *,
        version: int | None = None,
        min_version: int | None = None,
        view_as: int | None = None,
    ) -> MatchDoc[Any, Any]:
        """A match at its head, or as it was at an earlier version.

        Raises:
            Conflict: `match.version-not-reached`.
            Forbidden: another seat's view before the match is over.
        """
        found, seat = self.find(match_id, caller)
        head = found.match.version
        if max(version or 0, min_version or 0) > head:
            raise Conflict(
                "match.version-not-reached",
                f"The match is at version {head}.",
                version=head,
                retry_after=1,
            )
        if view_as is not None:
            lifecycle.held(found.match, view_as)
            if view_as != lifecycle.looks_as(found.match, seat) and found.match.status != "ended":
                raise Forbidden("seat.not-yours", "Another seat's view is open after the end.")
        shown = self._loader.at_version(found, version) if version else found.match
        return self._doc(found, shown, caller, seat, view_as)

    def _doc(
        self,
        found: Found,
        shown: AnyMatch,
        caller: Caller,
        seat: int | None,
        view_as: int | None = None,
    ) -> MatchDoc[Any, Any]:
        return match_doc(
            found.hosted,
            found.id,
            shown,
            seat=lifecycle.looks_as(found.match, seat),
            people=self._store.people(found.id),
            refs=access.owns(caller, found.match),
            view_as=view_as,
        )

    def done(self, done: Done, caller: Caller) -> DoneDoc:
        """The answer to a command for whoever gave it."""
        seat = lifecycle.looks_as(done.match, done.seat)
        events = tuple(
            event_doc(done.hosted, version, envelope, seat, done.match.status)
            for version, envelope in enumerate(done.envelopes, done.first)
        )
        match = match_doc(
            done.hosted,
            done.id,
            done.match,
            seat=seat,
            people=done.people,
            refs=access.owns(caller, done.match),
        )
        return DoneDoc(version=done.match.version, events=events, match=match)

    def moves(self, match_id: str, caller: Caller, *, preview: bool) -> MovesDoc[Any]:
        """The caller's legal moves now."""
        found, seat = self.find(match_id, caller)
        seat = access.must_hold(caller, seat, found.match)
        lifecycle.must_not_have_left(found.match, seat)
        game, match = found.hosted.game, found.match
        running = match.status == "running"
        moves = game.legal_moves(match.table, seat) if running else ()
        view = game.view(match.table, seat) if preview and moves else None

        def listed(move: Any) -> ListedMove[Any]:
            plain = view is None or not isinstance(move, Move)
            return ListedMove(move=move, facts=None if plain else game.preview(view, move))

        return MovesDoc(version=match.version, seat=seat, moves=tuple(map(listed, moves)))

    def try_move(self, match_id: str, caller: Caller, given: Any, expected: int | None) -> TrialDoc:
        """Whether a move is legal, and what it surely brings: by `check` alone, without chance."""
        found, seat = self.find(match_id, caller)
        seat = access.must_hold(caller, seat, found.match)
        lifecycle.must_not_have_left(found.match, seat)
        game, match = found.hosted.game, found.match
        move = found.hosted.read_move(given)
        if expected is not None and expected != match.version:
            refuse_stale(match)
        lifecycle.must_be_asked(game, match, seat)
        try:
            game.check(match.table, seat, move)
        except IllegalMove as no:
            refusal = RefusalDoc(code=no.code, rule=no.rule, detail=no.detail)
            return TrialDoc(version=match.version, legal=False, refusal=refusal, facts=None)
        facts = game.preview(game.view(match.table, seat), move)
        return TrialDoc(version=match.version, legal=True, refusal=None, facts=facts)

    def events(self, match_id: str, caller: Caller, *, after: int, limit: int) -> EventsDoc:
        """The log after a version, as the caller may see it."""
        found, seat = self.find(match_id, caller)
        head = found.match.version
        if after > head:
            raise Malformed("request.invalid", f"The match is at version {head}.", version=head)
        seat = lifecycle.looks_as(found.match, seat)
        stored = self._store.events(match_id, after=after, limit=min(limit, head - after))
        items = tuple(
            event_doc(found.hosted, version, envelope, seat, found.match.status)
            for version, envelope in enumerate(found.hosted.read(stored), after + 1)
        )
        reached = after + len(items)
        return EventsDoc(items=items, next=str(reached) if reached < head else None, as_of=head)

    def thoughts(
        self, match_id: str, caller: Caller, *, cursor: str | None, limit: int
    ) -> ThoughtsDoc[Any]:
        """How built-in bots came to their moves, once the match is over."""
        found, _ = self.find(match_id, caller)
        transcript.must_be_over(found.match)
        after = 0 if cursor is None else read_count(cursor)
        stored = self._store.thoughts(match_id, after=after, limit=limit + 1)
        return ThoughtsDoc(
            items=thoughts.read(found.match, stored[:limit]),
            next=str(after + limit) if len(stored) > limit else None,
            as_of=found.match.version,
        )

    def export(self, match_id: str, caller: Caller) -> Iterator[bytes]:
        """The transcript, line by line, once the match is over."""
        found, _ = self.find(match_id, caller)
        transcript.must_be_over(found.match)
        return transcript.write(found.hosted, found.match, self._store.events(match_id))


def read_count(cursor: str) -> int:
    """A `next` that counts what comes before. Raises `Malformed` for one never given out."""
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) <= 9):
        raise Malformed("request.bad-cursor", "This cursor is none of ours.")
    return int(cursor)
