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

VERSION = 1
"""Raised whenever the same budget, view and chance would lead to another choice in any game: a
change here, in `ahead.py` or in `swift.py`. What a game adds has numbers of its own."""

ROOT_EXPLORATION = 2.0
"""How much a move at the root gains by having been looked at little. What is chosen there is played
once, so all its moves must be known well: it is the regret of the last choice that counts, not that
of the visits (Tolpin and Shimony, "MCTS Based on Simple Regret", 2012)."""

WIDTH, INFORMED_WIDTH, ROOT_WIDTH = 2.0, 0.5, 0.6
"""A node with v visits may have WIDTH * sqrt(v) children.

Less where playouts follow a level that knows the game: its own choice comes first, and others that
are tried once or twice would only make the next seat play worse than it does (daifugo, 50
iterations, mean place among 4 from 0: 1.27 ± 0.16 in 96 matches, against 1.42 ± 0.16 in 48 with
2.0; 1.5 is even). The root has its best ones first.
"""

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
        self._width = WIDTH if game.foresight.playout == "random" else INFORMED_WIDTH
        self._exploration = game.foresight.exploration / 1000
        self._root = Node()
        self._rewards: dict[Move, list[int]] = {}
        """Of each move at the root, the seat's rewards, world by world."""

    def think(self, budget: Budget) -> Thought:
        """The move that does best against the first one, with its reasons."""
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
        if not self._rewards:
            return Thought(self._candidates[0], iterations, ())
        first, *others = self._candidates
        lead = {move: self._lead(move, first) for move in others if move in self._rewards}
        best = max(lead, key=lead.__getitem__, default=first)
        move = best if lead.get(best, 0) > 0 else first
        rest = sorted(
            (other for other in self._rewards if other != move),
            key=lambda other: len(self._rewards[other]),
            reverse=True,
        )
        leading = tuple(self._considered(one) for one in (move, *rest)[:LEADING])
        return Thought(move, iterations, leading)

    def _considered(self, move: Move) -> Considered:
        rewards = self._rewards[move]
        return Considered(move, len(rewards), round(sum(rewards) / len(rewards)))

    def _lead(self, move: Move, first: Move) -> float:
        """By how much a move is surely better than the first, in worlds where both were played."""
        pairs = zip(self._rewards[move], self._rewards[first], strict=False)
        more = [a - b for a, b in pairs]
        worlds, total = len(more), sum(more)
        if worlds < 2:
            return 0.0  # one world says nothing
        # Whole as long as they are summed: a sum of floats is not the same in every Python.
        squares = worlds * sum(one * one for one in more) - total * total
        error = math.sqrt(squares / (worlds * worlds * (worlds - 1)))
        return total / worlds - self._game.foresight.caution / 1000 * error

    def _iterate(self) -> None:
        """Imagines a world, walks down the tree, adds one node, plays on and counts.

        The nth visits of all moves at the root go to the same world: the same hidden cards, and the
        same dice as long as the draws are the same. So luck falls out of their differences.
        """
        move, fresh = self._first()
        chosen = move
        self._chance.begin(len(self._rewards.get(move, ())))
        state = self._game.resample(self._view, self._chance)
        stage = self._ahead.stage(state)
        node, path, seat = self._root, [self._root], self._seat
        while True:
            state = self._ahead.play(state, seat, move)
            if fresh:
                node.children[move] = Node()
            node = node.children[move]
            path.append(node)
            following = self._ahead.next_seat(state)
            if fresh or following is None or self._ahead.stage(state) != stage:
                break
            seat = following
            move, fresh = self._choose(node, state, seat)
        rewards = self._ahead.playout(state, stage)
        for passed in path:
            passed.note(rewards)
        self._rewards.setdefault(chosen, []).append(rewards[self._seat])

    def _first(self) -> tuple[Move, bool]:
        """One of the candidates; new ones come in the order of their rank."""
        root, candidates = self._root, self._candidates

        def fresh() -> Move | None:
            return next((move for move in candidates if move not in root.children), None)

        return self._pick(root, candidates, self._seat, ROOT_WIDTH, ROOT_EXPLORATION, fresh)

    def _choose(self, node: Node, state: Any, seat: Seat) -> tuple[Move, bool]:
        """A move possible in this state; what the playout would do comes first."""
        listed = self._game.legal_moves(state, seat)

        def fresh() -> Move | None:
            if not node.children:
                return self._ahead.usual(state, seat, listed)
            return self._ahead.fresh(node.children, listed)

        return self._pick(node, listed, seat, self._width, self._exploration, fresh)

    def _pick(
        self,
        node: Node,
        listed: Listed,
        seat: Seat,
        width: float,
        weight: float,
        fresh: Callable[[], Move | None],
    ) -> tuple[Move, bool]:
        """A new move while there is room for one, else the best so far; whether it is new."""
        known = self._ahead.possible(node.children, listed)
        for move in known:
            node.children[move].available += 1
        if len(known) < max(1.0, width * math.sqrt(node.visits)):
            new = fresh()
            if new is not None:
                return new, True
        return max(known, key=lambda move: _promise(node.children[move], seat, weight)), False


def _promise(child: Node, seat: Seat, weight: float) -> float:
    """UCB1 with the child's availability in place of its parent's visits (paper, section IV)."""
    mean = child.total[seat] / child.visits / 1000
    return mean + weight * math.sqrt(math.log(child.available) / child.visits)


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
