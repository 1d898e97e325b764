"""What follows from a move: one function a move, then all that goes on by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from services.games.filthy_rich import events as e
from services.games.filthy_rich import moves as m
from services.games.filthy_rich.actions import effect_of
from services.games.filthy_rich.assets import loan, tax_due
from services.games.filthy_rich.auctions import LUXURIES_TO_WIN, make_bid, pass_bid
from services.games.filthy_rich.card_set import type_of
from services.games.filthy_rich.checks import check
from services.games.filthy_rich.events import RichEvent
from services.games.filthy_rich.moves import RichMove
from services.games.filthy_rich.placing import owed, pay_compensation, site
from services.games.filthy_rich.state import Sign, State
from services.games.filthy_rich.story import BANK, Story
from services.games.filthy_rich.taxes import end_sales, sell
from services.games.filthy_rich.turns import carry_on, roll
from shared.chance import Chance
from shared.game import Seat


def decide(state: State, seat: Seat, move: RichMove, chance: Chance) -> Sequence[RichEvent]:
    """The events of a move.

    Raises:
        IllegalMove: see `check`.
    """
    check(state, seat, move)
    story = Story(state, chance)
    DECISIONS[type(move)](story, seat, move)
    carry_on(story)
    return story.events


def decide_buy_luxury(story: Story, seat: Seat, move: m.BuyLuxury) -> None:
    """FR-4.3."""
    story.pay(seat, BANK, story.state.cards.luxuries[move.luxury].price, "luxury")
    story.tell(e.LuxuryBought(seat, move.luxury))
    if len(story.state.luxuries[seat]) == LUXURIES_TO_WIN:
        story.tell(e.GameEnded("luxuries", seat))  # FR-11.4


def decide_skip_luxury(story: Story, seat: Seat, move: m.SkipLuxury) -> None:
    """FR-4.3."""
    story.tell(e.LuxurySkipped(seat))


def decide_discard(story: Story, seat: Seat, move: m.DiscardForOne) -> None:
    """FR-5.1."""
    story.tell(e.CardDiscarded(seat, move.card))
    story.pay(BANK, seat, 1, "discard")


def decide_business(story: Story, seat: Seat, move: m.PlayBusiness) -> None:
    """FR-5.2."""
    state = story.state
    row = state.cards.businesses[type_of(move.card)]
    debts = owed(site(state, state.signs, state.page, seat), move.slots)
    story.pay(seat, BANK, row.cost, "business")
    pay_compensation(story, seat, debts)
    story.tell(e.BusinessOpened(seat, move.card, row.id, state.page, move.slots))


def decide_asset(story: Story, seat: Seat, move: m.PlayAsset) -> None:
    """FR-5.3."""
    row = story.state.cards.assets[type_of(move.card)]
    story.pay(seat, BANK, row.cost, "asset")
    story.tell(e.AssetPlayed(seat, move.card))
    if row.effect == "loan":
        loan(story, seat, row.amount)


def decide_action(story: Story, seat: Seat, move: m.PlayAction) -> None:
    """FR-5.5."""
    row = story.state.cards.actions[type_of(move.card)]
    story.tell(e.ActionPlayed(seat, move.card, move.target, move.business))
    effect_of(story.state, move.card).work(story, seat, row, move)


def decide_give(story: Story, seat: Seat, move: m.Give) -> None:
    """FR-14.4.4."""
    if story.state.spied:
        story.tell(e.CardGiven(seat, story.state.spied.target, move.card))


def decide_sale(story: Story, seat: Seat, move: m.SellBusiness | m.TaxSell) -> None:
    """FR-8.1, 7.4."""
    sell(story, _own(story.state, move.business))


def decide_repayment(story: Story, seat: Seat, move: m.RepayLoan) -> None:
    """FR-14.3.2."""
    story.pay(seat, BANK, story.state.cards.assets[type_of(move.card)].amount, "repayment")
    story.tell(e.LoanRepaid(seat, move.card))


def decide_roll(story: Story, seat: Seat, move: m.Roll) -> None:
    """FR-4.7."""
    roll(story)


def decide_tax_done(story: Story, seat: Seat, move: m.TaxDone) -> None:
    """FR-7.4."""
    end_sales(story, seat)


def decide_bid(story: Story, seat: Seat, move: m.Bid) -> None:
    """FR-12.3."""
    make_bid(story, seat, move.amount)


def decide_pass(story: Story, seat: Seat, move: m.PassBid) -> None:
    """FR-12.4."""
    pass_bid(story, seat, automatic=False)


DECISIONS: dict[type, Callable[[Story, Seat, Any], None]] = {
    m.BuyLuxury: decide_buy_luxury,
    m.SkipLuxury: decide_skip_luxury,
    m.DiscardForOne: decide_discard,
    m.PlayBusiness: decide_business,
    m.PlayAsset: decide_asset,
    m.PlayAction: decide_action,
    m.Give: decide_give,
    m.SellBusiness: decide_sale,
    m.RepayLoan: decide_repayment,
    m.Roll: decide_roll,
    m.TaxSell: decide_sale,
    m.TaxDone: decide_tax_done,
    m.Bid: decide_bid,
    m.PassBid: decide_pass,
}


def time_out(state: State, seat: Seat, chance: Chance) -> Sequence[RichEvent]:
    """Who does not decide in time spends nothing (FR-4.11)."""
    return decide(state, seat, default_move(state, seat), chance)


def default_move(state: State, seat: Seat) -> RichMove:
    """FR-4.11."""
    if state.auction:
        return m.PASS
    if state.tax:
        own = [sign.business for sign in state.signs if sign.owner == seat]
        if not own or tax_due(state, seat) <= state.cash[seat]:
            return m.TAX_DONE
        return m.TaxSell(own[0])
    if state.spied:
        return m.Give(next(card for card in state.hands[seat] if card != state.spied.card))
    if state.phase == "luxury":
        return m.SKIP_LUXURY
    if state.actions_left:
        return m.DiscardForOne(state.hands[seat][0])
    return m.ROLL


def _own(state: State, business: str) -> Sign:
    return next(sign for sign in state.signs if sign.business == business)
