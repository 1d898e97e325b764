"""Who must act and what may be done (FR-4). `legal_moves` lists exactly what `check` accepts."""

from __future__ import annotations

from collections.abc import Iterator

from services.games.filthy_rich.actions import effect_of
from services.games.filthy_rich.assets import tax_due
from services.games.filthy_rich.auctions import lowest_bid
from services.games.filthy_rich.card_set import Card, type_of
from services.games.filthy_rich.moves import (
    PASS,
    ROLL,
    SKIP_LUXURY,
    TAX_DONE,
    BidRange,
    BuyLuxury,
    DiscardForOne,
    Give,
    PlayAction,
    PlayAsset,
    PlayBusiness,
    RepayLoan,
    RichMove,
    SellBusiness,
    TaxSell,
)
from services.games.filthy_rich.placing import Site, placements, site
from services.games.filthy_rich.state import SEATS, State, sign_of
from shared.errors import IllegalMove
from shared.game import Seat

NOBODY: frozenset[Seat] = frozenset()
ALONE = tuple(frozenset((seat,)) for seat in range(SEATS[-1] + 1))

Listed = RichMove | BidRange


def asked_seat(state: State) -> Seat | None:
    """The one seat that is asked: speaker, seller or turn player (FR-4.10)."""
    if state.phase in ("waiting", "ended"):
        return None
    if state.auction:
        return state.auction.speaker
    if state.tax:
        return state.tax.deciding
    return None if state.phase == "rolled" else state.player


def active_seats(state: State) -> frozenset[Seat]:
    """The asked seat, as a set."""
    seat = asked_seat(state)
    return NOBODY if seat is None else ALONE[seat]


def legal_moves(state: State, seat: Seat) -> tuple[Listed, ...]:
    """All that the seat may do, in a stable order; `()` for a seat that is not asked."""
    if seat != asked_seat(state):
        return ()
    return tuple(_listed(state, seat))


def _listed(state: State, seat: Seat) -> Iterator[Listed]:
    if state.auction:
        yield PASS
        yield BidRange(lowest_bid(state, state.auction), state.cash[seat])
    elif state.tax:
        yield from _tax_moves(state, seat)
    elif state.spied:
        yield from (Give(card) for card in state.hands[seat] if card != state.spied.card)
    else:
        yield from _turn_moves(state, seat)
        yield from _free_moves(state, seat)


def _tax_moves(state: State, seat: Seat) -> Iterator[Listed]:
    """FR-7.4, 7.5."""
    own = [sign.business for sign in state.signs if sign.owner == seat]
    if not own or tax_due(state, seat) <= state.cash[seat]:
        yield TAX_DONE
    yield from map(TaxSell, own)


def _turn_moves(state: State, seat: Seat) -> Iterator[Listed]:
    if state.phase == "luxury":
        yield SKIP_LUXURY
        rows, cash = state.cards.luxuries, state.cash[seat]
        yield from (BuyLuxury(id) for id in state.supply if rows[id].price <= cash)
    elif not state.actions_left:
        yield ROLL
    else:
        yield from map(DiscardForOne, state.hands[seat])
        at = site(state, state.signs, state.page, seat)
        for card in state.hands[seat]:
            yield from _plays(state, seat, card, at)


def _plays(state: State, seat: Seat, card: Card, at: Site) -> Iterator[Listed]:
    """All ways to play a card of the hand (FR-5.2, 5.3, 5.5)."""
    kind, cards = type_of(card), state.cards
    if kind in cards.actions:
        yield from _action_plays(state, seat, card)
    elif kind in cards.assets:
        if cards.assets[kind].cost <= state.cash[seat]:
            yield PlayAsset(card)
    elif sign_of(state.signs, kind) is None:
        row = cards.businesses[kind]
        yield from (PlayBusiness(card, slots) for slots in placements(at, row, row.cost))


def _action_plays(state: State, seat: Seat, card: Card) -> Iterator[Listed]:
    effect = effect_of(state, card)
    for parameters in effect.candidates(state, seat):
        move = PlayAction(card, **parameters)
        try:
            effect.check(state, seat, move)
        except IllegalMove:
            continue  # this candidate is not a legal choice for the card
        yield move


def _free_moves(state: State, seat: Seat) -> Iterator[Listed]:
    """FR-4.2."""
    yield from (SellBusiness(sign.business) for sign in state.signs if sign.owner == seat)
    yield from (RepayLoan(card) for card in state.assets[seat] if can_repay(state, seat, card))


def can_repay(state: State, seat: Seat, card: Card) -> bool:
    """Whether this asset of the seat is a loan that it has the money for (FR-14.3.2)."""
    row = state.cards.assets[type_of(card)]
    return row.effect == "loan" and row.amount <= state.cash[seat]
