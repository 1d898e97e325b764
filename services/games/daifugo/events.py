"""What happened. `decide` writes all consequences down, so that folding needs no rule.

`Hidden` fields hold the cards in the log and their number where a seat may not see them.
"""

from __future__ import annotations

from services.games.daifugo.cards import Card, Cards, Hidden
from services.games.daifugo.state import Title
from shared.game import Event, Seat


class CardsDealt(Event, frozen=True, tag="daifugo.cards_dealt", gc=False):
    """A round begins; each hand in its order of dealing (DF-3.1)."""

    round: int
    dealer: Seat
    hands: tuple[Hidden, ...]


class CardsTaken(Event, frozen=True, tag="daifugo.cards_taken", gc=False):
    """A poorer seat's strongest cards went to a richer one (DF-4.1, 4.2)."""

    seat: Seat
    to: Seat
    cards: Hidden


class CardsGiven(Event, frozen=True, tag="daifugo.cards_given", gc=False):
    """A richer seat chose what to give to the poorer one (DF-4.3)."""

    seat: Seat
    to: Seat
    cards: Hidden


class LeadAssigned(Event, frozen=True, tag="daifugo.lead_assigned", gc=False):
    """Play begins; the first play must contain `start_card` if there is one (DF-5)."""

    leader: Seat
    start_card: Card | None


class CardsPlayed(Event, frozen=True, tag="daifugo.cards_played", gc=False):
    """A set was laid down. `next` has the turn; `None` if what follows decides that."""

    seat: Seat
    cards: Cards
    next: Seat | None


class Passed(Event, frozen=True, tag="daifugo.passed", gc=False):
    """A seat played nothing. `next` as in `CardsPlayed`."""

    seat: Seat
    next: Seat | None


class OrderReversed(Event, frozen=True, tag="daifugo.order_reversed", gc=False):
    """A revolution or counter-revolution (DF-9)."""

    revolution: bool


class SeatFinished(Event, frozen=True, tag="daifugo.seat_finished", gc=False):
    """A seat has no cards left and takes a place, 1 being the best (DF-10.1)."""

    seat: Seat
    place: int


class TableCleared(Event, frozen=True, tag="daifugo.table_cleared", gc=False):
    """The trick is over (DF-7.4, 7.5, 8.1)."""

    leader: Seat


class LeadPassed(Event, frozen=True, tag="daifugo.lead_passed", gc=False):
    """A leader holds only a card that may not be the last one (DF-10.4b)."""

    seat: Seat
    to: Seat


class RoundEnded(Event, frozen=True, tag="daifugo.round_ended", gc=False):
    """Seats by place; then titles, points of this round and points so far, by seat (DF-11, 12)."""

    round: int
    order: tuple[Seat, ...]
    titles: tuple[Title, ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]


DaifugoEvent = (
    CardsDealt
    | CardsTaken
    | CardsGiven
    | LeadAssigned
    | CardsPlayed
    | Passed
    | OrderReversed
    | SeatFinished
    | TableCleared
    | LeadPassed
    | RoundEnded
)
