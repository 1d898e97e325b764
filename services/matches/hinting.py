"""Hints: what a search would do in a seat's place, asked for by its holder, thought by a worker."""

from __future__ import annotations

from typing import Any, Generic, Literal, TypeVar

import msgspec

from services.bots.levels import HINT_MS, check_hint, policy_for
from services.matches import access, lifecycle
from services.matches.access import Caller
from services.matches.documents import Version
from services.matches.loading import Found, Loader
from services.matches.playing import Limit, Stalled, limit_ms
from services.matches.queries import Queries
from services.matches.thoughts import ConsideredDoc, considered
from shared import ids
from shared.chance import Chance
from shared.errors import Forbidden, NotFound, TooMany
from shared.game import Thought
from shared.hintstore import Hint, HintInWork, HintLease, HintStore
from shared.settings import Settings

M = TypeVar("M")

QUEUED_MS = 5_000
"""A task that was not begun so long after it was sent counts as lost."""

THINKING_MS = HINT_MS * 2 + 2_000
"""A worker that has not answered so long after it began counts as lost: more than any limit."""


class HintDoc(msgspec.Struct, Generic[M], frozen=True, kw_only=True):
    """A hint for the version at which it was asked for; the match may have gone on.

    While it is `thinking` there is no `move` and nothing else of the answer. `leading` has the
    moves that were looked at most, the best first.
    """

    version: Version
    status: Literal["thinking", "ready"]
    level: str
    move: M | None
    iterations: int | None
    leading: tuple[ConsideredDoc[M], ...]


class _Answer(msgspec.Struct, frozen=True):
    move: Any
    iterations: int
    leading: tuple[tuple[Any, int, int], ...]


class Hints:
    """What a seat's holder may ask for, and get."""

    def __init__(self, queries: Queries, hints: HintStore, settings: Settings) -> None:
        self._queries = queries
        self._hints = hints
        self._level = settings.hint_level

    def ask(
        self, match_id: str, caller: Caller, level: str | None
    ) -> tuple[HintDoc[Any], int, bool]:
        """Asks for a hint at the match's version: what stands there, for which seat, and whether
        a task must be sent for it.

        Raises:
            Conflict: as for a move.
            Forbidden: hints are switched off, or the caller holds no seat.
            TooMany: the seat's hint for an earlier version is still being thought.
            Unprocessable: `level` is no level of search, or thinks too long.
        """
        found, seat = self._seated(match_id, caller)
        if not self._level:
            raise Forbidden("hint.off", "This server gives no hints.")
        lifecycle.must_be_asked(found.hosted.game, found.match, seat)
        level = level or self._level
        check_hint(level)
        wanted = Hint(found.match.version, _epoch(found, seat), level)
        try:
            hint, send = self._hints.ask(match_id, seat, wanted, lease_ms=QUEUED_MS)
        except HintInWork:
            raise TooMany(
                "hint.in-work",
                "Your hint for an earlier version is still being thought.",
                retry_after=1,
            ) from None
        return _doc(hint), seat, send

    def get(self, match_id: str, caller: Caller) -> HintDoc[Any]:
        """The caller's hint. Raises `NotFound` where this holder has asked for none."""
        found, seat = self._seated(match_id, caller)
        hint = self._hints.look(match_id, seat)
        if hint is None or hint.epoch != _epoch(found, seat):
            raise NotFound("hint.none", "You have asked for no hint.")
        return _doc(hint)

    def _seated(self, match_id: str, caller: Caller) -> tuple[Found, int]:
        found, seat = self._queries.find(match_id, caller)
        held = access.must_hold(caller, seat, found.match)
        lifecycle.must_not_have_left(found.match, held)
        return found, held


class Hinter:
    """Thinks the hints that were asked for.

    Args:
        key: the server's; a hint's chance follows from it and has nothing to do with the match's.
        limit: ends a thought that takes too long.
    """

    def __init__(self, loader: Loader, hints: HintStore, key: bytes, limit: Limit) -> None:
        self._loader = loader
        self._hints = hints
        self._key = key
        self._limit = limit

    def think(self, match_id: str, seat: int, version: int) -> bool:
        """Thinks a seat's hint; whether there is an answer now.

        A task that comes twice, or too late, finds nothing to do.
        """
        lease = self._hints.take(match_id, seat, version, lease_ms=THINKING_MS)
        if lease is None:
            return False
        thought = self._thought(lease)
        if thought is None:
            self._hints.drop(lease)
            return False
        leading = tuple((one.move, one.visits, one.value) for one in thought.leading)
        answer = _Answer(thought.move, thought.iterations, leading)
        return self._hints.answer(lease, msgspec.json.encode(answer))

    def _thought(self, lease: HintLease) -> Thought | None:
        """`None` where the question is old, its asker gone, or the search did not come back."""
        found = self._loader.load(lease.match)
        game, match, seat, hint = found.hosted.game, found.match, lease.seat, lease.hint
        if match.version != hint.version or _epoch(found, seat) != hint.epoch:
            return None
        policy = policy_for(game, hint.level)
        assert policy.think is not None, "only levels of search were let in"
        view, moves = game.view(match.table, seat), game.legal_moves(match.table, seat)
        asked = (lease.match, str(seat), str(hint.version))
        chance = Chance(ids.derive(self._key, "hint", *asked, length=52).encode())
        try:
            with self._limit(limit_ms(policy)):
                return policy.think(view, moves, chance)
        except Stalled:
            return None


def _epoch(found: Found, seat: int) -> int:
    return found.head.epochs.get(seat, 0)


def _doc(hint: Hint) -> HintDoc[Any]:
    if hint.answer is None:
        return HintDoc(
            version=hint.version,
            status="thinking",
            level=hint.level,
            move=None,
            iterations=None,
            leading=(),
        )
    answer = msgspec.json.decode(hint.answer, type=_Answer)
    return HintDoc(
        version=hint.version,
        status="ready",
        level=hint.level,
        move=answer.move,
        iterations=answer.iterations,
        leading=considered(answer.leading),
    )
