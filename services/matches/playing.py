"""Built-in bots at the table: each plays from its seat's view alone and can never stall a match."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, cast

from services.bots.levels import policy_for
from services.matches import lifecycle, thoughts
from services.matches.draft import Draft
from services.matches.events import Fault, FaultRecorded
from services.matches.state import AnyMatch
from services.matches.thoughts import Answer
from shared.chance import Chance, bot_chance
from shared.errors import Refused
from shared.game import AnyGame, Event, Move, Policy, Thought
from shared.observing import NOBODY, Observer

FAULTS = 3
"""So many faults in a row, and the default move is played."""

QUICK_MS = 200
"""A policy with a larger budget thinks on a queue of its own."""

Limit = Callable[[int], AbstractContextManager[None]]
"""Raises `Stalled` inside its block after so many ms."""

Lookup = Callable[[AnyGame, str], Policy[Any, Any]]
"""The way to play of a game's level."""

Allowed = Callable[[Policy[Any, Any]], int | None]
"""How many ms a policy may think; `None` for as long as it takes."""


class Stalled(BaseException):
    """A bot used up its time. No `Exception`: a bot that swallows those must not swallow it."""


class Stopped(BaseException):
    """A thought is not wanted any more: whoever goes on from here thinks it again."""


def microseconds() -> int:
    """A clock for how long something takes."""
    return time.perf_counter_ns() // 1000


class Player:
    """Asks built-in bots, and plays their answers on a draft.

    Args:
        limit: ends a thought that takes too long.
        policy: finds the way a level plays.
        allowed: ms that a thought of it may take; `None` where it is not to be ended.
        stopwatch: microseconds, from any starting point, never backwards.
        observer: told of thoughts and faults.
    """

    def __init__(
        self,
        limit: Limit,
        *,
        policy: Lookup = policy_for,
        allowed: Allowed | None = None,
        stopwatch: Callable[[], int] = microseconds,
        observer: Observer = NOBODY,
    ) -> None:
        self._limit = limit
        self._policy = policy
        self._allowed = allowed or limit_ms
        self._stopwatch = stopwatch
        self._observer = observer

    def policy_of(self, game: AnyGame, match: AnyMatch, seat: int) -> Policy[Any, Any]:
        """The way a built-in seat plays."""
        return self._policy(game, match.seats[seat].level or "")

    def answer(self, draft: Draft, seat: int, seed: bytes, *, give_up: bool = False) -> Answer:
        """A bot's legal move, or its last fault: after three in a row, or one that took too long.

        `give_up` does not ask at all: the process has died at this move too often.
        """
        game = draft.hosted.game
        if give_up:
            self._observer.fault(game.slug, "stalled")
            return Answer("stalled")
        begun = self._stopwatch()
        said, thought = self._said(draft, seat, seed)
        took_us = self._stopwatch() - begun
        self._observer.thought(game.slug, draft.match.seats[seat].level or "", took_us / 1e6)
        if not isinstance(said, Move):
            self._observer.fault(game.slug, said)
        return Answer(said, took_us, thought)

    def play(self, draft: Draft, seat: int, answer: Answer) -> None:
        """Adds a bot's move to the draft; after a fault, what the clock would do to its seat."""
        game, said, version = draft.hosted.game, answer.move, draft.match.version + 1

        def decide(match: AnyMatch, chance: Chance) -> list[Event]:
            if isinstance(said, Move):
                return lifecycle.move(game, match, seat, said, chance)
            return [FaultRecorded(seat, said), *game.time_out(match.table, seat, chance)]

        draft.add(decide, seat=seat, move=said if isinstance(said, Move) else None)
        draft.thoughts.append(thoughts.write(version, seat, answer))

    def _said(self, draft: Draft, seat: int, seed: bytes) -> tuple[Move | Fault, Thought | None]:
        fault: Fault = "stalled"
        for _ in range(FAULTS):
            said, thought = self._ask(draft, seat, seed)
            if isinstance(said, Move):
                return said, thought
            fault = said
            if fault == "stalled":
                break
        return fault, None

    def _ask(self, draft: Draft, seat: int, seed: bytes) -> tuple[Move | Fault, Thought | None]:
        game, match = draft.hosted.game, draft.match
        policy = self.policy_of(game, match, seat)
        view, moves = game.view(match.table, seat), game.legal_moves(match.table, seat)
        chance, thought = bot_chance(seed, seat, match.version), None
        try:
            allowed = self._allowed(policy)
            with nullcontext() if allowed is None else self._limit(allowed):
                if policy.think is None:
                    chosen = policy.choose(view, moves, chance)
                else:
                    thought = policy.think(view, moves, chance)
                    chosen = thought.move
        except Stalled:
            return "stalled", None
        except MemoryError:  # nobody's fault but this machine's
            raise
        except Exception:  # whatever a bot raises is its own fault and is recorded
            return "raised", None
        if not isinstance(chosen, game.move_types):
            return "illegal", None
        try:
            game.check(match.table, seat, chosen)
        except Refused:
            return "illegal", None
        return cast("Move", chosen), thought


def hold_ms(policy: Policy[Any, Any]) -> int:
    """From the beginning of a thought to its move where people sit: longer than a thought takes.

    A budget is not overrun by more than a tenth, so the time of the move tells nothing of it.
    """
    return policy.budget_ms * 11 // 10


def limit_ms(policy: Policy[Any, Any]) -> int:
    """How long a policy may think before it counts as stalled."""
    return policy.budget_ms * 3 // 2 + 1_000
