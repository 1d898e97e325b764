"""Folding what happens to cards, businesses and signs."""

from __future__ import annotations

from msgspec.structs import replace

from services.games.filthy_rich import events as e
from services.games.filthy_rich.card_set import Card, Cards
from services.games.filthy_rich.sets import named, put, shown, with_cards, without
from services.games.filthy_rich.state import (
    Lot,
    Reshuffle,
    Sighting,
    Sign,
    Spied,
    State,
    Swap,
    Trace,
)
from shared.game import Seat


def _drop(state: State, seat: Seat, card: Card) -> tuple[Cards, ...]:
    return put(state.hands, seat, without(state.hands[seat], card))


def _take(state: State, seat: Seat, card: Card) -> tuple[Cards, ...]:
    return put(state.hands, seat, with_cards(state.hands[seat], card))


def hands_dealt(state: State, event: e.HandsDealt) -> State:
    hands = tuple(with_cards(shown(hand)) for hand in event.hands)
    dealt = {card for hand in hands for card in hand}
    return replace(state, hands=hands, pile=tuple(c for c in state.pile if c not in dealt))


def card_discarded(state: State, event: e.CardDiscarded) -> State:
    return replace(
        state,
        hands=_drop(state, event.seat, event.card),
        discard=with_cards(state.discard, event.card),
        actions_left=state.actions_left - 1,
    )


def business_opened(state: State, event: e.BusinessOpened) -> State:
    sign = Sign(event.business, event.card, event.seat, event.page, event.slots)
    return replace(
        state,
        hands=_drop(state, event.seat, event.card),
        signs=_with_sign(state, sign),
        actions_left=state.actions_left - 1,
    )


def _with_sign(state: State, sign: Sign) -> tuple[Sign, ...]:
    signs = [other for other in state.signs if other.business != sign.business]
    return tuple(sorted((*signs, sign), key=lambda each: each.business))


def asset_played(state: State, event: e.AssetPlayed) -> State:
    return replace(
        state,
        hands=_drop(state, event.seat, event.card),
        assets=put(state.assets, event.seat, with_cards(state.assets[event.seat], event.card)),
        actions_left=state.actions_left - 1,
    )


def action_played(state: State, event: e.ActionPlayed) -> State:
    return replace(state, hands=_drop(state, event.seat, event.card), action=event.card)


def action_finished(state: State, event: e.ActionFinished) -> State:
    return replace(
        state,
        action=None,
        revealed=(),
        discard=with_cards(state.discard, event.card, *state.revealed),
        actions_left=state.actions_left - 1,
    )


def business_taken_over(state: State, event: e.BusinessTakenOver) -> State:
    signs = (
        replace(sign, owner=event.seat) if sign.business == event.business else sign
        for sign in state.signs
    )
    return replace(state, signs=tuple(signs))


def sign_moved(state: State, event: e.SignMoved) -> State:
    signs = (
        replace(sign, page=event.page, slots=event.slots)
        if sign.business == event.business
        else sign
        for sign in state.signs
    )
    return replace(state, signs=tuple(signs))


def card_revealed(state: State, event: e.CardRevealed) -> State:
    return replace(
        state,
        pile=without(state.pile, event.card),
        revealed=with_cards(state.revealed, event.card),
    )


def card_scouted(state: State, event: e.CardScouted) -> State:
    return replace(
        state,
        revealed=without(state.revealed, event.card),
        hands=_take(state, event.seat, event.card),
        traces=(*state.traces, Sighting(event.card, event.seat, by=None)),
    )


def card_taken(state: State, event: e.CardTaken) -> State:
    card, pair = named(event.card), (event.seat, event.target)
    moved = replace(state, hands=_drop(state, event.target, card))
    return replace(
        moved,
        hands=_take(moved, event.seat, card),
        traces=(*state.traces, Swap(pair), Sighting(card, event.seat, by=pair)),
        spied=Spied(event.target, card),
    )


def card_given(state: State, event: e.CardGiven) -> State:
    card, pair = named(event.card), (event.seat, event.target)
    moved = replace(state, hands=_drop(state, event.seat, card))
    return replace(
        moved,
        hands=_take(moved, event.target, card),
        traces=(*state.traces, Sighting(card, event.target, by=pair)),
        spied=None,
    )


def business_sold(state: State, event: e.BusinessSold) -> State:
    return replace(
        state,
        signs=tuple(sign for sign in state.signs if sign.business != event.business),
        discard=with_cards(state.discard, event.card),
    )


def loan_repaid(state: State, event: e.LoanRepaid) -> State:
    return replace(
        state,
        assets=put(state.assets, event.seat, without(state.assets[event.seat], event.card)),
        discard=with_cards(state.discard, event.card),
    )


def seat_knocked_out(state: State, event: e.SeatKnockedOut) -> State:
    seat = event.seat
    return replace(
        state,
        hands=put(state.hands, seat, ()),
        assets=put(state.assets, seat, ()),
        luxuries=put(state.luxuries, seat, ()),
        signs=tuple(sign for sign in state.signs if sign.owner != seat),
        discard=with_cards(state.discard, *event.cards),
        lots=(*state.lots, *(Lot(luxury, seat) for luxury in event.luxuries)),
        out=(*state.out, seat),
    )


def pile_reshuffled(state: State, event: e.PileReshuffled) -> State:
    return replace(
        state,
        pile=state.discard,
        discard=(),
        pool=state.discard,
        traces=(*_still_telling(state), Reshuffle()),
    )


def _still_telling(state: State) -> tuple[Trace, ...]:
    """Where a reshuffled card was seen tells nothing now, nor a swap that follows no sighting."""
    kept: list[Trace] = []
    for trace in state.traces:
        seen = isinstance(trace, Sighting) and trace.card not in state.discard
        if seen or (isinstance(trace, Swap) and kept):
            kept.append(trace)
    return tuple(kept)


def card_drawn(state: State, event: e.CardDrawn) -> State:
    card = named(event.card)
    return replace(state, pile=without(state.pile, card), hands=_take(state, event.seat, card))
