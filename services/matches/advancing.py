"""Folding and bots: what a work mark asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from services.bots.levels import policy_for
from services.matches import lifecycle
from services.matches.committing import Committer
from services.matches.loading import Found
from services.matches.playing import QUICK_MS, Player
from services.matches.state import AnyMatch
from services.projections.projector import Projector
from shared.errors import Corrupt, NotFound
from shared.store import EventStore, Lease, VersionConflict, WorkQueue

LEASE_MS = 6_000
MATCH_MS = 1_000
"""So long one match may keep a task."""
TASK_MS = 5_000
"""So long a task may run; the marks of the rest are handed out again."""
MOVES = 64
"""So many bots' moves go into one append."""
TRIES = 3
"""A mark taken so often without getting anywhere has killed its process: play the default."""
CORRUPT_MS = 60_000
"""A match that this build cannot read is looked at again after so long (another build may)."""

Report = Callable[[str, Corrupt], None]


class Advancer:
    """Takes marks, folds their matches, and plays the seats that the server holds."""

    def __init__(
        self,
        *,
        store: EventStore,
        work: WorkQueue,
        committer: Committer,
        projector: Projector,
        player: Player,
        clock: Callable[[], int],
        think: Callable[[str, int], None],
        report: Report,
    ) -> None:
        self._store = store
        self._work = work
        self._committer = committer
        self._projector = projector
        self._player = player
        self._clock = clock
        self._think = think
        self._report = report

    def advance(self, match_ids: Sequence[str]) -> int:
        """Works on these marks for at most `TASK_MS`; how many matches were looked at."""
        until = self._clock() + TASK_MS
        for count, match_id in enumerate(match_ids):
            if self._clock() >= until:
                return count
            self._advance_one(match_id)
        return len(match_ids)

    def _advance_one(self, match_id: str) -> None:
        lease = self._work.take(match_id, lease_ms=LEASE_MS)
        if lease is None:
            return
        try:
            self._fold_and_play(lease)
        except Corrupt as broken:
            self._report(match_id, broken)
            self._work.release(lease, done_at=None, in_ms=CORRUPT_MS)
        except NotFound:
            self._work.release(lease, done_at=0)

    def _fold_and_play(self, lease: Lease) -> None:
        until = self._clock() + MATCH_MS
        found = self._project(lease.match)
        give_up = lease.tries > TRIES
        while lifecycle.asked_bots(found.hosted.game, found.match):
            wait = self._wait_ms(found.match)
            if wait > 0 or self._clock() >= until:
                self._work.release(lease, done_at=None, in_ms=max(wait, 0))
                return
            if self._needs_thought(found.match, found):
                self._think(lease.match, found.match.version)
                # The task holds the mark while it thinks; this is for a task that got lost.
                self._work.release(lease, done_at=None, in_ms=LEASE_MS)
                return
            try:
                self._play(found, until, give_up=give_up)
            except VersionConflict:
                self._work.release(lease, done_at=None)
                return
            found = self._project(lease.match)
            give_up = False
        self._work.release(lease, done_at=found.match.version)

    def _project(self, match_id: str) -> Found:
        found = self._committer.load(match_id)
        self._projector.project(match_id, found.hosted, found.match)
        return found

    def _wait_ms(self, match: AnyMatch) -> int:
        return match.last_at + match.pace_ms - self._clock() if match.pace_ms else 0

    def _needs_thought(self, match: AnyMatch, found: Found) -> bool:
        seat = lifecycle.asked_bots(found.hosted.game, match)[0]
        level = match.seats[seat].level or ""
        return policy_for(found.hosted.game, level).budget_ms > QUICK_MS

    def _play(self, found: Found, until: int, *, give_up: bool) -> None:
        """Plays quick bots' moves in one append: one move where people follow, else many."""
        draft = self._committer.draft(found)
        seed = bytes.fromhex(self._store.secret(found.id).seed)
        game = found.hosted.game
        for _ in range(1 if found.match.pace_ms else MOVES):
            seats = lifecycle.asked_bots(game, draft.match)
            if not seats or self._clock() >= until or self._needs_thought(draft.match, found):
                break
            answer = self._player.answer(draft, seats[0], seed, give_up=give_up)
            self._player.play(draft, seats[0], answer)
            give_up = False
        if draft.envelopes:
            self._committer.store(found, draft)
