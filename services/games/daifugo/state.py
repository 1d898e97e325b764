"""What is true at the table (`State`) and what one seat may know of it (`View`)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from services.games.daifugo.cards import Card, Cards, Hidden
from shared.game import Options as BaseOptions
from shared.game import Seat

SEATS = range(4, 9)  # DF-2.1
ROUNDS = range(1, 31)  # DF-12.1

Phase = Literal["waiting", "exchange", "play", "ended"]
Title = Literal["daifugo", "fugo", "heimin", "hinmin", "daihinmin"]


class Options(
    BaseOptions, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True
):
    """Settings of a match. Defaults are the seed rules."""

    rounds: Annotated[int, msgspec.Meta(ge=ROUNDS[0], le=ROUNDS[-1])] = 5


class Play(msgspec.Struct, frozen=True, gc=False):
    """Cards that one seat laid down in one turn."""

    seat: Seat
    cards: Cards


class Exchange(msgspec.Struct, frozen=True, gc=False):
    """The cards between a poorer and a richer seat (DF-4). `given` is `None` until chosen."""

    poor: Seat
    rich: Seat
    taken: Hidden
    given: Hidden | None = None


class LeadPass(msgspec.Struct, frozen=True, gc=False):
    """A lead that passed by itself: the seat's one card was forbidden in that order (DF-10.4b)."""

    seat: Seat
    revolution: bool


class RoundResult(msgspec.Struct, frozen=True, gc=False):
    """A finished round: the seats by place, then one title and one number of points a seat."""

    order: tuple[Seat, ...]
    titles: tuple[Title, ...]
    points: tuple[int, ...]


class Asked(msgspec.Struct, frozen=True, gc=False):
    """What the view's seat must do now.

    `lead`: any set, with `must_contain` if that names a card. `follow`: `count` cards, or pass.
    `give`: `count` cards to the seat `to`.
    """

    kind: Literal["lead", "follow", "give"]
    count: int | None = None
    must_contain: Card | None = None
    to: Seat | None = None


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The whole table. Hands and `undealt` are sets of bits (see `cards`)."""

    options: Options
    hands: tuple[int, ...]
    undealt: int
    totals: tuple[int, ...]
    round: int = 0
    phase: Phase = "waiting"
    dealer: Seat | None = None
    turn: Seat | None = None
    start_card: Card | None = None
    """What the first play of this round must contain (DF-5.1)."""

    revolution: bool = False
    trick: tuple[Play, ...] = ()
    """The plays since the lead; the last one is the field."""

    played: tuple[Play, ...] = ()
    """The plays of this round's earlier tricks (DF-7.6)."""

    passes: int = 0
    """How many have passed since the last play."""

    finished: tuple[Seat, ...] = ()
    """Who is out in this round, by place."""

    exchanges: tuple[Exchange, ...] = ()
    lead_passes: tuple[LeadPass, ...] = ()
    results: tuple[RoundResult, ...] = ()


class View(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The table as one seat sees it; `seat` is `None` for a spectator.

    `hands` has the seat's own cards, and of the others their number. `known` has for each other
    seat the cards that this seat is sure it holds. `titles` are those in force, `()` in round 1.
    The other fields are those of the state.
    """

    seat: Seat | None
    options: Options
    round: int
    phase: Phase
    dealer: Seat | None
    hands: tuple[Hidden, ...]
    known: tuple[Cards, ...]
    undealt: int
    active: tuple[Seat, ...]
    turn: Seat | None
    asked: Asked | None
    start_card: Card | None
    revolution: bool
    trick: tuple[Play, ...]
    played: tuple[Play, ...]
    passes: int
    finished: tuple[Seat, ...]
    exchanges: tuple[Exchange, ...]
    lead_passes: tuple[LeadPass, ...]
    titles: tuple[Title, ...]
    totals: tuple[int, ...]
    results: tuple[RoundResult, ...]


def next_active(hands: tuple[int, ...], seat: Seat) -> Seat:
    """The next player clockwise who still holds cards; the seat itself if nobody else (DF-1.2)."""
    seats = len(hands)
    following = (seat + 1) % seats
    while not hands[following]:
        following = (following + 1) % seats
    return following


def with_hand(hands: tuple[int, ...], seat: Seat, hand: int) -> tuple[int, ...]:
    """The hands, with one of them replaced."""
    return (*hands[:seat], hand, *hands[seat + 1 :])


def required_card(state: State) -> Card | None:
    """What the next play must contain: only the first play of a round is bound (DF-5.1)."""
    return None if state.trick or state.played else state.start_card


def owed(state: State, seat: Seat) -> Exchange:
    """The exchange in which this seat, being asked, has still to choose its gift (DF-4.3)."""
    return next(e for e in state.exchanges if e.rich == seat and e.given is None)
