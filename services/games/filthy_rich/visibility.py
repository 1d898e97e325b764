"""Who sees what (FR-13): views of the table and redacted events."""

from __future__ import annotations

from msgspec.structs import replace

from services.games.filthy_rich.assets import tax_due
from services.games.filthy_rich.auctions import lowest_bid
from services.games.filthy_rich.binder import seen
from services.games.filthy_rich.events import (
    CardDrawn,
    CardGiven,
    CardTaken,
    HandsDealt,
    RichEvent,
)
from services.games.filthy_rich.knowledge import kept, known, visible_traces
from services.games.filthy_rich.legal import asked_seat
from services.games.filthy_rich.setup import sign_supply
from services.games.filthy_rich.state import Spied, State
from services.games.filthy_rich.turns import number_of_dice
from services.games.filthy_rich.view import Asked, View
from shared.game import Seat


def view(state: State, seat: Seat | None) -> View:
    """The table as a seat sees it."""
    sight = seen(state.signs, state.page)[1:]
    asked, traces = _asked(state), visible_traces(state, seat)
    return View(
        seat=seat,
        options=state.options,
        phase=state.phase,
        turn=state.turn,
        player=state.player,
        first=state.first,
        active=() if asked is None else (asked.seat,),
        asked=asked,
        actions_left=state.actions_left,
        page=state.page,
        seen=tuple(None if sign is None else sign.business for sign in sight),
        owners=tuple(None if sign is None else sign.owner for sign in sight),
        signs=state.signs,
        sign_supply=sign_supply(state),
        supply=state.supply,
        removed=state.removed,
        lots=state.lots,
        auction=state.auction,
        hands=tuple(hand if other == seat else len(hand) for other, hand in enumerate(state.hands)),
        pile=len(state.pile),
        discard=state.discard,
        cash=state.cash,
        bank=state.bank,
        assets=state.assets,
        luxuries=state.luxuries,
        tax_due=tuple(tax_due(state, other) for other in range(len(state.hands))),
        action=state.action,
        revealed=state.revealed,
        spied=_spied(state, seat),
        extra_dice=state.extra_dice,
        dice_now=number_of_dice(state.page, state.extra_dice),
        tax_holiday=state.tax_holiday,
        dice=state.dice,
        page_die=state.page_die,
        taxes_left=state.taxes_left,
        tax=state.tax,
        out=state.out,
        end=state.end,
        known=known(state, seat, traces),
        kept=kept(state, seat, traces),
        pool=state.pool,
        traces=traces,
    )


def _asked(state: State) -> Asked | None:
    seat = asked_seat(state)
    if seat is None:
        return None
    if state.auction:
        return Asked(
            seat,
            "bid",
            luxury=state.lots[0].luxury,
            minimum=lowest_bid(state, state.auction),
            maximum=state.cash[seat],
        )
    if state.tax:
        return Asked(seat, "sell_for_tax", tax=tax_due(state, seat))
    if state.spied:
        return Asked(seat, "give", to=state.spied.target)
    if state.phase == "luxury":
        return Asked(seat, "buy_luxury")
    if state.actions_left:
        return Asked(seat, "take_action", count=state.actions_left)
    return Asked(seat, "roll")


def _spied(state: State, seat: Seat | None) -> Spied | None:
    """Which card was taken is for the two concerned (FR-13.4)."""
    if state.spied is None or seat in (state.player, state.spied.target):
        return state.spied
    return replace(state.spied, card=None)


def redact(event: RichEvent, seat: Seat | None) -> RichEvent:
    """Hands and draws are for their owners, exchanged cards for the two concerned (FR-13.6)."""
    match event:
        case HandsDealt(hands=hands):
            seen_hands = (
                hand if owner == seat or isinstance(hand, int) else len(hand)
                for owner, hand in enumerate(hands)
            )
            return HandsDealt(tuple(seen_hands))
        case CardDrawn() if event.seat != seat:
            return replace(event, card=None)
        case CardTaken() | CardGiven() if seat not in (event.seat, event.target):
            return replace(event, card=None)
        case _:
            return event
