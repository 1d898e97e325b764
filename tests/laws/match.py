"""Matches for the laws: played at random, time-outs included, with every state on the way.

This does not use `services.bots.playout`: it must go on with broken games, so that the law that
they break can say so.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from operator import or_
from typing import Any

import msgspec

from shared.chance import Chance
from shared.errors import IllegalMove
from shared.game import AnyGame, Event, Move, Options, Seat

TIME_OUTS = 0.05
"""How often a seat lets its time run out."""


@dataclass(frozen=True)
class Step:
    """A command: the opening has no seat, a time-out no move."""

    seat: Seat | None
    move: Move | None
    events: tuple[Event, ...]
    draws: tuple[tuple[str, int, Any], ...]


@dataclass
class Match:
    """`states[n]` is the state after n steps, so `states[0]` is the empty table."""

    game: AnyGame
    options: Options
    seats: int
    seed: int
    steps: list[Step] = field(default_factory=list)
    states: list[Any] = field(default_factory=list)

    @property
    def over(self) -> bool:
        return self.game.outcome(self.states[-1]) is not None

    @property
    def observers(self) -> tuple[Seat | None, ...]:
        """The seats and a spectator."""
        return (*range(self.seats), None)

    @cached_property
    def log(self) -> list[tuple[Step, Event]]:
        """Every event with its step; as in the store, only a step's first event has its move."""
        return [
            (step if number == 0 else replace(step, move=None), event)
            for step in self.steps
            for number, event in enumerate(step.events)
        ]

    @cached_property
    def prefixes(self) -> list[Any]:
        """The state after every event."""
        states = [self.states[0]]
        for _, event in self.log:
            states.append(self.game.evolve(states[-1], event))
        return states

    @cached_property
    def named(self) -> list[set[str]]:
        """The names in every event of the log and its move."""
        return [names_in((step.move, event)) for step, event in self.log]

    @cached_property
    def secrets(self) -> list[int]:
        """The numbers of the steps of which somebody may not see everything."""
        return [
            number
            for number, step in enumerate(self.steps)
            if any(self.game.redact(e, seat) != e for e in step.events for seat in self.observers)
        ]

    @cached_property
    def words(self) -> list[str]:
        """Every name that can be drawn."""
        return sorted({w for draw in self.game.draws(self.options, self.seats) for w in draw.of})

    def dice(self, purpose: str) -> random.Random:
        return random.Random(f"{purpose} {self.seed}")

    def positions(self, purpose: str, most: int) -> Iterator[tuple[int, Any]]:
        """Some numbers of steps after which the match still ran, with the state."""
        running = [n for n in range(1, len(self.states)) if not self.ended_by(n)]
        chosen = self.dice(purpose).sample(running, min(most, len(running)))
        return ((n, self.states[n]) for n in sorted(chosen))

    def ended_by(self, steps: int) -> bool:
        return self.game.outcome(self.states[steps]) is not None


def play(game: AnyGame, options: Options, seats: int, seed: int) -> Match:
    """To the outcome, or until nobody can act or the game's own bound is passed."""
    match = Match(game, options, seats, seed)
    dice = match.dice("play")
    state = game.initial(options, seats)
    match.states.append(state)
    chance = secret(seed)
    state = record(match, None, None, game.open(state, chance), chance)
    while len(match.steps) <= game.max_moves(options, seats):
        active = game.active_seats(state)
        if match.over or not active:
            break
        seat = dice.choice(sorted(active))
        listed = game.legal_moves(state, seat)
        if not listed:
            break
        chance = secret(seed)
        if dice.random() < TIME_OUTS:
            state = record(match, seat, None, game.time_out(state, seat, chance), chance)
        else:
            move = sample(dice.choice(listed), dice)
            try:
                events = game.decide(state, seat, move, chance)
            except IllegalMove:
                break  # a listed move that is refused: law 2 says so
            state = record(match, seat, move, events, chance)
    return match


def record(match: Match, seat: Seat | None, move: Any, events: Any, chance: Chance) -> Any:
    state = match.states[-1]
    for event in events:
        state = match.game.evolve(state, event)
    match.steps.append(Step(seat, move, tuple(events), tuple(chance.draws)))
    match.states.append(state)
    return state


def secret(seed: int) -> Chance:
    return Chance(hashlib.sha256(b"%d" % seed).digest())


class MixedChance(Chance):
    """Numbers from one seed, cards from another."""

    def __init__(self, numbers: int, cards: int) -> None:
        super().__init__(hashlib.sha256(b"%d" % numbers).digest())
        self._cards = secret(cards)
        self._cards.draws = self.draws

    def shuffle(self, label: str, items: Sequence[str]) -> tuple[str, ...]:
        return self._cards.shuffle(label, items)

    def pick(self, label: str, items: Sequence[str]) -> str:
        return self._cards.pick(label, items)


def sample(listed: Any, dice: random.Random) -> Any:
    if isinstance(listed, Move):
        return listed
    return listed.sample(secret(dice.getrandbits(32)))


def code(value: Any) -> bytes:
    return msgspec.json.encode(value)


def union(types: tuple[Any, ...]) -> Any:
    """Any of these types, for a codec."""
    return reduce(or_, types)


def names_in(value: Any) -> set[str]:
    """Every text within a value, keys included; read from its JSON, as that is fast."""
    return set(re.findall(r'"([^"\\]*)"', code(value).decode()))
