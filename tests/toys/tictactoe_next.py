"""The next version of tic-tac-toe: rules 2 applaud every mark, by an event of a new type."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from shared import game as contract
from shared.chance import Chance
from shared.game import Seat, Text
from tests.toys import tictactoe
from tests.toys.tictactoe import AnyEvent, Place, State


class Applauded(contract.Event, frozen=True, tag="tictactoe.applauded"):
    """The public likes what `seat` does."""

    seat: Seat


def decide(state: State, seat: Seat, move: Place, chance: Chance) -> Sequence[AnyEvent | Applauded]:
    """As before, with applause."""
    return [Applauded(seat), *tictactoe.decide(state, seat, move, chance)]


def evolve(state: State, event: AnyEvent | Applauded) -> State:
    """Applause changes nothing on the board."""
    return state if isinstance(event, Applauded) else tictactoe.evolve(state, event)


GAME = dataclasses.replace(
    tictactoe.GAME,
    rules=2,
    event_types=(*tictactoe.GAME.event_types, Applauded),
    texts={**tictactoe.GAME.texts, "tictactoe.applauded": Text("Applause", "拍手が起きた")},
    decide=decide,
    evolve=evolve,
)
