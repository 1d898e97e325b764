"""Folding the course of the game: turns, money, dice, taxes, auctions."""

from __future__ import annotations

from msgspec.structs import replace

from services.games.filthy_rich import events as e
from services.games.filthy_rich.sets import put, without
from services.games.filthy_rich.state import Auction, BestBid, End, State, Tax


def first_player_drawn(state: State, event: e.FirstPlayerDrawn) -> State:
    return replace(state, first=event.seat)


def turn_began(state: State, event: e.TurnBegan) -> State:
    return replace(
        state,
        turn=event.turn,
        player=event.seat,
        phase="luxury",
        actions_left=2,
        extra_dice=0,
        tax_holiday=False,
    )


def money_paid(state: State, event: e.MoneyPaid) -> State:
    cash, bank = state.cash, state.bank
    if event.payer is None:
        bank -= event.amount
    else:
        cash = put(cash, event.payer, cash[event.payer] - event.amount)
    if event.payee is None:
        bank += event.amount
    else:
        cash = put(cash, event.payee, cash[event.payee] + event.amount)
    return replace(state, cash=cash, bank=bank)


def luxury_bought(state: State, event: e.LuxuryBought) -> State:
    owned = (*state.luxuries[event.seat], event.luxury)
    return replace(
        state,
        phase="actions",
        supply=without(state.supply, event.luxury),
        luxuries=put(state.luxuries, event.seat, tuple(sorted(owned))),
    )


def luxury_skipped(state: State, event: e.LuxurySkipped) -> State:
    return replace(state, phase="actions")


def action_skipped(state: State, event: e.ActionSkipped) -> State:
    return replace(state, actions_left=state.actions_left - 1)


def dice_changed(state: State, event: e.DiceChanged) -> State:
    return replace(state, extra_dice=state.extra_dice + event.by)


def taxes_suspended(state: State, event: e.TaxesSuspended) -> State:
    return replace(state, tax_holiday=True)


def page_opened(state: State, event: e.PageOpened) -> State:
    return replace(state, page=event.page)


def dice_rolled(state: State, event: e.DiceRolled) -> State:
    return replace(state, phase="rolled", dice=event.dice, taxes_left=event.taxes)


def business_hit(state: State, event: e.BusinessHit) -> State:
    return state


def tax_began(state: State, event: e.TaxBegan) -> State:
    return replace(state, tax=Tax(event.order, event.order[0]), taxes_left=event.left)


def sales_ended(state: State, event: e.SalesEnded) -> State:
    order = state.tax.order if state.tax else ()
    return replace(state, tax=Tax(order, event.next))


def tax_ended(state: State, event: e.TaxEnded) -> State:
    return replace(state, tax=None)


def auction_opened(state: State, event: e.AuctionOpened) -> State:
    return replace(state, auction=Auction(event.speaker))


def bid_made(state: State, event: e.BidMade) -> State:
    return replace(state, auction=Auction(event.next, BestBid(event.seat, event.amount)))


def bid_passed(state: State, event: e.BidPassed) -> State:
    auction = state.auction or Auction(None)
    return replace(state, auction=Auction(event.next, auction.best, auction.passes + 1))


def auction_won(state: State, event: e.AuctionWon) -> State:
    owned = (*state.luxuries[event.seat], event.luxury)
    return replace(
        state,
        auction=None,
        lots=state.lots[1:],
        luxuries=put(state.luxuries, event.seat, tuple(sorted(owned))),
    )


def luxury_removed(state: State, event: e.LuxuryRemoved) -> State:
    removed = tuple(sorted((*state.removed, event.luxury)))
    return replace(state, auction=None, lots=state.lots[1:], removed=removed)


def page_rolled(state: State, event: e.PageRolled) -> State:
    return replace(state, page_die=event.die, page=event.page)


def game_ended(state: State, event: e.GameEnded) -> State:
    return replace(state, phase="ended", end=End(event.reason, event.winner))
