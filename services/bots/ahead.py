"""Playing on in an imagined game: the moves of a search below its tree, and what they come to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from services.bots.random_bot import RANDOM
from services.bots.swift import SwiftChance
from shared.game import AnyGame, Move, Outcome, Policy, Seat, is_listed

FULL = 1000
"""The reward of a sole first place; the last place has 0."""

SAMPLES = 8
"""So many moves of a template are looked at."""


class OutOfTime(Exception):
    """The budget in ms is over in the middle of a playout: what it was worth is not known."""


class Ahead:
    """Rules and policies of one game, for imagined states.

    Args:
        clock: seconds; looked at only while `until` is set.
    """

    def __init__(self, game: AnyGame, chance: SwiftChance, clock: Callable[[], float]) -> None:
        self._game = game
        self._chance = chance
        self._clock = clock
        self._policy = self._playout_policy()
        self._quick = game.foresight.quick
        self._templates = bool(game.template_types)
        self.until: float | None = None

    def _playout_policy(self) -> Policy[Any, Any] | None:
        """`None` plays at random without making views, which is much faster."""
        name = self._game.foresight.playout
        return None if name == "random" else self._game.policies[name]

    def play(self, state: Any, seat: Seat, move: Move) -> Any:
        """The state after a move and all that follows from it."""
        evolve = self._game.evolve
        for event in self._game.decide(state, seat, move, self._chance):
            state = evolve(state, event)
        return state

    def next_seat(self, state: Any) -> Seat | None:
        """Who acts next; of several that must, the lowest. `None` once it is over."""
        return min(self._game.active_seats(state), default=None)

    def stage(self, state: Any) -> int:
        """The number of the part of the game that a look ahead from here may end with."""
        stage = self._game.foresight.stage
        return 0 if stage is None else stage(state)

    def playout(self, state: Any, stage: int) -> Sequence[int]:
        """Plays on to the end, or as far as this game looks ahead; every seat's reward.

        Args:
            stage: that of the state where the look ahead began.

        Raises:
            OutOfTime: `until` has come before.
        """
        foresight = self._game.foresight
        moves = 0
        while (seat := self.next_seat(state)) is not None:
            if foresight.worth is not None and (
                moves == foresight.moves > 0 or self.stage(state) != stage
            ):
                return foresight.worth(state)
            self.look_at_the_clock()
            state = self.play(state, seat, self._move(state, seat))
            moves += 1
        return self.rewards(state)

    def look_at_the_clock(self) -> None:
        """Raises `OutOfTime` once `until` has come."""
        if self.until is not None and self._clock() >= self.until:
            raise OutOfTime

    def _move(self, state: Any, seat: Seat) -> Move:
        return self.usual(state, seat, self._game.legal_moves(state, seat))

    def usual(self, state: Any, seat: Seat, listed: Sequence[Any]) -> Move:
        """What the level of the playouts does."""
        chosen: Move
        if self._quick is not None:
            chosen = self._quick(state, seat, listed, self._chance)
        elif self._policy is None or len(listed) == 1:
            chosen = self._concrete(listed[int(self._chance.random() * len(listed))])
        else:
            chosen = self._policy.choose(self._game.view(state, seat), listed, self._chance)
        return chosen

    def rewards(self, state: Any) -> Sequence[int]:
        """What a finished game was worth to each seat."""
        outcome = self._game.outcome(state)
        assert outcome is not None, "nobody acts, so there is an outcome (law 3)"
        return (self._game.foresight.reward or by_rank)(outcome)

    def ranked(self, view: Any, listed: Sequence[Any]) -> tuple[Move, ...]:
        """The moves worth a look, each once, best first; templates made concrete."""
        rank = self._game.foresight.rank
        if rank is not None:
            return tuple(dict.fromkeys(rank(view, listed, self._chance)))
        if len(listed) == 1 and isinstance(listed[0], Move):
            return (listed[0],)
        first = self._game.policies.get("greedy", RANDOM).choose(view, listed, self._chance)
        rest = list(_unfolded(listed, self._chance))
        others = self._chance.shuffle("rank", [f"{i:06d}" for i in range(len(rest))])
        return tuple(dict.fromkeys([first, *(rest[int(i)] for i in others)]))

    def possible(self, known: Mapping[Move, Any], listed: Sequence[Any]) -> list[Move]:
        """Those of the moves that were looked at before which can be made now."""
        if not self._templates:
            return [one for one in listed if one in known]
        return [move for move in known if is_listed(listed, move)]

    def fresh(self, known: Collection[Move], listed: Sequence[Any]) -> Move | None:
        """Some move that was not looked at yet, each as likely as the other."""
        new = [one for one in listed if one not in known]
        if not new:
            return None
        move = self._concrete(new[int(self._chance.random() * len(new))])
        return None if move in known else move

    def _concrete(self, listed: Any) -> Move:
        move: Move = listed if isinstance(listed, Move) else listed.sample(self._chance)
        return move


def by_rank(outcome: Outcome) -> tuple[int, ...]:
    """Rewards by place: `FULL` for the first, 0 for the last, the mean where seats share one.

    An empty group is the place of a player without a seat.
    """
    sizes = [len(group) or 1 for group in outcome.ranking]
    last = sum(sizes) - 1
    rewards = [0] * len(outcome.scores)
    place = 0
    for group, size in zip(outcome.ranking, sizes, strict=True):
        for seat in group:
            rewards[seat] = (2 * (last - place) - (size - 1)) * FULL // (2 * last) if last else FULL
        place += size
    return tuple(rewards)


def _unfolded(listed: Sequence[Any], chance: SwiftChance) -> list[Move]:
    moves: list[Move] = []
    for one in listed:
        moves += [one] if isinstance(one, Move) else [one.sample(chance) for _ in range(SAMPLES)]
    return moves
