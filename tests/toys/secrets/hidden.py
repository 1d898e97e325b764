"""What a seat of Secrets may see, and what it can imagine of the rest."""

from __future__ import annotations

from msgspec.structs import replace

from shared.chance import Chance
from shared.game import Seat
from tests.toys.secrets.types import (
    AnyEvent,
    CardChosen,
    CardDealt,
    CardDrawn,
    CardsPassed,
    State,
    View,
    sorted_hand,
    unseen,
)


def view(state: State, seat: Seat | None) -> View:
    mine = seat is not None
    return View(
        seat=seat,
        auctions=state.auctions,
        hand=state.hands[seat] if mine else (),
        gave=state.given[seat] if mine else None,
        got=state.given[seat - 1] if mine and state.passed else None,
        chosen=tuple(card is not None for card in state.given),
        counts=tuple(map(len, state.hands)),
        coins=state.coins,
        bank=state.bank,
        passed=state.passed,
        opened=state.opened,
        turn=state.turn,
        best=state.best,
        drawn=state.drawn,
        hands=state.hands if state.scores else (),
        scores=state.scores,
    )


def redact(event: AnyEvent, seat: Seat | None) -> AnyEvent | None:
    match event:
        case CardDealt() if event.seat != seat:
            return None
        case CardChosen() | CardDrawn() if event.seat != seat:
            return replace(event, card=None)
        case CardsPassed(cards=cards):
            last = len(cards) - 1
            return CardsPassed(
                tuple(
                    card if seat in (giver, 0 if giver == last else giver + 1) else None
                    for giver, card in enumerate(cards)
                )
            )
    return event


def resample(view: View, chance: Chance) -> State:
    """Others hold what is unseen, and the neighbour holds what this seat gave it."""
    hands = view.hands or imagined_hands(view, chance)
    return State(
        auctions=view.auctions,
        hands=hands,
        given=imagined_gifts(view, hands),
        coins=view.coins,
        bank=view.bank,
        passed=view.passed,
        opened=view.opened,
        turn=view.turn,
        best=view.best,
        drawn=view.drawn,
        scores=view.scores,
    )


def imagined_hands(view: View, chance: Chance) -> tuple[tuple[str, ...], ...]:
    seats = len(view.counts)
    known: list[tuple[str, ...]] = [()] * seats
    if view.seat is not None:
        known[view.seat] = view.hand
        if view.passed and view.gave is not None:
            known[(view.seat + 1) % seats] += (view.gave,)
    left = iter(chance.shuffle("resample", unseen(known)))
    return tuple(
        sorted_hand((*cards, *(next(left) for _ in range(count - len(cards)))))
        for cards, count in zip(known, view.counts, strict=True)
    )


def imagined_gifts(view: View, hands: tuple[tuple[str, ...], ...]) -> tuple[str | None, ...]:
    seats = len(hands)
    gifts: list[str | None] = []
    for giver in range(seats):
        taker = (giver + 1) % seats
        if giver == view.seat:
            gifts.append(view.gave)
        elif taker == view.seat and view.passed:
            gifts.append(view.got)
        else:
            gifts.append(hands[taker if view.passed else giver][0] if view.chosen[giver] else None)
    return tuple(gifts)
