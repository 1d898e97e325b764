"""What a seat can be sure of about cards that it does not see (FR-13.4, 13.9).

Two facts are kept. *Sightings*: a card was seen to come into a hand and was not seen to leave it.
*Reshuffles*: a card that was in a hand when the discard pile became the draw pile is not in the
pile. An exchange between two other hands blurs both: what was in one of the two may be in either.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from services.games.filthy_rich.card_set import Card
from services.games.filthy_rich.state import Reshuffle, Sighting, State, Swap, Trace
from shared.game import Seat


class Known(msgspec.Struct, frozen=True, gc=False):
    """This card is in the hand of one of these other seats; mostly there is only one."""

    card: Card
    seats: tuple[Seat, ...]


class Kept(msgspec.Struct, frozen=True, gc=False):
    """So many cards in the hands of these seats together were there at the last reshuffle."""

    seats: tuple[Seat, ...]
    cards: int


def visible_traces(state: State, seat: Seat | None) -> tuple[Trace, ...]:
    """The traces that a seat saw, less those that tell it nothing."""
    shuffles = [at for at, trace in enumerate(state.traces) if isinstance(trace, Reshuffle)]
    latest = shuffles[-1] if shuffles else -1
    seen: list[Trace] = []
    for at, trace in enumerate(state.traces):
        match trace:
            case Sighting(by=by):
                telling = by is None or seat in by
            case Swap(seats=seats):
                telling = seat not in seats and (bool(seen) or at > latest)
            case Reshuffle():
                telling = at == latest
        if telling:
            seen.append(trace)
    return tuple(seen)


def known(state: State, seat: Seat | None, traces: Iterable[Trace]) -> tuple[Known, ...]:
    """The cards of other hands that the seat knows, in text order."""
    where: dict[Card, set[Seat]] = {}
    for trace in traces:
        if isinstance(trace, Sighting):
            where[trace.card] = {trace.seat}
        elif isinstance(trace, Swap):
            for seats in where.values():
                if not seats.isdisjoint(trace.seats):
                    seats.update(trace.seats)
    held = {card for hand in state.hands for card in hand}
    return tuple(
        Known(card, tuple(s for s in sorted(seats) if state.hands[s]))
        for card, seats in sorted(where.items())
        if card in held and (seat is None or card not in state.hands[seat])
    )


def kept(state: State, seat: Seat | None, traces: Iterable[Trace]) -> tuple[Kept, ...]:
    """What the other hands still hold from before the last reshuffle; `()` before the first.

    Hands that exchanged cards unseen since then are counted together.
    """
    groups: list[set[Seat]] = []
    for trace in traces:
        if isinstance(trace, Reshuffle):
            others = [s for s in range(len(state.hands)) if s != seat and state.hands[s]]
            groups = [{other} for other in others]
        elif isinstance(trace, Swap):
            groups = _merged(groups, trace)
    pool = set(state.pool)
    return tuple(
        Kept(tuple(sorted(group)), sum(c not in pool for s in group for c in state.hands[s]))
        for group in groups
    )


def _merged(groups: list[set[Seat]], swap: Swap) -> list[set[Seat]]:
    touched = [group for group in groups if not group.isdisjoint(swap.seats)]
    apart = [group for group in groups if group.isdisjoint(swap.seats)]
    return sorted([*apart, set[Seat]().union(*touched)], key=min) if touched else groups
