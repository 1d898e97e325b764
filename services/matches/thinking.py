"""One long thought of a built-in bot, away from folding, under a lease that is renewed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from services.matches import lifecycle
from services.matches.committing import Committer
from services.matches.playing import Player, hold_ms
from shared.store import EventStore, VersionConflict
from shared.work_queue import Lease, WorkQueue

LEASE_MS = 6_000
TRIES = 3

Hold = Callable[[Lease], AbstractContextManager[Callable[[], Lease]]]
"""Keeps a lease renewed inside its block; calling what it gives returns the newest lease."""


class Thinker:
    """Plays the move that a slow bot was asked for."""

    def __init__(
        self,
        *,
        store: EventStore,
        work: WorkQueue,
        committer: Committer,
        player: Player,
        clock: Callable[[], int],
        hold: Hold,
        wait: Callable[[int], None],
    ) -> None:
        self._store = store
        self._work = work
        self._committer = committer
        self._player = player
        self._clock = clock
        self._hold = hold
        self._wait = wait

    def think(self, match_id: str, version: int) -> bool:
        """Thinks for the first built-in seat that is asked at this version; whether it played.

        A task that comes twice finds the mark held, or the match at another version.
        """
        lease = self._work.take(match_id, lease_ms=LEASE_MS)
        if lease is None:
            return False
        with self._hold(lease) as newest:
            try:
                played = self._play(match_id, version, give_up=lease.tries > TRIES)
            except VersionConflict:
                played = False
        self._work.release(newest(), done_at=None)
        return played

    def _play(self, match_id: str, version: int, *, give_up: bool) -> bool:
        found = self._committer.load(match_id)
        game, match = found.hosted.game, found.match
        seats = lifecycle.asked_bots(game, match)
        if match.version != version or not seats:
            return False
        hold = hold_ms(self._player.policy_of(game, match, seats[0]))
        begun = self._clock()
        early = match.last_at + match.pace_ms - hold - begun
        if 0 < early <= match.pace_ms:
            return False  # a task that comes twice may come before its time
        draft = self._committer.draft(found)
        seed = bytes.fromhex(self._store.secret(match_id).seed)
        answer = self._player.answer(draft, seats[0], seed, give_up=give_up)
        if match.pace_ms:
            # A fixed time from the event before, or from the beginning where that was late: an
            # answer's time tells nothing of the thought.
            until = max(match.last_at + match.pace_ms, begun + hold)
            self._wait(min(until - self._clock(), hold))  # a clock that was set back stops no bot
        self._player.play(draft, seats[0], answer)
        self._committer.store(found, draft)
        return True
