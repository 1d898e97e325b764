"""The events of one command, with the state that they have led to so far."""

from __future__ import annotations

from services.games.landlords_game.events import DiceThrown, LandlordsEvent, Purpose
from services.games.landlords_game.evolve import evolve
from services.games.landlords_game.state import Player, State
from shared.chance import Chance
from shared.game import Seat


class Course:
    """Grows while a command is decided.

    Attributes:
        state: after the events so far.
        events: what is decided, in order.
        chance: where throws and tickets come from.
        offends: the seat let its clock run out and goes to jail when its turn ends (LG-14.3).
        turn_over: the turn in which the command began has ended.
    """

    __slots__ = ("chance", "events", "offends", "state", "turn_over")

    def __init__(self, state: State, chance: Chance, *, offends: bool = False) -> None:
        self.state = state
        self.events: list[LandlordsEvent] = []
        self.chance = chance
        self.offends = offends
        self.turn_over = False

    @property
    def seat(self) -> Seat:
        """Whose turn it is."""
        if self.state.turn is None:
            raise ValueError("it is nobody's turn")
        return self.state.turn

    @property
    def player(self) -> Player:
        """The player whose turn it is."""
        return self.state.players[self.seat]

    def add(self, event: LandlordsEvent) -> None:
        """One more event."""
        self.events.append(event)
        self.state = evolve(self.state, event)

    def throw(self, seat: Seat, purpose: Purpose) -> tuple[int, int]:
        """Two dice; throws are numbered through the whole match (LG-13.4)."""
        label = f"throw/{self.state.throws + 1}"
        d1 = 1 + self.chance.one(f"{label}/1", 6)
        d2 = 1 + self.chance.one(f"{label}/2", 6)
        self.add(DiceThrown(seat=seat, d1=d1, d2=d2, purpose=purpose))
        return d1, d2
