"""A way to play to win from the view alone: income first, then luxuries, and cash for the tax.

The weights were found by playing matches against random seats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from services.games.filthy_rich import moves as m
from services.games.filthy_rich.assets import tax_due
from services.games.filthy_rich.auctions import LUXURIES_TO_WIN
from services.games.filthy_rich.card_set import Asset, Slots, type_of
from services.games.filthy_rich.moves import RichMove
from services.games.filthy_rich.placing import site, total_due
from services.games.filthy_rich.state import Sign, sign_of
from services.games.filthy_rich.taxes import sale_value
from services.games.filthy_rich.valuation import DOLLAR, income, on_page, reserve, tax
from services.games.filthy_rich.view import View
from shared.chance import Chance
from shared.game import Move, Seat, Template

HORIZON = 24
"""For how many turns an income or a tax is counted."""

WINS = 10**9
NEVER = -(10**9)

LUXURY = 60 * DOLLAR
"""More than the price of any, so that the cheapest is bought as soon as it can be spared."""

SCOUTED_CARD = 3 * DOLLAR
KNOCKOUT = 25 * DOLLAR

HARM = 3
"""Of so many dollars that another player loses, one counts as won."""


def greedy(view: View, moves: Sequence[RichMove | Template[RichMove]], chance: Chance) -> RichMove:
    """The first of the moves that are worth most; it draws nothing."""
    listed: list[RichMove] = []
    for move in moves:
        if isinstance(move, m.BidRange):
            listed.append(m.Bid(move.minimum))
        elif isinstance(move, Move):
            listed.append(move)
    seat = view.seat if view.seat is not None else 0
    return max(listed, key=lambda move: worth(view, seat, move))


def worth(view: View, seat: Seat, move: RichMove) -> int:
    """How much better the move makes the seat's position, in thousandths of a dollar."""
    return WORTH[type(move)](view, seat, move)


def _nothing(view: View, seat: Seat, move: Any) -> int:
    return 0


def _luxury(view: View, seat: Seat, move: m.BuyLuxury) -> int:
    row = view.cards.luxuries[move.luxury]
    if len(view.luxuries[seat]) == LUXURIES_TO_WIN - 1:
        return WINS
    if view.cash[seat] - row.price < reserve(view, seat, row.icons):
        return NEVER
    return LUXURY - row.price * DOLLAR - HORIZON * _tax_more(view, seat, row.icons)


def _tax_more(view: View, seat: Seat, icons: int) -> int:
    return tax(view, seat, icons) - tax(view, seat)


def _discard(view: View, seat: Seat, move: m.DiscardForOne) -> int:
    """A dollar for a card: better the less it could bring."""
    kind = type_of(move.card)
    if kind in view.cards.businesses:
        return DOLLAR - (0 if sign_of(view.signs, kind) else 2)
    return DOLLAR - 1


def _business(view: View, seat: Seat, move: m.PlayBusiness) -> int:
    row = view.cards.businesses[type_of(move.card)]
    price = row.cost + _compensation(view, view.signs, seat, move.slots)
    sign = Sign(row.id, move.card, seat, view.page, move.slots)
    gain = _income_gain(view, seat, (*view.signs, sign))
    gain += HORIZON * (row.tax_income * DOLLAR // 4 - _tax_more(view, seat, row.icons))
    return _affordable(view, seat, price, row.icons, gain - price * DOLLAR)


def _compensation(view: View, signs: Sequence[Sign], seat: Seat, slots: Slots) -> int:
    return total_due(site(view, signs, view.page, seat), slots)


def _income_gain(view: View, seat: Seat, signs: Sequence[Sign]) -> int:
    """What other signs in the binder would bring me, and take from the others."""
    gain = income(view, seat, signs, view.page) - income(view, seat, view.signs, view.page)
    loss = sum(
        income(view, other, view.signs, view.page) - income(view, other, signs, view.page)
        for other in _others(view, seat)
    )
    return HORIZON * (gain + loss // (HARM * max(len(view.hands) - 1, 1)))


def _affordable(view: View, seat: Seat, price: int, icons: int, gain: int) -> int:
    """The gain, unless the cash left would not pay the next tax."""
    due = tax_due(view, seat) + icons
    return gain if price == 0 or view.cash[seat] - price >= due else NEVER // 2


def _asset(view: View, seat: Seat, move: m.PlayAsset) -> int:
    row = view.cards.assets[type_of(move.card)]
    gain = HORIZON * (ASSET_INCOME[row.effect](view, seat, row) - _tax_more(view, seat, row.icons))
    if row.effect == "loan":
        gain += row.amount * DOLLAR
    return _affordable(view, seat, row.cost, row.icons, gain - row.cost * DOLLAR)


def _own_turns(view: View, amount: int) -> int:
    """Dollars a turn from something that pays at the seat's own turns only."""
    return amount * DOLLAR // (len(view.hands) - len(view.out))


def _racket(view: View, seat: Seat, row: Asset) -> int:
    payers = {sign.owner for sign in view.signs} - {seat}
    return _own_turns(view, row.amount * len(payers))


def _neon(view: View, seat: Seat, row: Asset) -> int:
    own = sum(len(sign.slots) for sign in view.signs if sign.owner == seat)
    return own * row.amount * DOLLAR // 5


def _shelter(view: View, seat: Seat, row: Asset) -> int:
    return min(row.amount, tax_due(view, seat)) * DOLLAR // 4


def _vendor(view: View, seat: Seat, row: Asset) -> int:
    empty = sum(business is None for business in view.seen)
    return _own_turns(view, row.amount * empty) // 4


ASSET_INCOME: dict[str, Callable[[View, Seat, Asset], int]] = {
    "loan": lambda view, seat, row: 0,
    "protection_racket": _racket,
    "street_lease": lambda view, seat, row: _own_turns(view, row.amount) // 4,
    "tax_shelter": _shelter,
    "accountant": lambda view, seat, row: row.amount * DOLLAR // 4,
    "rich_uncle": lambda view, seat, row: _own_turns(view, row.amount),
    "flashing_neon": _neon,
    "street_vendor": _vendor,
}
"""Dollars a turn that an asset brings, in thousandths."""


def _action(view: View, seat: Seat, move: m.PlayAction) -> int:
    row = view.cards.actions[type_of(move.card)]
    match row.effect:
        case "insurance_payout":
            return row.amount * DOLLAR
        case "passing_the_hat":
            gifts = sum(min(row.amount, view.cash[other]) for other in _others(view, seat))
            return gifts * DOLLAR * (HARM + 1) // HARM
        case "business_scout":
            return SCOUTED_CARD
        case "industrial_espionage":
            return DOLLAR
        case "irs_audit":
            return _audit(view, seat, move.target or 0)
        case "tax_holiday":
            return view.dice_now * tax_due(view, seat) * DOLLAR // 10
        case "more_dice":
            return row.amount * _a_die(view, seat, view.page)
        case "street_fair":
            page = move.page or view.page
            return page * _a_die(view, seat, page) - view.page * _a_die(view, seat, view.page)
        case _:
            return _on_business(view, seat, row.effect, move)


def _a_die(view: View, seat: Seat, page: int) -> int:
    """What one die more is worth on a page, its 10 included."""
    mine = on_page(view, seat, view.signs, page) - tax_due(view, seat) * DOLLAR // 10
    theirs = sum(on_page(view, other, view.signs, page) for other in _others(view, seat))
    return mine - theirs // (HARM * max(len(view.hands) - 1, 1))


def _audit(view: View, seat: Seat, target: Seat) -> int:
    due = tax_due(view, target)
    sales = sum(
        sale_value(view.cards.businesses[sign.business])
        for sign in view.signs
        if sign.owner == target
    )
    if due > view.cash[target] + sales:
        return KNOCKOUT
    return min(due, view.cash[target]) * DOLLAR // HARM


def _on_business(view: View, seat: Seat, effect: str, move: m.PlayAction) -> int:
    sign = sign_of(view.signs, move.business)
    if sign is None:
        return 0
    row = view.cards.businesses[sign.business]
    rest = tuple(other for other in view.signs if other is not sign)
    if effect == "hostile_takeover":
        taken = (*rest, replace(sign, owner=seat))
        gain = _income_gain(view, seat, taken) - HORIZON * _tax_more(view, seat, row.icons)
        return _affordable(view, seat, row.cost, row.icons, gain - row.cost * DOLLAR)
    if effect == "moving_day":
        slots = move.slots or ()
        price = _compensation(view, rest, seat, slots)
        moved = (*rest, replace(sign, page=view.page, slots=slots))
        return _affordable(view, seat, price, 0, _income_gain(view, seat, moved) - price * DOLLAR)
    return _income_gain(view, seat, rest) - sale_value(row) * DOLLAR // HARM


def _sale(view: View, seat: Seat, move: m.SellBusiness) -> int:
    """Only to win: when the third luxury can be paid at last."""
    if view.phase != "luxury" or len(view.luxuries[seat]) < LUXURIES_TO_WIN - 1:
        return NEVER
    price = min(view.cards.luxuries[luxury].price for luxury in view.supply)
    own = [sign.business for sign in view.signs if sign.owner == seat]
    sales = sum(sale_value(view.cards.businesses[business]) for business in own)
    enough = view.cash[seat] + sales >= price
    return WINS // 2 if enough else NEVER


def _tax_sale(view: View, seat: Seat, move: m.TaxSell) -> int:
    """What is lost is the income, what is won the sale and the tax."""
    row = view.cards.businesses[move.business]
    rest = tuple(sign for sign in view.signs if sign.business != move.business)
    gain = _income_gain(view, seat, rest) + sale_value(row) * DOLLAR
    return gain + row.icons * (HORIZON * DOLLAR // 4 + DOLLAR)


def _bid(view: View, seat: Seat, move: m.Bid) -> int:
    """A third luxury at any price; another one for no more than the shop takes."""
    if len(view.luxuries[seat]) == LUXURIES_TO_WIN - 1:
        return WINS
    row = view.cards.luxuries[view.lots[0].luxury]
    cheapest = min(view.cards.luxuries[luxury].price for luxury in view.supply)
    left = view.cash[seat] - move.amount
    if move.amount > cheapest or left < reserve(view, seat, row.icons):
        return NEVER
    return DOLLAR


def _give(view: View, seat: Seat, move: m.Give) -> int:
    """The card that would be discarded first."""
    return _discard(view, seat, m.DiscardForOne(move.card))


def _repay(view: View, seat: Seat, move: m.RepayLoan) -> int:
    return NEVER


def _others(view: View, seat: Seat) -> list[Seat]:
    return [other for other in range(len(view.hands)) if other != seat and other not in view.out]


WORTH: dict[type, Callable[[View, Seat, Any], int]] = {
    m.BuyLuxury: _luxury,
    m.SkipLuxury: _nothing,
    m.DiscardForOne: _discard,
    m.PlayBusiness: _business,
    m.PlayAsset: _asset,
    m.PlayAction: _action,
    m.Give: _give,
    m.SellBusiness: _sale,
    m.RepayLoan: _repay,
    m.Roll: _nothing,
    m.TaxSell: _tax_sale,
    m.TaxDone: _nothing,
    m.Bid: _bid,
    m.PassBid: _nothing,
}
