"""What a legal move surely costs and brings, for people's clients."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from services.games.filthy_rich import moves as m
from services.games.filthy_rich.assets import tax_due
from services.games.filthy_rich.auctions import LUXURIES_TO_WIN
from services.games.filthy_rich.binder import Seen, seen
from services.games.filthy_rich.card_set import Slots, type_of
from services.games.filthy_rich.moves import RichMove
from services.games.filthy_rich.placing import owed, site
from services.games.filthy_rich.state import Sign, sign_of
from services.games.filthy_rich.taxes import sale_value
from services.games.filthy_rich.turns import number_of_dice
from services.games.filthy_rich.view import View
from shared.game import Seat

Facts = dict[str, Any]


def preview(view: View, move: RichMove) -> Facts:
    """Facts for the view's own seat.

    Always `pays` and `gains`, each a list of `{seat, amount}` with `seat` null for the bank, and
    `cash_after`. Where signs change what is seen: `vanish` and `appear`, lists of
    `{business, owner, slot}`. Further, where they apply: `wins`, `dice`, `tax_due` (after the
    move), `owner_gains`, `target_tax`.
    """
    if view.seat is None:
        raise ValueError("a spectator has no moves")
    facts = {"pays": [], "gains": [], **_facts(view, view.seat, move)}
    pays = sum(part["amount"] for part in facts["pays"])
    gains = sum(part["amount"] for part in facts["gains"])
    return {**facts, "cash_after": view.cash[view.seat] - pays + gains}


def _facts(view: View, seat: Seat, move: RichMove) -> Facts:
    cards = view.cards
    match move:
        case m.BuyLuxury(luxury=luxury):
            wins = len(view.luxuries[seat]) + 1 == LUXURIES_TO_WIN
            return {"pays": _bank(cards.luxuries[luxury].price), "wins": wins}
        case m.DiscardForOne():
            return {"gains": _bank(1)}
        case m.PlayBusiness(card=card, slots=slots):
            return _placing(view, seat, type_of(card), slots)
        case m.PlayAsset(card=card):
            row = cards.assets[type_of(card)]
            gains = _bank(row.amount) if row.effect == "loan" else []
            return {"pays": _bank(row.cost), "gains": gains}
        case m.PlayAction():
            return _action(view, seat, move)
        case m.SellBusiness(business=business) | m.TaxSell(business=business):
            return _sale(view, seat, business)
        case m.RepayLoan(card=card):
            return {"pays": _bank(cards.assets[type_of(card)].amount)}
        case m.Roll():
            return {"dice": view.dice_now}
        case m.TaxDone():
            return {"pays": _bank(min(tax_due(view, seat), view.cash[seat]))}
        case m.Bid(amount=amount):
            wins = len(view.luxuries[seat]) + 1 == LUXURIES_TO_WIN
            return {"pays": _bank(amount), "wins": wins}
        case _:
            return {}


def _bank(amount: int) -> list[Facts]:
    return [{"seat": None, "amount": amount}] if amount else []


def _each(amounts: dict[Seat, int]) -> list[Facts]:
    return [{"seat": seat, "amount": amount} for seat, amount in amounts.items() if amount]


def _placing(view: View, seat: Seat, business: str, slots: Slots) -> Facts:
    """Cost, compensation and what the new sign covers."""
    row = view.cards.businesses[business]
    debts = owed(site(view, view.signs, view.page, seat), slots)
    sign = Sign(business, "", seat, view.page, slots)
    return {
        "pays": _bank(row.cost) + _each(debts),
        **_sight_changes(view, (*view.signs, sign), view.page),
    }


def _sight_changes(view: View, signs: tuple[Sign, ...], page: int) -> Facts:
    before, after = seen(view.signs, view.page), seen(signs, page)
    return {"vanish": _lost(before, after), "appear": _lost(after, before)}


def _lost(sight: Seen, other: Seen) -> list[Facts]:
    """The sign cards that are in one sight and not in the other."""
    kept = {(sign.business, sign.page, slot) for slot, sign in enumerate(other) if sign}
    return [
        {"business": sign.business, "owner": sign.owner, "slot": slot}
        for slot, sign in enumerate(sight)
        if sign and (sign.business, sign.page, slot) not in kept
    ]


def _sale(view: View, seat: Seat, business: str) -> Facts:
    rest = tuple(sign for sign in view.signs if sign.business != business)
    after = replace(view, signs=rest)
    return {
        "gains": _bank(sale_value(view.cards.businesses[business])),
        "tax_due": tax_due(after, seat),
        **_sight_changes(view, rest, view.page),
    }


def _action(view: View, seat: Seat, move: m.PlayAction) -> Facts:
    row = view.cards.actions[type_of(move.card)]
    sign = sign_of(view.signs, move.business)
    match row.effect:
        case "insurance_payout":
            return {"gains": _bank(row.amount)}
        case "passing_the_hat":
            payers = {
                other: min(row.amount, cash)
                for other, cash in enumerate(view.cash)
                if other != seat and other not in view.out
            }
            return {"gains": _each(payers)}
        case "more_dice":
            return {"dice": number_of_dice(view.page, view.extra_dice + row.amount)}
        case "street_fair":
            page = move.page or view.page
            dice = number_of_dice(page, view.extra_dice)
            return {"dice": dice, **_sight_changes(view, view.signs, page)}
        case "irs_audit":
            return {"target_tax": tax_due(view, move.target or 0)}
        case "zoning_violation" if sign:
            rest = tuple(other for other in view.signs if other is not sign)
            value = sale_value(view.cards.businesses[sign.business])
            return {"owner_gains": value, **_sight_changes(view, rest, view.page)}
        case "hostile_takeover" if sign:
            cost = view.cards.businesses[sign.business].cost
            return {"pays": _each({sign.owner: cost})}
        case "moving_day" if sign:
            return _moving(view, seat, sign, move.slots or ())
        case _:
            return {}


def _moving(view: View, seat: Seat, sign: Sign, slots: Slots) -> Facts:
    rest = tuple(other for other in view.signs if other is not sign)
    moved = Sign(sign.business, sign.card, seat, view.page, slots)
    debts = owed(site(view, rest, view.page, seat), slots)
    return {"pays": _each(debts), **_sight_changes(view, (*rest, moved), view.page)}
