"""Who sees what (DF-14): views of the table and redacted events."""

from __future__ import annotations

from msgspec.structs import replace

from services.games.daifugo.cards import BIT, Cards, cards_of, mask_of, number_of, shown
from services.games.daifugo.events import CardsDealt, CardsGiven, CardsTaken, DaifugoEvent
from services.games.daifugo.legal import active_seats
from services.games.daifugo.scoring import titles_in_force
from services.games.daifugo.sets import SETS
from services.games.daifugo.state import Asked, Exchange, State, View, owed, required_card
from shared.game import Seat


def view(state: State, seat: Seat | None) -> View:
    """The table as a seat sees it."""
    seats = range(len(state.hands))
    return View(
        seat=seat,
        options=state.options,
        round=state.round,
        phase=state.phase,
        dealer=state.dealer,
        hands=tuple(
            cards_of(hand) if other == seat else hand.bit_count()
            for other, hand in enumerate(state.hands)
        ),
        known=tuple(_known(state, seat, other) for other in seats),
        undealt=state.undealt.bit_count(),
        active=tuple(sorted(active_seats(state))),
        turn=state.turn,
        asked=None if seat is None else _asked(state, seat),
        start_card=state.start_card,
        revolution=state.revolution,
        trick=state.trick,
        played=state.played,
        passes=state.passes,
        finished=state.finished,
        exchanges=tuple(_exchange(exchange, seat) for exchange in state.exchanges),
        lead_passes=state.lead_passes,
        titles=titles_in_force(state),
        totals=state.totals,
        results=state.results,
    )


def _known(state: State, seat: Seat | None, other: Seat) -> Cards:
    """Cards that moved from the seat to the other and are still there, and the start card."""
    if seat == other:
        return ()
    seen = 0
    for exchange in state.exchanges:
        if (exchange.poor, exchange.rich) == (seat, other):
            seen |= mask_of(shown(exchange.taken))
        if (exchange.rich, exchange.poor) == (seat, other) and exchange.given is not None:
            seen |= mask_of(shown(exchange.given))
    required = required_card(state)
    if required and state.turn == other:
        seen |= BIT[required]
    return cards_of(seen & state.hands[other])


def _asked(state: State, seat: Seat) -> Asked | None:
    if seat not in active_seats(state):
        return None
    if state.phase == "exchange":
        exchange = owed(state, seat)
        return Asked(kind="give", count=number_of(exchange.taken), to=exchange.poor)
    if state.trick:
        return Asked(kind="follow", count=SETS[state.trick[-1].cards].count)
    return Asked(kind="lead", must_contain=required_card(state))


def _exchange(exchange: Exchange, seat: Seat | None) -> Exchange:
    if seat in (exchange.poor, exchange.rich):
        return exchange
    given = None if exchange.given is None else number_of(exchange.given)
    return replace(exchange, taken=number_of(exchange.taken), given=given)


def redact(event: DaifugoEvent, seat: Seat | None) -> DaifugoEvent:
    """Hands are for their owners, exchanged cards for the two concerned (DF-14.1)."""
    match event:
        case CardsDealt():
            return replace(
                event,
                hands=tuple(
                    hand if owner == seat else number_of(hand)
                    for owner, hand in enumerate(event.hands)
                ),
            )
        case CardsTaken() | CardsGiven():
            if seat in (event.seat, event.to):
                return event
            return replace(event, cards=number_of(event.cards))
        case _:
            return event
