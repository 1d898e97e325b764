"""A small game of hidden cards: what the laws on secrets and open-ended moves can bite on.

SEC-1  2 to 4 seats, twelve cards `K1` to `K12`, ten coins a seat. Each seat is dealt two cards that
       only it sees. Draws: `deal/*`, a card.
SEC-2  All seats choose at the same time and in secret a card for the neighbour on the left (the
       next seat). When all have chosen, the cards change hands; giver and receiver know them.
SEC-3  Then cards of the pile are sold, `auctions` of them, one after the other. Each seat in turn,
       from seat 0 on, bids more than the highest bid so far or passes.
SEC-4  The highest bidder pays its bid to the bank and draws a card that only it sees. Nobody pays
       where nobody bids. Draws: `draw/*`, a card.
SEC-5  At the end all hands are shown. A seat scores its coins and the numbers of its cards.
SEC-6  Who does not choose in time gives its lowest card; who does not bid in time passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shared.chance import Chance, Draw
from shared.game import Game, Policy, Text
from tests.toys.secrets import hidden, rules
from tests.toys.secrets.types import (
    DECK,
    SEATS,
    AnyEvent,
    AnyMove,
    AuctionOpened,
    Bid,
    BidMade,
    BidRange,
    CardChosen,
    CardDealt,
    CardDrawn,
    CardsPassed,
    GiveCard,
    HandsShown,
    Options,
    PassBid,
    State,
    View,
)


def greedy(view: View, moves: Sequence[Any], chance: Chance) -> AnyMove:
    """Gives its lowest card; bids the least that it can, up to 6 coins."""
    last = moves[-1]
    if isinstance(last, BidRange):
        return Bid(last.low) if last.low <= 6 else PassBid()
    return moves[0]


GAME: Game[Options, State, View, AnyMove, AnyEvent] = Game(
    slug="secrets",
    name=Text("Secrets", "ひみつ"),
    rules=1,
    seats=SEATS,
    options_type=Options,
    state_type=State,
    view_type=View,
    move_types=(GiveCard, Bid, PassBid),
    event_types=(
        CardDealt,
        CardChosen,
        CardsPassed,
        BidMade,
        CardDrawn,
        AuctionOpened,
        HandsShown,
    ),
    template_types=(BidRange,),
    outcome_reasons=frozenset({"all_sold"}),
    texts={
        "secrets.not-your-turn": Text("Not your turn", "手番ではありません"),
        "secrets.not-now": Text("Not now", "今はできません"),
        "secrets.not-yours": Text("Not your card", "手札にありません"),
        "secrets.too-low": Text("Bid too low", "入札額が低すぎます"),
        "secrets.too-poor": Text("Not enough coins", "コインが足りません"),
        "give_card": Text("Give a card", "札を渡す"),
        "bid": Text("Bid", "入札する"),
        "pass_bid": Text("Pass", "パス"),
        "secrets.card_dealt": Text("Card dealt", "札が配られた"),
        "secrets.card_chosen": Text("Card chosen", "札が選ばれた"),
        "secrets.cards_passed": Text("Cards passed", "札が渡された"),
        "secrets.bid_made": Text("Bid made", "入札があった"),
        "secrets.card_drawn": Text("Card drawn", "札が引かれた"),
        "secrets.auction_opened": Text("Auction opened", "競りが始まった"),
        "secrets.hands_shown": Text("Hands shown", "手札が公開された"),
    },
    max_moves=lambda options, seats: seats * (1 + options.auctions),
    draws=lambda options, seats: (
        Draw("deal/*", "pick", of=DECK),
        Draw("draw/*", "pick", of=DECK),
    ),
    check_options=rules.check_options,
    initial=rules.initial,
    open=rules.open_match,
    active_seats=rules.active_seats,
    legal_moves=rules.legal_moves,
    check=rules.check,
    decide=rules.decide,
    time_out=rules.time_out,
    evolve=rules.evolve,
    view=hidden.view,
    redact=hidden.redact,
    resample=hidden.resample,
    preview=rules.preview,
    outcome=rules.outcome,
    conserved=rules.conserved,
    policies={"greedy": Policy(choose=greedy)},
)
