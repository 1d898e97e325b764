"""A decision while it is being told: the events so far, and the state they lead to."""

from __future__ import annotations

from services.games.filthy_rich.events import MoneyPaid, PileReshuffled, RichEvent, Why
from services.games.filthy_rich.evolve import evolve
from services.games.filthy_rich.state import State
from shared.chance import Chance
from shared.game import Seat

BANK = None


class Story:
    """What follows from one command. Rules read `state` and `tell` what happens."""

    __slots__ = ("chance", "events", "state")

    def __init__(self, state: State, chance: Chance) -> None:
        self.state = state
        self.chance = chance
        self.events: list[RichEvent] = []

    def tell(self, event: RichEvent) -> None:
        """Adds an event; from now on it has happened."""
        self.events.append(event)
        self.state = evolve(self.state, event)

    def pay(self, payer: Seat | None, payee: Seat | None, amount: int, why: Why) -> None:
        """Dollars change hands; a payment of nothing is none."""
        if amount:
            self.tell(MoneyPaid(payer, payee, amount, why))

    def pay_up_to(self, payer: Seat, payee: Seat, most: int, why: Why) -> None:
        """As much as possible up to `most` (FR-5.7)."""
        self.pay(payer, payee, min(most, self.state.cash[payer]), why)

    def draw(self, label: str) -> str | None:
        """A card of the draw pile, after a reshuffle if need be; `None` if there is none (FR-10.2).

        The card stays in the pile: the event that is told of it takes it away.
        """
        if not self.state.pile and self.state.discard:
            self.tell(PileReshuffled(len(self.state.discard)))
        return self.chance.pick(label, self.state.pile) if self.state.pile else None
