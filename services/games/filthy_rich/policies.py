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
from services.games.filthy_rich.binder import seen
from services.games.filthy_rich.card_set import Asset, Slots, type_of
from services.games.filthy_rich.moves import RichMove
from services.games.filthy_rich.placing import site, total_due
from services.games.filthy_rich.state import Sign, sign_of
from services.games.filthy_rich.taxes import sale_value
from services.games.filthy_rich.turns import number_of_dice
from services.games.filthy_rich.valuation import DOLLAR, Public, incomes, on_page, reserve, tax
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
    return greedy_at(view, view.seat or 0, moves, chance)


def greedy_at(
    table: Public, seat: Seat, moves: Sequence[RichMove | Template[RichMove]], chance: Chance
) -> RichMove:
    """The same where no view was made: it looks at nothing that is hidden."""
    listed = concrete(moves)
    if len(listed) == 1:
        return listed[0]
    return max(listed, key=lambda move: worth(table, seat, move))


def concrete(moves: Sequence[RichMove | Template[RichMove]]) -> list[RichMove]:
    """The moves, and of all bids the lowest."""
    listed: list[RichMove] = []
    for move in moves:
        if isinstance(move, m.BidRange):
            listed.append(m.Bid(move.minimum))
        elif isinstance(move, Move):
            listed.append(move)
    return listed


def worth(table: Public, seat: Seat, move: RichMove) -> int:
    """How much better the move makes the seat's position, in thousandths of a dollar."""
    return WORTH[type(move)](table, seat, move)


def _nothing(table: Public, seat: Seat, move: Any) -> int:
    return 0


def _luxury(table: Public, seat: Seat, move: m.BuyLuxury) -> int:
    row = table.cards.luxuries[move.luxury]
    if len(table.luxuries[seat]) == LUXURIES_TO_WIN - 1:
        return WINS
    if table.cash[seat] - row.price < reserve(table, seat, row.icons):
        return NEVER
    return LUXURY - row.price * DOLLAR - HORIZON * _tax_more(table, seat, row.icons)


def _tax_more(table: Public, seat: Seat, icons: int) -> int:
    return tax(table, seat, icons) - tax(table, seat)


def _discard(table: Public, seat: Seat, move: m.DiscardForOne) -> int:
    """A dollar for a card: better the less it could bring."""
    kind = type_of(move.card)
    if kind in table.cards.businesses:
        return DOLLAR - (0 if sign_of(table.signs, kind) else 2)
    return DOLLAR - 1


def _business(table: Public, seat: Seat, move: m.PlayBusiness) -> int:
    row = table.cards.businesses[type_of(move.card)]
    price = row.cost + _compensation(table, table.signs, seat, move.slots)
    sign = Sign(row.id, move.card, seat, table.page, move.slots)
    gain = _income_gain(table, seat, (*table.signs, sign))
    gain += HORIZON * (row.tax_income * DOLLAR // 4 - _tax_more(table, seat, row.icons))
    return _affordable(table, seat, price, row.icons, gain - price * DOLLAR)


def _compensation(table: Public, signs: tuple[Sign, ...], seat: Seat, slots: Slots) -> int:
    return total_due(site(table, signs, table.page, seat), slots)


def _income_gain(table: Public, seat: Seat, signs: tuple[Sign, ...]) -> int:
    """What other signs in the binder would bring me, and take from the others."""
    before = incomes(table, table.signs, table.page)
    after = incomes(table, signs, table.page)
    gain = after[seat] - before[seat]
    loss = sum(before[other] - after[other] for other in _others(table, seat))
    return HORIZON * (gain + loss // (HARM * max(len(table.hands) - 1, 1)))


def _affordable(table: Public, seat: Seat, price: int, icons: int, gain: int) -> int:
    """The gain, unless the cash left would not pay the next tax."""
    due = tax_due(table, seat) + icons
    return gain if price == 0 or table.cash[seat] - price >= due else NEVER // 2


def _asset(table: Public, seat: Seat, move: m.PlayAsset) -> int:
    row = table.cards.assets[type_of(move.card)]
    gain = HORIZON * (
        ASSET_INCOME[row.effect](table, seat, row) - _tax_more(table, seat, row.icons)
    )
    if row.effect == "loan":
        gain += row.amount * DOLLAR
    return _affordable(table, seat, row.cost, row.icons, gain - row.cost * DOLLAR)


def _own_turns(table: Public, amount: int) -> int:
    """Dollars a turn from something that pays at the seat's own turns only."""
    return amount * DOLLAR // (len(table.hands) - len(table.out))


def _racket(table: Public, seat: Seat, row: Asset) -> int:
    payers = {sign.owner for sign in table.signs} - {seat}
    return _own_turns(table, row.amount * len(payers))


def _neon(table: Public, seat: Seat, row: Asset) -> int:
    own = sum(len(sign.slots) for sign in table.signs if sign.owner == seat)
    return own * row.amount * DOLLAR // 5


def _shelter(table: Public, seat: Seat, row: Asset) -> int:
    return min(row.amount, tax_due(table, seat)) * DOLLAR // 4


def _vendor(table: Public, seat: Seat, row: Asset) -> int:
    empty = sum(sign is None for sign in seen(table.signs, table.page)[1:])
    return _own_turns(table, row.amount * empty) // 4


ASSET_INCOME: dict[str, Callable[[Public, Seat, Asset], int]] = {
    "loan": lambda table, seat, row: 0,
    "protection_racket": _racket,
    "street_lease": lambda table, seat, row: _own_turns(table, row.amount) // 4,
    "tax_shelter": _shelter,
    "accountant": lambda table, seat, row: row.amount * DOLLAR // 4,
    "rich_uncle": lambda table, seat, row: _own_turns(table, row.amount),
    "flashing_neon": _neon,
    "street_vendor": _vendor,
}
"""Dollars a turn that an asset brings, in thousandths."""


def _action(table: Public, seat: Seat, move: m.PlayAction) -> int:
    row = table.cards.actions[type_of(move.card)]
    match row.effect:
        case "insurance_payout":
            return row.amount * DOLLAR
        case "passing_the_hat":
            gifts = sum(min(row.amount, table.cash[other]) for other in _others(table, seat))
            return gifts * DOLLAR * (HARM + 1) // HARM
        case "business_scout":
            return SCOUTED_CARD
        case "industrial_espionage":
            return DOLLAR
        case "irs_audit":
            return _audit(table, seat, move.target or 0)
        case "tax_holiday":
            return (
                number_of_dice(table.page, table.extra_dice) * tax_due(table, seat) * DOLLAR // 10
            )
        case "more_dice":
            return row.amount * _a_die(table, seat, table.page)
        case "street_fair":
            page = move.page or table.page
            return page * _a_die(table, seat, page) - table.page * _a_die(table, seat, table.page)
        case _:
            return _on_business(table, seat, row.effect, move)


def _a_die(table: Public, seat: Seat, page: int) -> int:
    """What one die more is worth on a page, its 10 included."""
    mine = on_page(table, seat, table.signs, page) - tax_due(table, seat) * DOLLAR // 10
    theirs = sum(on_page(table, other, table.signs, page) for other in _others(table, seat))
    return mine - theirs // (HARM * max(len(table.hands) - 1, 1))


def _audit(table: Public, seat: Seat, target: Seat) -> int:
    due = tax_due(table, target)
    sales = sum(
        sale_value(table.cards.businesses[sign.business])
        for sign in table.signs
        if sign.owner == target
    )
    if due > table.cash[target] + sales:
        return KNOCKOUT
    return min(due, table.cash[target]) * DOLLAR // HARM


def _on_business(table: Public, seat: Seat, effect: str, move: m.PlayAction) -> int:
    sign = sign_of(table.signs, move.business)
    if sign is None:
        return 0
    row = table.cards.businesses[sign.business]
    rest = tuple(other for other in table.signs if other is not sign)
    if effect == "hostile_takeover":
        taken = (*rest, replace(sign, owner=seat))
        gain = _income_gain(table, seat, taken) - HORIZON * _tax_more(table, seat, row.icons)
        return _affordable(table, seat, row.cost, row.icons, gain - row.cost * DOLLAR)
    if effect == "moving_day":
        slots = move.slots or ()
        price = _compensation(table, rest, seat, slots)
        moved = (*rest, replace(sign, page=table.page, slots=slots))
        return _affordable(table, seat, price, 0, _income_gain(table, seat, moved) - price * DOLLAR)
    return _income_gain(table, seat, rest) - sale_value(row) * DOLLAR // HARM


def _sale(table: Public, seat: Seat, move: m.SellBusiness) -> int:
    """Only to win: when the third luxury can be paid at last."""
    if table.phase != "luxury" or len(table.luxuries[seat]) < LUXURIES_TO_WIN - 1:
        return NEVER
    price = min(table.cards.luxuries[luxury].price for luxury in table.supply)
    own = [sign.business for sign in table.signs if sign.owner == seat]
    sales = sum(sale_value(table.cards.businesses[business]) for business in own)
    enough = table.cash[seat] + sales >= price
    return WINS // 2 if enough else NEVER


def _tax_sale(table: Public, seat: Seat, move: m.TaxSell) -> int:
    """What is lost is the income, what is won the sale and the tax."""
    row = table.cards.businesses[move.business]
    rest = tuple(sign for sign in table.signs if sign.business != move.business)
    gain = _income_gain(table, seat, rest) + sale_value(row) * DOLLAR
    return gain + row.icons * (HORIZON * DOLLAR // 4 + DOLLAR)


def _bid(table: Public, seat: Seat, move: m.Bid) -> int:
    """A third luxury at any price; another one for no more than the shop takes."""
    if len(table.luxuries[seat]) == LUXURIES_TO_WIN - 1:
        return WINS
    row = table.cards.luxuries[table.lots[0].luxury]
    cheapest = min(table.cards.luxuries[luxury].price for luxury in table.supply)
    left = table.cash[seat] - move.amount
    if move.amount > cheapest or left < reserve(table, seat, row.icons):
        return NEVER
    return DOLLAR


def _give(table: Public, seat: Seat, move: m.Give) -> int:
    """The card that would be discarded first."""
    return _discard(table, seat, m.DiscardForOne(move.card))


def _repay(table: Public, seat: Seat, move: m.RepayLoan) -> int:
    return NEVER


def _others(table: Public, seat: Seat) -> list[Seat]:
    return [other for other in range(len(table.hands)) if other != seat and other not in table.out]


WORTH: dict[type, Callable[[Public, Seat, Any], int]] = {
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
