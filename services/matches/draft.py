"""A match on its way to a new version: decided, folded, not yet stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from services.hosted import Hosted
from services.matches import lifecycle
from services.matches.events import Created, Ended
from services.matches.state import AnyMatch, fold
from shared.chance import Chance
from shared.envelope import ABSENT, Envelope
from shared.game import Event, Move
from shared.store import Secret

UNKEYED = "-"
"""Stands for the command's hash where the caller gave no key; it still marks a command's start."""

Decide = Callable[[AnyMatch, Chance], Sequence[Event]]


class Draft:
    """Collects the envelopes of one append; each `add` is a command of its own in the log.

    Args:
        hosted: the match's game.
        match: the match at the version that the append will expect; `None` for a new one.
        secret: fetches seed and script when first needed.
        clock: ms since 1970; it may jump, but `at` never runs backwards.
        events_limit: a log that has grown so long ends its match.
    """

    def __init__(
        self,
        hosted: Hosted,
        match: AnyMatch | None,
        secret: Callable[[], Secret],
        clock: Callable[[], int],
        events_limit: int,
    ) -> None:
        self.hosted = hosted
        self.before = match
        self.envelopes: list[Envelope[Event]] = []
        self.thoughts: list[bytes] = []
        """Of the built-in bots' moves among them, as `thoughts.py` writes them."""
        self._after = match
        self._secret = secret
        self._clock = clock
        self._limit = events_limit

    @property
    def match(self) -> AnyMatch:
        """The match as it will be."""
        assert self._after is not None, "nothing was added to a new match"
        return self._after

    @property
    def expected(self) -> int:
        """The version that the append expects."""
        return self.before.version if self.before else 0

    def create(self, created: Created, command: str | None) -> None:
        """Begins a new match."""
        first: Envelope[Event] = Envelope(
            created,
            created.v,
            self._now(),
            command=command or UNKEYED,
            rules=self.hosted.game.rules,
        )
        self.envelopes.append(first)
        self._after = fold(self.hosted.game, None, [first])

    def add(
        self,
        decide: Decide,
        *,
        seat: int | None = None,
        move: Move | None = None,
        command: str | None = None,
    ) -> None:
        """Decides one command on the match as it stands now.

        Raises:
            Refused: the command is not allowed; the draft is as it was.
        """
        chance, at = self._chance(), self._now()
        events = self._revealed(list(decide(self.match, chance)))

        def sealed() -> list[Envelope[Event]]:
            return self._seal(events, at, seat=seat, move=move, command=command, chance=chance)

        envelopes = sealed()
        after = fold(self.hosted.game, self.match, envelopes)
        closing = lifecycle.conclude(self.hosted.game, after, self._limit)
        if closing:
            events += self._revealed(closing)
            envelopes = sealed()
            after = fold(self.hosted.game, self.match, envelopes)
        self._after = after
        self.envelopes += envelopes

    def _now(self) -> int:
        return max(self._clock(), self._after.last_at if self._after else 0)

    def _revealed(self, events: list[Event]) -> list[Event]:
        if events and isinstance(events[-1], Ended):
            return lifecycle.reveal(events, self._secret())
        return events

    def _seal(
        self,
        events: Sequence[Event],
        at: int,
        *,
        seat: int | None,
        move: Move | None,
        command: str | None,
        chance: Chance,
    ) -> list[Envelope[Event]]:
        first = Envelope(
            events[0],
            events[0].v,
            at,
            seat,
            command=command or UNKEYED,
            move=ABSENT if move is None else msgspec.Raw(msgspec.json.encode(move)),
            draws=msgspec.Raw(msgspec.json.encode(chance.draws)) if chance.draws else ABSENT,
            rules=self._new_rules(),
        )
        return [first, *(Envelope(event, event.v, at, seat) for event in events[1:])]

    def _new_rules(self) -> int | None:
        rules = self.hosted.game.rules
        return None if rules == self.match.rules else rules

    def _chance(self) -> Chance:
        match = self.match
        return Chance(
            lambda: bytes.fromhex(self._secret().seed),
            [holder.client_seed for holder in match.seats],
            (lambda: self._secret().script) if match.custom else None,
        )
