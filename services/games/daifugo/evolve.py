"""Folding: what each event makes true. No rule is here; the event says all that follows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from msgspec.structs import replace

from services.games.daifugo.cards import mask_of, shown
from services.games.daifugo.events import (
    CardsDealt,
    CardsGiven,
    CardsPlayed,
    CardsTaken,
    DaifugoEvent,
    LeadAssigned,
    LeadPassed,
    OrderReversed,
    Passed,
    RoundEnded,
    SeatFinished,
    TableCleared,
)
from services.games.daifugo.state import Exchange, LeadPass, Play, RoundResult, State, with_hand


def fold(state: State, events: Iterable[DaifugoEvent]) -> State:
    """The state after these events."""
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: State, event: DaifugoEvent) -> State:
    """The state after one event; the frequent ones come first."""
    match event:
        case CardsPlayed():
            return _cards_played(state, event)
        case Passed():
            return replace(state, turn=event.next, passes=state.passes + 1)
        case TableCleared():
            return replace(
                state, turn=event.leader, trick=(), played=state.played + state.trick, passes=0
            )
        case SeatFinished():
            return replace(state, finished=(*state.finished, event.seat))
        case OrderReversed():
            return replace(state, revolution=event.revolution)
        case LeadPassed():
            passed = LeadPass(seat=event.seat, revolution=state.revolution)
            return replace(state, turn=event.to, lead_passes=(*state.lead_passes, passed))
        case CardsDealt():
            return _cards_dealt(state, event)
        case CardsTaken():
            return _cards_taken(state, event)
        case CardsGiven():
            return _cards_given(state, event)
        case LeadAssigned():
            return replace(state, phase="play", turn=event.leader, start_card=event.start_card)
        case RoundEnded():
            return _round_ended(state, event)
        case _:
            assert_never(event)


def _cards_played(state: State, event: CardsPlayed) -> State:
    seat = event.seat
    return replace(
        state,
        hands=with_hand(state.hands, seat, state.hands[seat] & ~mask_of(event.cards)),
        trick=(*state.trick, Play(seat, event.cards)),
        turn=event.next,
        passes=0,
    )


def _cards_dealt(state: State, event: CardsDealt) -> State:
    """A new round keeps of the old one only what it was worth."""
    return State(
        options=state.options,
        hands=tuple(mask_of(shown(hand)) for hand in event.hands),
        undealt=0,
        totals=state.totals,
        round=event.round,
        phase="exchange",
        dealer=event.dealer,
        results=state.results,
    )


def _cards_taken(state: State, event: CardsTaken) -> State:
    exchange = Exchange(poor=event.seat, rich=event.to, taken=event.cards)
    return replace(
        state,
        hands=_moved(state.hands, event),
        exchanges=(*state.exchanges, exchange),
    )


def _cards_given(state: State, event: CardsGiven) -> State:
    return replace(
        state,
        hands=_moved(state.hands, event),
        exchanges=tuple(
            replace(e, given=event.cards) if e.rich == event.seat else e for e in state.exchanges
        ),
    )


def _moved(hands: tuple[int, ...], event: CardsTaken | CardsGiven) -> tuple[int, ...]:
    cards = mask_of(shown(event.cards))
    hands = with_hand(hands, event.seat, hands[event.seat] & ~cards)
    return with_hand(hands, event.to, hands[event.to] | cards)


def _round_ended(state: State, event: RoundEnded) -> State:
    result = RoundResult(order=event.order, titles=event.titles, points=event.points)
    return replace(
        state,
        phase="ended",
        turn=None,
        finished=event.order,
        totals=event.totals,
        results=(*state.results, result),
    )
