"""Chance for imagined games: the same draws without labels, proof or record, and so much faster."""

from __future__ import annotations

import random  # noqa: TID251 - seeded by a Chance, and only for what a bot imagines
from collections.abc import Sequence

from shared.chance import SPAN, Chance


class SwiftChance(Chance):
    """Draws from a fast generator that is seeded by one draw of another chance.

    What a bot imagines is never stored and proves nothing, so labels are not looked at. Only
    `random()` is used, whose row for a seed is the same in every Python.
    """

    __slots__ = ("_first", "random")

    def __init__(self, source: Chance, label: str) -> None:
        super().__init__(b"")
        self._first = source.one(label, SPAN)
        self.random = random.Random(self._first).random

    def begin(self, row: int) -> None:
        """Draws from here on are those of this row: the same number gives the same draws again."""
        self.random = random.Random(self._first + row).random

    def one(self, label: str, n: int) -> int:
        return int(self.random() * n)

    def shuffle(self, label: str, items: Sequence[str]) -> tuple[str, ...]:
        order, draw = sorted(items), self.random
        for last in range(len(order) - 1, 0, -1):
            other = int(draw() * (last + 1))
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    def pick(self, label: str, items: Sequence[str]) -> str:
        return sorted(items)[int(self.random() * len(items))]
