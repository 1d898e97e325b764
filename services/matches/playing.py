"""Built-in bots at the table: each plays from its seat's view alone and can never stall a match."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from time import perf_counter
from typing import Any, cast

from services.bots.levels import policy_for
from services.matches import lifecycle
from services.matches.draft import Draft
from services.matches.events import Fault, FaultRecorded
from services.matches.state import AnyMatch
from shared.chance import Chance, bot_chance
from shared.errors import Refused
from shared.game import Event, Move, Policy
from shared.observing import NOBODY, Observer

FAULTS = 3
"""So many faults in a row, and the default move is played."""

QUICK_MS = 200
"""A policy with a larger budget thinks on a queue of its own."""

Limit = Callable[[int], AbstractContextManager[None]]
"""Raises `Stalled` inside its block after so many ms."""


class Stalled(BaseException):
    """A bot used up its time. No `Exception`: a bot that swallows those must not swallow it."""


class Player:
    """Asks built-in bots, and plays their answers on a draft."""

    def __init__(self, limit: Limit, observer: Observer = NOBODY) -> None:
        self._limit = limit
        self._observer = observer

    def answer(
        self, draft: Draft, seat: int, seed: bytes, *, give_up: bool = False
    ) -> Move | Fault:
        """A bot's legal move, or its last fault: after three in a row, or one that took too long.

        `give_up` does not ask at all: the process has died at this move too often.
        """
        fault: Fault = "stalled"
        for _ in range(0 if give_up else FAULTS):
            answer = self._ask(draft, seat, seed)
            if isinstance(answer, Move):
                return answer
            fault = answer
            if fault == "stalled":
                break
        return fault

    def play(self, draft: Draft, seat: int, answer: Move | Fault) -> None:
        """Adds a bot's move to the draft; after a fault, what the clock would do to its seat."""
        game = draft.hosted.game
        if not isinstance(answer, Move):
            self._observer.fault(game.slug, answer)

        def decide(match: AnyMatch, chance: Chance) -> list[Event]:
            if isinstance(answer, Move):
                return lifecycle.move(game, match, seat, answer, chance)
            return [FaultRecorded(seat, answer), *game.time_out(match.table, seat, chance)]

        draft.add(decide, seat=seat, move=answer if isinstance(answer, Move) else None)

    def _ask(self, draft: Draft, seat: int, seed: bytes) -> Move | Fault:
        game, match = draft.hosted.game, draft.match
        policy = policy_of(draft, seat)
        view, moves = game.view(match.table, seat), game.legal_moves(match.table, seat)
        began = perf_counter()
        try:
            with self._limit(limit_ms(policy)):
                chosen = policy.choose(view, moves, bot_chance(seed, seat, match.version))
        except Stalled:
            return "stalled"
        except Exception:  # whatever a bot raises is its own fault and is recorded
            return "raised"
        finally:
            level = match.seats[seat].level or ""
            self._observer.thought(game.slug, level, perf_counter() - began)
        if not isinstance(chosen, game.move_types):
            return "illegal"
        try:
            game.check(match.table, seat, chosen)
        except Refused:
            return "illegal"
        return cast("Move", chosen)


def policy_of(draft: Draft, seat: int) -> Policy[Any, Any]:
    """The way a built-in seat plays."""
    return policy_for(draft.hosted.game, draft.match.seats[seat].level or "")


def limit_ms(policy: Policy[Any, Any]) -> int:
    """How long a policy may think before it counts as stalled."""
    return policy.budget_ms * 3 // 2 + 1_000
