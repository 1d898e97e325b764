"""Places, titles, points and the end of a match (DF-11, DF-12)."""

from __future__ import annotations

from collections.abc import Sequence

from services.games.daifugo.events import RoundEnded
from services.games.daifugo.state import State, Title
from shared.game import Outcome, Seat

ROUNDS_PLAYED = "rounds_played"


def titles_by_place(seats: int) -> tuple[Title, ...]:
    """DF-11.3 for four players or more."""
    between: Title = "heimin"
    return ("daifugo", "fugo", *(between,) * (seats - 4), "hinmin", "daihinmin")


def titles_in_force(state: State) -> tuple[Title, ...]:
    """The titles won in the round before, by seat; `()` in round 1."""
    before = state.results[: state.round - 1]
    return before[-1].titles if before else ()


def order_of_the_stuck(state: State, stuck: Sequence[Seat]) -> tuple[Seat, ...]:
    """Places of seats that can't play any more: whose last play is earlier is better (DF-11.2)."""
    plays = state.played + state.trick
    last = {play.seat: turn for turn, play in enumerate(plays)}
    seats = len(state.hands)
    first = (state.dealer or 0) + 1
    return tuple(sorted(stuck, key=lambda s: (last.get(s, len(plays)), (s - first) % seats)))


def round_ended(state: State, order: tuple[Seat, ...]) -> RoundEnded:
    """Titles and points for the places of a round (DF-11.3, 12.2)."""
    seats = len(order)
    place = {seat: at for at, seat in enumerate(order)}
    titles = titles_by_place(seats)
    points = tuple(seats - 1 - place[seat] for seat in range(seats))
    return RoundEnded(
        round=state.round,
        order=order,
        titles=tuple(titles[place[seat]] for seat in range(seats)),
        points=points,
        totals=tuple(a + b for a, b in zip(state.totals, points, strict=True)),
    )


def outcome(state: State) -> Outcome | None:
    """The ranking after the last round; ties by places, then by the last round (DF-12.3)."""
    if state.phase != "ended" or state.round < state.options.rounds:
        return None
    seats = range(len(state.hands))
    orders = [result.order for result in state.results]

    def merit(seat: Seat) -> tuple[int, list[int], int]:
        places = [order.index(seat) for order in orders]
        return state.totals[seat], [places.count(place) for place in seats], -places[-1]

    ranking = sorted(seats, key=merit, reverse=True)
    return Outcome(
        ranking=tuple((seat,) for seat in ranking), scores=state.totals, reason=ROUNDS_PLAYED
    )
