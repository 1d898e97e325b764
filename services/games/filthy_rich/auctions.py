"""The auction of a knocked-out player's luxuries (FR-12)."""

from __future__ import annotations

from services.games.filthy_rich.events import (
    AuctionOpened,
    AuctionWon,
    BidMade,
    BidPassed,
    GameEnded,
    LuxuryRemoved,
)
from services.games.filthy_rich.state import Auction, State, active
from services.games.filthy_rich.story import BANK, Story
from shared.game import Seat

LUXURIES_TO_WIN = 3  # FR-1.2


def open_auction(story: Story) -> None:
    """The next lot; first to speak is the first active player left of the loser (FR-12.2)."""
    state, lot = story.state, story.state.lots[0]
    speaker = active(state.out, len(state.hands), lot.loser + 1)[0]
    story.tell(AuctionOpened(lot.luxury, lot.loser, speaker))


def lowest_bid(state: State, auction: Auction) -> int:
    """At least the printed price, and more than the highest bid (FR-12.3)."""
    if auction.best:
        return auction.best.amount + 1
    return state.cards.luxuries[state.lots[0].luxury].price


def can_bid(state: State, auction: Auction) -> bool:
    """Whether the speaker has the money for a bid (FR-12.3)."""
    return auction.speaker is not None and lowest_bid(state, auction) <= state.cash[auction.speaker]


def make_bid(story: Story, seat: Seat, amount: int) -> None:
    """The seat is the highest bidder; the others speak in turn (FR-12.5)."""
    story.tell(BidMade(seat, amount, _next(story.state, seat)))


def pass_bid(story: Story, seat: Seat, *, automatic: bool) -> None:
    """The auction ends when all who could still outbid have passed in a row (FR-12.5)."""
    state, auction = story.state, _running(story.state)
    speakers = len(state.hands) - len(state.out) - (auction.best is not None)
    last = auction.passes + 1 == speakers
    story.tell(BidPassed(seat, automatic, None if last else _next(state, seat)))


def _next(state: State, seat: Seat) -> Seat:
    """The next active player clockwise.

    It is never the highest bidder: when the turn comes round to her, all others have passed.
    """
    return active(state.out, len(state.hands), seat + 1)[0]


def _running(state: State) -> Auction:
    return state.auction or Auction(None)


def pass_automatically(story: Story) -> None:
    """The speaker cannot bid and is not asked (FR-12.3)."""
    speaker = _running(story.state).speaker
    if speaker is not None:
        pass_bid(story, speaker, automatic=True)


def close_auction(story: Story) -> None:
    """The highest bidder pays and takes the card; without a bid it leaves the game (FR-12.5)."""
    best, luxury = _running(story.state).best, story.state.lots[0].luxury
    if best is None:
        story.tell(LuxuryRemoved(luxury))
        return
    story.pay(best.seat, BANK, best.amount, "auction")
    story.tell(AuctionWon(best.seat, luxury))
    if len(story.state.luxuries[best.seat]) == LUXURIES_TO_WIN:
        story.tell(GameEnded("auction", best.seat))  # FR-11.4
