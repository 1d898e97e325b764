"""Folding and bots: what a work mark asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from services.matches import lifecycle
from services.matches.committing import Committer
from services.matches.guard import Report, alone
from services.matches.loading import Found
from services.matches.playing import QUICK_MS, Player, hold_ms
from services.matches.state import AnyMatch
from services.projections.projector import Projector
from shared.clocks import ahead
from shared.errors import Corrupt, Newer, Unavailable
from shared.game import Policy
from shared.store import EventStore, VersionConflict
from shared.work_queue import Lease, WorkQueue

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
"""A match that can't be read is looked at again after so long (somebody may have mended it)."""
NEWER_MS = 5_000
"""A match that a newer build must look at is offered again after so long: it may be there."""


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
        self._outdated = False

    def advance(self, match_ids: Sequence[str]) -> int:
        """Works on these marks for at most `TASK_MS`; how many matches were looked at.

        First all are folded in one batch; most need no more. Then bots are played match by match.
        """
        until = self._clock() + TASK_MS
        leases = {m.match: m for m in self._work.take_many(match_ids, lease_ms=LEASE_MS)}
        waiting = self._fold(leases)
        for count, found in enumerate(waiting):
            if not ahead(until, self._clock(), TASK_MS):
                self._work.release_many([(leases[f.id], None) for f in waiting[count:]])
                return len(match_ids) - len(waiting) + count
            # After a defect the mark stays held: taken too often, the default is played in the end.
            with alone(found.id, self._report):
                self._play_on(found, leases[found.id])
        return len(match_ids)

    def _fold(self, leases: Mapping[str, Lease]) -> list[Found]:
        """Projects all matches and gives back the marks of those that need no bot; the others."""
        loaded = self._committer.load_many(list(leases))
        found = [f for f in loaded if isinstance(f, Found)]
        found, left = self._projected(found)
        waiting = [f for f in found if lifecycle.asked_bots(f.hosted.game, f.match)]
        asked = {f.id for f in waiting}
        idle = [f for f in found if f.id not in asked]
        done = [(leases[f.id], f.match.version) for f in idle if f.id not in left]
        for each in (f for f in idle if f.id in left):
            self._leave(leases[each.id])
        for match_id, other in zip(leases, loaded, strict=True):
            if other is None:
                done.append((leases[match_id], 0))
            if isinstance(other, Corrupt):
                self._report(match_id, other)
                wait = NEWER_MS if isinstance(other, Newer) else CORRUPT_MS
                self._work.release(leases[match_id], done_at=None, in_ms=wait)
        self._work.release_many(done)
        return waiting

    def _projected(self, found: list[Found]) -> tuple[list[Found], frozenset[str]]:
        """Those whose projections could be written: all at once, or else one by one.

        Beside them the ids of those whose projections are a newer build's.
        """
        try:
            return found, self._projector.project(found)
        except Unavailable:
            raise
        except Exception:  # told by the one that it is about
            written: list[Found] = []
            left: frozenset[str] = frozenset()
            for each in found:
                with alone(each.id, self._report):
                    left |= self._projector.project([each])
                    written.append(each)
            return written, left

    def _leave(self, lease: Lease) -> None:
        """Gives the mark to a newer build: what it has written is not ours to bring up to date."""
        if not self._outdated:
            self._report(lease.match, Newer("its projections are left to a newer build"))
        self._outdated = True  # one line for each process, not for each match
        self._work.release(lease, done_at=None, in_ms=NEWER_MS)

    def _play_on(self, found: Found, taken: Lease) -> None:
        """Plays bots until people are asked, the match is over or waits, or its time is used up."""
        lease = self._work.renew(taken, lease_ms=LEASE_MS)
        if lease is None:
            return  # it waited here so long that somebody else has it
        until = self._clock() + MATCH_MS
        give_up = lease.tries > TRIES
        left: frozenset[str] = frozenset()
        while lifecycle.asked_bots(found.hosted.game, found.match):
            wait = self._wait_ms(found)
            if wait > 0 or not ahead(until, self._clock(), MATCH_MS):
                self._work.release(lease, done_at=None, in_ms=max(wait, 0))
                return
            if self._needs_thought(found.match, found):
                # The task takes the mark while it thinks; the time is for a task that got lost.
                self._work.release(lease, done_at=None, in_ms=LEASE_MS)
                self._think(found.id, found.match.version)
                return
            try:
                self._play(found, until, give_up=give_up)
            except VersionConflict:
                self._work.release(lease, done_at=None)
                return
            found = self._committer.load(found.id)
            left = self._projector.project([found])
            give_up = False
        if left:
            self._leave(lease)
        else:
            self._work.release(lease, done_at=found.match.version)

    def _wait_ms(self, found: Found) -> int:
        match = found.match
        # A thought with a budget begins earlier, as its move waits for the end of the pace.
        wait = match.last_at + match.pace_ms - hold_ms(self._policy(match, found)) - self._clock()
        return 0 if wait > match.pace_ms else wait  # a clock that was set back stops no bot

    def _needs_thought(self, match: AnyMatch, found: Found) -> bool:
        # Where people sit, the time of a move must not tell how long was thought: the task that
        # thinks apart holds it back.
        quick_ms = 0 if match.pace_ms else QUICK_MS
        return self._policy(match, found).budget_ms > quick_ms

    def _policy(self, match: AnyMatch, found: Found) -> Policy[Any, Any]:
        """How the bot that is asked first plays."""
        game = found.hosted.game
        return self._player.policy_of(game, match, lifecycle.asked_bots(game, match)[0])

    def _play(self, found: Found, until: int, *, give_up: bool) -> None:
        """Plays quick bots' moves in one append: one move where people follow, else many."""
        draft = self._committer.draft(found)
        seed = bytes.fromhex(self._store.secret(found.id).seed)
        game = found.hosted.game
        for _ in range(1 if found.match.pace_ms else MOVES):
            seats = lifecycle.asked_bots(game, draft.match)
            late = not ahead(until, self._clock(), MATCH_MS)
            if not seats or late or self._needs_thought(draft.match, found):
                break
            answer = self._player.answer(draft, seats[0], seed, give_up=give_up)
            self._player.play(draft, seats[0], answer)
            give_up = False
        if draft.envelopes:
            self._committer.store(found, draft)
