"""The level `search`: information-set Monte-Carlo tree search, one implementation for all games.

It follows SO-ISMCTS of Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search"
(IEEE Transactions on Computational Intelligence and AI in Games 4(2), 2012): every iteration
imagines a full state that the seat cannot tell from the true one, and walks a single tree whose
nodes are rows of moves; a move's bonus for exploration counts how often it was possible (there
called availability). Rewards are a vector, each seat maximises its own. Where moves are many, a
node takes new ones only as its visits grow (progressive widening; Coulom, "Computing Elo Ratings
of Move Patterns in the Game of Go", 2007). Dice and cards are drawn anew in every iteration.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from services.bots.ahead import Ahead, OutOfTime
from services.bots.swift import SwiftChance
from shared.chance import Chance
from shared.game import AnyGame, Considered, Move, Seat, Thought

WIDTH, GROWTH = 2.0, 0.5
"""A node with v visits may have WIDTH * v ** GROWTH children."""

RANKED_WIDTH = 0.5
"""The same for nodes below the first where moves come by rank: the first is good as a rule."""

LEADING = 5
"""So many moves are told as reasons."""

Listed = Sequence[Any]
"""Moves and templates, as `legal_moves` gives them."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a search goes on: so many iterations, or so many ms, whichever is over first."""

    iterations: int | None = None
    ms: int | None = None


class Node:
    """A row of moves. `total` sums the rewards of every seat over `visits`."""

    __slots__ = ("available", "children", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.available = 1
        self.total: list[int] = []
        self.children: dict[Move, Node] = {}

    def note(self, rewards: Sequence[int]) -> None:
        """Counts one iteration that came through here."""
        self.visits += 1
        self.total = (
            [a + b for a, b in zip(self.total, rewards, strict=True)]
            if self.total
            else list(rewards)
        )


class Search:
    """One thought of one seat.

    Args:
        clock: seconds, for budgets in ms.
    """

    def __init__(
        self, game: AnyGame, view: Any, moves: Listed, chance: Chance, clock: Callable[[], float]
    ) -> None:
        self._begun = clock()  # ranking the moves is part of the thought
        self._game = game
        self._view = view
        self._seat: Seat = view.seat
        self._chance = SwiftChance(chance, "search")
        self._clock = clock
        self._ahead = Ahead(game, self._chance, clock)
        self._candidates = self._ahead.ranked(view, moves)
        self._below = WIDTH if game.foresight.rank is None else RANKED_WIDTH
        self._exploration = game.foresight.exploration / 1000
        self._root = Node()
        self._seen: dict[Move, list[int]] = {}

    def think(self, budget: Budget) -> Thought:
        """The most visited move (the most robust child), with its reasons.

        Where the game asks for caution, the first by rank unless that one is surely better.
        """
        done = 0
        until = None if budget.ms is None else self._begun + budget.ms / 1000
        self._ahead.until = until
        while len(self._candidates) > 1 and done != budget.iterations:
            try:
                self._ahead.look_at_the_clock()  # an iteration may end within the tree
                self._iterate()
            except OutOfTime:
                break
            done += 1
        return self._thought(done)

    def _thought(self, iterations: int) -> Thought:
        if not self._root.children:
            return Thought(self._candidates[0], iterations, ())
        order = sorted(self._root.children.items(), key=lambda child: child[1].visits, reverse=True)
        if not self._is_surely_better(order[0][0]):
            order.sort(key=lambda child: child[0] != self._candidates[0])
        leading = tuple(
            Considered(move, node.visits, round(node.total[self._seat] / node.visits))
            for move, node in order[:LEADING]
            if node.visits
        )
        return Thought(order[0][0], iterations, leading)

    def _is_surely_better(self, move: Move) -> bool:
        """Whether the same luck was better to this move than to the first by rank."""
        caution = self._game.foresight.caution
        known, new = self._seen.get(self._candidates[0], []), self._seen.get(move, [])
        gains = [after - before for before, after in zip(known, new, strict=False)]
        total, looks = sum(gains), len(gains)
        spread = looks * sum(gain * gain for gain in gains) - total * total
        return not caution or (total > 0 and looks * total * total > caution**2 * spread)

    def _iterate(self) -> None:
        """Imagines a state, walks down the tree, adds one node, plays on and counts."""
        node, path = self._root, [self._root]
        move, fresh = self._first()
        first = move
        self._chance.turn_to(0 if fresh else node.children[move].visits)
        state = self._game.resample(self._view, self._chance)
        seat: Seat | None = self._seat
        while seat is not None:
            if node is not self._root:
                move, fresh = self._choose(node, state, seat)
            state = self._ahead.play(state, seat, move)
            if fresh:
                node.children[move] = Node()
            node = node.children[move]
            path.append(node)
            if fresh:
                break
            seat = self._ahead.next_seat(state)
        rewards = self._ahead.playout(state)
        self._seen.setdefault(first, []).append(rewards[self._seat])
        for passed in path:
            passed.note(rewards)

    def _first(self) -> tuple[Move, bool]:
        """One of the candidates, which come in the order of their rank.

        The nth look at each of them sees the same imagined state and the same luck, so that they
        differ by what they are worth and not by what they met.
        """
        known = self._root.children
        for child in known.values():
            child.available += 1
        if len(known) < min(_width(self._root.visits, WIDTH), len(self._candidates)):
            return self._candidates[len(known)], True
        return max(known, key=lambda move: self._promise(known[move], self._seat)), False

    def _choose(self, node: Node, state: Any, seat: Seat) -> tuple[Move, bool]:
        """A move possible in this state: a new one while there is room, else the best so far."""
        listed = self._game.legal_moves(state, seat)
        known = self._ahead.possible(node.children, listed)
        for move in known:
            node.children[move].available += 1
        if not known or len(known) < _width(node.visits, self._below):
            fresh = self._ahead.fresh(node.children, listed, state, seat)
            if fresh is not None:
                return fresh, True
        return max(known, key=lambda move: self._promise(node.children[move], seat)), False

    def _promise(self, child: Node, seat: Seat) -> float:
        """UCB1 with the child's availability in place of its parent's visits (section IV)."""
        mean = child.total[seat] / child.visits / 1000
        return mean + self._exploration * math.sqrt(math.log(child.available) / child.visits)


def _width(visits: int, factor: float) -> float:
    return max(1.0, factor * math.pow(visits, GROWTH))


def think(
    game: AnyGame,
    view: Any,
    moves: Listed,
    chance: Chance,
    budget: Budget,
    clock: Callable[[], float] = time.perf_counter,
) -> Thought:
    """A seat's choice among its legal moves, from its view alone. It draws once, under `search`."""
    return Search(game, view, moves, chance, clock).think(budget)
