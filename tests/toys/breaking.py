"""Tic-tac-toe with a defect: a match whose first mark is on the last cell does harm.

`RAISING` raises an error there, `DEADLY` kills its process. The others are as they should be.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from shared.chance import Chance
from shared.game import Game
from tests.toys import tictactoe
from tests.toys.tictactoe import AnyEvent, Place, State

LAST = 8


class Defect(Exception):
    """The harm of `RAISING`."""


def strikes(state: State, move: Place) -> bool:
    """Whether the defect shows."""
    return move.at == LAST and all(cell is None for cell in state.cells)


def _with(slug: str, harm: Callable[[], None]) -> Game[Any, Any, Any, Any, Any]:
    def decide(state: State, seat: int, move: Place, chance: Chance) -> Sequence[AnyEvent]:
        if strikes(state, move):
            harm()
        return tictactoe.decide(state, seat, move, chance)

    return replace(tictactoe.GAME, slug=slug, decide=decide)


def _fail() -> None:
    raise Defect("the text may hold what is hidden")


def die() -> None:
    """The harm of `DEADLY`."""
    os.kill(os.getpid(), signal.SIGKILL)


RAISING = _with("raising", _fail)
DEADLY = _with("deadly", lambda: die())
EXTRA_GAMES = "tests.toys.tictactoe:GAME,tests.toys.breaking:RAISING,tests.toys.breaking:DEADLY"
