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

EXPLORATION = 0.6
WIDTH, GROWTH = 2.0, 0.5
"""A node with v visits may have WIDTH * v ** GROWTH children."""

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
        self._game = game
        self._view = view
        self._seat: Seat = view.seat
        self._chance = SwiftChance(chance, "search")
        self._clock = clock
        self._ahead = Ahead(game, self._chance, clock)
        self._candidates = self._ahead.ranked(view, moves)
        self._root = Node()

    def think(self, budget: Budget) -> Thought:
        """The most visited move (the most robust child), with its reasons."""
        done = 0
        until = None if budget.ms is None else self._clock() + budget.ms / 1000
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
        leading = tuple(
            Considered(move, node.visits, round(node.total[self._seat] / node.visits))
            for move, node in order[:LEADING]
            if node.visits
        )
        return Thought(order[0][0], iterations, leading)

    def _iterate(self) -> None:
        """Imagines a state, walks down the tree, adds one node, plays on and counts."""
        state = self._game.resample(self._view, self._chance)
        node, path = self._root, [self._root]
        seat: Seat | None = self._seat
        while seat is not None:
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
        for passed in path:
            passed.note(rewards)

    def _choose(self, node: Node, state: Any, seat: Seat) -> tuple[Move, bool]:
        """A move possible in this state: a new one while there is room, else the best so far."""
        at_root = node is self._root
        listed = self._candidates if at_root else self._game.legal_moves(state, seat)
        known = self._ahead.possible(node.children, listed)
        for move in known:
            node.children[move].available += 1
        if len(known) < _width(node.visits):
            fresh = self._fresh(node, listed, state, seat, at_root=at_root)
            if fresh is not None:
                return fresh, True
        return max(known, key=lambda move: _promise(node.children[move], seat)), False

    def _fresh(
        self, node: Node, listed: Listed, state: Any, seat: Seat, *, at_root: bool
    ) -> Move | None:
        if at_root:  # in the order of their rank
            return next((move for move in listed if move not in node.children), None)
        return self._ahead.fresh(node.children, listed)


def _width(visits: int) -> float:
    return max(1.0, WIDTH * math.pow(visits, GROWTH))


def _promise(child: Node, seat: Seat) -> float:
    """UCB1 with the child's availability in place of its parent's visits (paper, section IV)."""
    mean = child.total[seat] / child.visits / 1000
    return mean + EXPLORATION * math.sqrt(math.log(child.available) / child.visits)


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
