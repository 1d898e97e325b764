"""Folding: what each event makes true. No rule is here; the event says all that follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from services.games.filthy_rich import events as e
from services.games.filthy_rich import fold_cards as cards
from services.games.filthy_rich import fold_turns as turns
from services.games.filthy_rich.events import RichEvent
from services.games.filthy_rich.state import State


def fold(state: State, events: Iterable[RichEvent]) -> State:
    """The state after these events."""
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: State, event: RichEvent) -> State:
    """The state after one event."""
    return FOLDS[type(event)](state, event)


FOLDS: dict[type, Callable[[State, Any], State]] = {
    e.HandsDealt: cards.hands_dealt,
    e.FirstPlayerDrawn: turns.first_player_drawn,
    e.TurnBegan: turns.turn_began,
    e.MoneyPaid: turns.money_paid,
    e.LuxuryBought: turns.luxury_bought,
    e.LuxurySkipped: turns.luxury_skipped,
    e.CardDiscarded: cards.card_discarded,
    e.BusinessOpened: cards.business_opened,
    e.AssetPlayed: cards.asset_played,
    e.ActionPlayed: cards.action_played,
    e.ActionFinished: cards.action_finished,
    e.ActionSkipped: turns.action_skipped,
    e.DiceChanged: turns.dice_changed,
    e.TaxesSuspended: turns.taxes_suspended,
    e.PageOpened: turns.page_opened,
    e.BusinessTakenOver: cards.business_taken_over,
    e.SignMoved: cards.sign_moved,
    e.CardRevealed: cards.card_revealed,
    e.CardScouted: cards.card_scouted,
    e.CardTaken: cards.card_taken,
    e.CardGiven: cards.card_given,
    e.BusinessSold: cards.business_sold,
    e.LoanRepaid: cards.loan_repaid,
    e.DiceRolled: turns.dice_rolled,
    e.BusinessHit: turns.business_hit,
    e.TaxBegan: turns.tax_began,
    e.SalesEnded: turns.sales_ended,
    e.SeatKnockedOut: cards.seat_knocked_out,
    e.TaxEnded: turns.tax_ended,
    e.AuctionOpened: turns.auction_opened,
    e.BidMade: turns.bid_made,
    e.BidPassed: turns.bid_passed,
    e.AuctionWon: turns.auction_won,
    e.LuxuryRemoved: turns.luxury_removed,
    e.PageRolled: turns.page_rolled,
    e.PileReshuffled: cards.pile_reshuffled,
    e.CardDrawn: cards.card_drawn,
    e.GameEnded: turns.game_ended,
}
"""One function an event; a test holds the table complete (38 cases in one `match` read badly)."""
