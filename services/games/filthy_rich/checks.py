"""Why a move is refused: the first rule that it breaks, in the order of FR-4.12."""

from __future__ import annotations

from services.games.filthy_rich.actions import effect_of
from services.games.filthy_rich.assets import tax_due
from services.games.filthy_rich.auctions import lowest_bid
from services.games.filthy_rich.card_set import Card, type_of
from services.games.filthy_rich.legal import asked_seat, can_repay
from services.games.filthy_rich.moves import (
    Bid,
    BuyLuxury,
    DiscardForOne,
    Give,
    PassBid,
    PlayAction,
    PlayAsset,
    PlayBusiness,
    RepayLoan,
    RichMove,
    Roll,
    SellBusiness,
    SkipLuxury,
    TaxDone,
    TaxSell,
)
from services.games.filthy_rich.placing import check_placing, site
from services.games.filthy_rich.state import State, sign_of
from shared.errors import IllegalMove
from shared.game import Seat

FREE = (SellBusiness, RepayLoan)
PARAMETERS = ("target", "business", "page", "slots")


def check(state: State, seat: Seat, move: RichMove) -> None:
    """Raises `IllegalMove` where `legal_moves` does not list the move."""
    if state.end:
        raise IllegalMove("filthy-rich.game-over", "FR-11.5", "The game is over.")
    if seat != asked_seat(state):
        raise IllegalMove("filthy-rich.not-asked", "FR-4.10", "You have nothing to decide now.")
    if not isinstance(move, possible_kinds(state)):
        raise IllegalMove("filthy-rich.not-now", "FR-4.9", "This can't be done now.")
    match move:
        case BuyLuxury():
            _check_luxury(state, seat, move)
        case DiscardForOne():
            if move.card not in state.hands[seat]:
                raise IllegalMove(
                    "filthy-rich.card-not-in-hand", "FR-5.1", "This card is not in your hand."
                )
        case PlayBusiness():
            _check_business(state, seat, move)
        case PlayAsset():
            _check_asset(state, seat, move)
        case PlayAction():
            _check_action(state, seat, move)
        case Give():
            _check_gift(state, seat, move)
        case SellBusiness():
            _check_sale(state, seat, move.business, "FR-8.1")
        case TaxSell():
            _check_sale(state, seat, move.business, "FR-7.4")
        case RepayLoan():
            _check_repayment(state, seat, move.card)
        case TaxDone():
            _check_tax_done(state, seat)
        case Bid():
            _check_bid(state, seat, move)


def possible_kinds(state: State) -> tuple[type[RichMove], ...]:
    """The kinds of move that this decision knows (FR-4)."""
    if state.auction:
        return (Bid, PassBid)
    if state.tax:
        return (TaxSell, TaxDone)
    if state.spied:
        return (Give,)
    if state.phase == "luxury":
        return (BuyLuxury, SkipLuxury, *FREE)
    if state.actions_left:
        return (DiscardForOne, PlayBusiness, PlayAsset, PlayAction, *FREE)
    return (Roll, *FREE)


def _check_luxury(state: State, seat: Seat, move: BuyLuxury) -> None:
    if move.luxury not in state.supply:
        raise IllegalMove(
            "filthy-rich.luxury-not-in-supply", "FR-4.4", "This luxury is not in the supply."
        )
    price = state.cards.luxuries[move.luxury].price
    if price > state.cash[seat]:
        raise IllegalMove("filthy-rich.luxury-too-dear", "FR-4.3", f"This luxury costs ${price}.")


def _check_business(state: State, seat: Seat, move: PlayBusiness) -> None:
    kind = type_of(move.card)
    if move.card not in state.hands[seat] or kind not in state.cards.businesses:
        raise IllegalMove(
            "filthy-rich.not-a-business-in-hand",
            "FR-5.2",
            "This is no business card of your hand.",
        )
    if sign_of(state.signs, kind):
        raise IllegalMove(
            "filthy-rich.sign-in-binder", "FR-3.7", "The sign of this business is in the binder."
        )
    row = state.cards.businesses[kind]
    check_placing(site(state, state.signs, state.page, seat), row, move.slots, row.cost)


def _check_asset(state: State, seat: Seat, move: PlayAsset) -> None:
    row = state.cards.assets.get(type_of(move.card))
    if row is None or move.card not in state.hands[seat]:
        raise IllegalMove(
            "filthy-rich.not-an-asset-in-hand", "FR-5.3", "This is no asset card of your hand."
        )
    if row.cost > state.cash[seat]:
        raise IllegalMove("filthy-rich.asset-too-dear", "FR-5.3", f"This asset costs ${row.cost}.")


def _check_action(state: State, seat: Seat, move: PlayAction) -> None:
    if move.card not in state.hands[seat] or type_of(move.card) not in state.cards.actions:
        raise IllegalMove(
            "filthy-rich.not-an-action-in-hand", "FR-5.5", "This is no action card of your hand."
        )
    effect = effect_of(state, move.card)
    named = tuple(name for name in PARAMETERS if getattr(move, name) is not None)
    if named != effect.takes:
        wanted = " and ".join(effect.takes) or "no parameter"
        raise IllegalMove("filthy-rich.wrong-parameters", "FR-14.4", f"This card takes {wanted}.")
    effect.check(state, seat, move)


def _check_gift(state: State, seat: Seat, move: Give) -> None:
    taken = state.spied.card if state.spied else None
    if move.card not in state.hands[seat] or move.card == taken:
        raise IllegalMove(
            "filthy-rich.wrong-gift", "FR-14.4", "Give a card of your hand, but not the one taken."
        )


def _check_sale(state: State, seat: Seat, business: str, rule: str) -> None:
    sign = sign_of(state.signs, business)
    if sign is None or sign.owner != seat:
        raise IllegalMove(
            "filthy-rich.not-your-business", rule, "You can sell only businesses of your own."
        )


def _check_repayment(state: State, seat: Seat, card: Card) -> None:
    owned = card in state.assets[seat]
    if not owned or state.cards.assets[type_of(card)].effect != "loan":
        raise IllegalMove(
            "filthy-rich.not-your-loan", "FR-14.3.2", "This is no loan in front of you."
        )
    if not can_repay(state, seat, card):
        amount = state.cards.assets[type_of(card)].amount
        raise IllegalMove(
            "filthy-rich.loan-too-dear", "FR-14.3.2", f"Repaying a loan takes ${amount}."
        )


def _check_tax_done(state: State, seat: Seat) -> None:
    due = tax_due(state, seat)
    if due > state.cash[seat] and any(sign.owner == seat for sign in state.signs):
        raise IllegalMove(
            "filthy-rich.sell-first", "FR-7.5", f"You can't pay ${due} yet: sell a business."
        )


def _check_bid(state: State, seat: Seat, move: Bid) -> None:
    least = lowest_bid(state, state.auction) if state.auction else 0
    if move.amount < least:
        raise IllegalMove("filthy-rich.bid-too-low", "FR-12.3", f"Bid at least ${least}.")
    if move.amount > state.cash[seat]:
        raise IllegalMove(
            "filthy-rich.bid-too-high", "FR-12.3", f"You have only ${state.cash[seat]}."
        )
