"""What the clock does to matches: time-outs of moves, and expiry."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from services.matches import lifecycle
from services.matches.committing import Committer
from services.matches.draft import Draft
from services.matches.guard import Report, alone
from services.matches.loading import Found
from services.matches.state import AnyMatch
from shared.chance import Chance
from shared.clocks import DAY_MS
from shared.errors import NotFound
from shared.game import Event
from shared.settings import Settings
from shared.store import VersionConflict
from shared.work_queue import WorkQueue


class Timekeeper:
    """Acts on matches whose time has come. A newer version always wins against it."""

    def __init__(
        self,
        committer: Committer,
        work: WorkQueue,
        settings: Settings,
        clock: Callable[[], int],
        wake: Callable[[str], None],
        report: Report,
    ) -> None:
        self._committer = committer
        self._work = work
        self._waiting_ms = settings.waiting_hours * 3_600_000
        self._idle_ms = settings.idle_days * DAY_MS
        self._stand_in = settings.stand_in_level
        self._clock = clock
        self._wake = wake
        self._report = report

    def time_out_all(self, match_ids: Sequence[str]) -> int:
        """Lets the clock act on each of these; on how many it did."""
        count = 0
        for match_id in match_ids:
            with alone(match_id, self._report):
                count += self.time_out(match_id)
        return count

    def time_out(self, match_id: str) -> bool:
        """Lets the clock act on a match if its time has come; whether it did."""
        try:
            found = self._committer.load(match_id)
        except NotFound:
            return False
        due = lifecycle.due_at(
            found.hosted.game, found.match, waiting_ms=self._waiting_ms, idle_ms=self._idle_ms
        )
        if due is None:
            return False
        if due > self._clock():
            # Whoever named this match looked away from it, by a clock that may have been ahead.
            self._work.remind(match_id, due)
            return False
        draft = self._committer.draft(found)
        self._act(found, draft)
        try:
            self._committer.store(found, draft)
        except VersionConflict:
            return False  # a move came first: it counts
        self._wake(match_id)
        return True

    def _act(self, found: Found, draft: Draft) -> None:
        game, match = found.hosted.game, found.match
        seats = lifecycle.asked_people(game, match)
        idle = self._clock() >= match.last_at + self._idle_ms
        if match.status == "waiting" or match.clock_ms is None or idle or not seats:
            draft.add(lambda match, chance: lifecycle.expire())
            return
        for seat in seats:
            if seat in lifecycle.asked_people(game, draft.match):
                self._time_out(draft, seat)

    def _time_out(self, draft: Draft, seat: int) -> None:
        game, stand_in = draft.hosted.game, self._stand_in

        def decide(match: AnyMatch, chance: Chance) -> list[Event]:
            return lifecycle.time_out(game, match, seat, chance, stand_in)

        draft.add(decide, seat=seat)
