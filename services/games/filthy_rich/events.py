"""What happened. `decide` writes all consequences down, so that folding needs no rule.

Money changes by `MoneyPaid` alone. A field of type `Card | None` or `Cards | int` holds the card or
cards in the log, and `None` or their number where a seat may not see them.
"""

from __future__ import annotations

from typing import Literal

from services.games.filthy_rich.card_set import Card, Cards, Slots
from services.games.filthy_rich.state import Reason
from shared.game import Event, Seat

Why = Literal[
    "rich_uncle",
    "protection_racket",
    "luxury",
    "discard",
    "business",
    "compensation",
    "asset",
    "loan",
    "repayment",
    "takeover",
    "insurance_payout",
    "passing_the_hat",
    "hit",
    "tribute",
    "flashing_neon",
    "street_vendor",
    "tax_income",
    "sale",
    "tax",
    "estate",
    "auction",
]
"""What a payment is for."""


class HandsDealt(Event, frozen=True, tag="filthy_rich.hands_dealt", gc=False):
    """The opening hands by seat (FR-2.2)."""

    hands: tuple[Cards | int, ...]


class FirstPlayerDrawn(Event, frozen=True, tag="filthy_rich.first_player_drawn", gc=False):
    """Who has the first turn (FR-2.6)."""

    seat: Seat


class TurnBegan(Event, frozen=True, tag="filthy_rich.turn_began", gc=False):
    """A turn begins (P0); turns are counted from 1."""

    turn: int
    seat: Seat


class MoneyPaid(Event, frozen=True, tag="filthy_rich.money_paid", gc=False):
    """`payer` paid `payee` so many dollars; `None` is the bank."""

    payer: Seat | None
    payee: Seat | None
    amount: int
    why: Why


class LuxuryBought(Event, frozen=True, tag="filthy_rich.luxury_bought", gc=False):
    """A luxury of the supply went to the turn player (FR-4.3)."""

    seat: Seat
    luxury: str


class LuxurySkipped(Event, frozen=True, tag="filthy_rich.luxury_skipped", gc=False):
    """The turn player bought none."""

    seat: Seat


class CardDiscarded(Event, frozen=True, tag="filthy_rich.card_discarded", gc=False):
    """An action was used to discard a card (FR-5.1)."""

    seat: Seat
    card: Card


class BusinessOpened(Event, frozen=True, tag="filthy_rich.business_opened", gc=False):
    """An action was used to open a business (FR-5.2)."""

    seat: Seat
    card: Card
    business: str
    page: int
    slots: Slots


class AssetPlayed(Event, frozen=True, tag="filthy_rich.asset_played", gc=False):
    """An action was used to lay down an asset (FR-5.3)."""

    seat: Seat
    card: Card


class ActionPlayed(Event, frozen=True, tag="filthy_rich.action_played", gc=False):
    """An action card left the hand and is being carried out (FR-5.5)."""

    seat: Seat
    card: Card
    target: Seat | None = None
    business: str | None = None


class ActionFinished(Event, frozen=True, tag="filthy_rich.action_finished", gc=False):
    """The action card, and what it revealed, went to the discard pile; one action is used."""

    card: Card


class ActionSkipped(Event, frozen=True, tag="filthy_rich.action_skipped", gc=False):
    """No card in hand, so the action is skipped (FR-4.6)."""

    seat: Seat


class DiceChanged(Event, frozen=True, tag="filthy_rich.dice_changed", gc=False):
    """So many business dice more are rolled this turn; negative for fewer (FR-6.1)."""

    by: int


class TaxesSuspended(Event, frozen=True, tag="filthy_rich.taxes_suspended", gc=False):
    """The 10s of this turn's roll have no effect (Tax Holiday)."""


class PageOpened(Event, frozen=True, tag="filthy_rich.page_opened", gc=False):
    """A card opened another page (Street Fair)."""

    page: int


class BusinessTakenOver(Event, frozen=True, tag="filthy_rich.business_taken_over", gc=False):
    """A business has another owner now; its sign stays (Hostile Takeover)."""

    seat: Seat
    business: str
    owner_before: Seat


class SignMoved(Event, frozen=True, tag="filthy_rich.sign_moved", gc=False):
    """A sign has another place now (Moving Day)."""

    business: str
    page: int
    slots: Slots


class CardRevealed(Event, frozen=True, tag="filthy_rich.card_revealed", gc=False):
    """A Business Scout revealed a card of the draw pile (RE-8)."""

    card: Card


class CardScouted(Event, frozen=True, tag="filthy_rich.card_scouted", gc=False):
    """The business card that was revealed went into the hand, before all eyes."""

    seat: Seat
    card: Card


class CardTaken(Event, frozen=True, tag="filthy_rich.card_taken", gc=False):
    """Industrial Espionage: `seat` has a card out of the target's hand (RE-7)."""

    seat: Seat
    target: Seat
    card: Card | None


class CardGiven(Event, frozen=True, tag="filthy_rich.card_given", gc=False):
    """Industrial Espionage: the target got a card of `seat` in return."""

    seat: Seat
    target: Seat
    card: Card | None


class BusinessSold(Event, frozen=True, tag="filthy_rich.business_sold", gc=False):
    """A business left the game board: its card to the discard pile, its sign to the supply."""

    seat: Seat
    card: Card
    business: str


class LoanRepaid(Event, frozen=True, tag="filthy_rich.loan_repaid", gc=False):
    """A repaid loan went to the discard pile."""

    seat: Seat
    card: Card


class DiceRolled(Event, frozen=True, tag="filthy_rich.dice_rolled", gc=False):
    """The business dice in order, and how many tax procedures will follow (FR-6.1, 7.1)."""

    dice: tuple[int, ...]
    taxes: int


class BusinessHit(Event, frozen=True, tag="filthy_rich.business_hit", gc=False):
    """Die number `die`, counted from 1, hit the business seen at a slot (FR-6.3)."""

    die: int
    slot: int
    business: str
    owner: Seat


class TaxBegan(Event, frozen=True, tag="filthy_rich.tax_began", gc=False):
    """A tax procedure; the participants in order, and how many more will follow it."""

    order: tuple[Seat, ...]
    left: int


class SalesEnded(Event, frozen=True, tag="filthy_rich.sales_ended", gc=False):
    """A participant sells no more; `next` decides now, `None` if all have (FR-7.4)."""

    seat: Seat
    next: Seat | None


class SeatKnockedOut(Event, frozen=True, tag="filthy_rich.seat_knocked_out", gc=False):
    """A player is out: the cards went to the discard pile, the luxuries wait (FR-11.2).

    `cards` are the hand and all that lay in front of the player but the luxuries, which are listed
    in order of their auction.
    """

    seat: Seat
    cards: Cards
    luxuries: tuple[str, ...]


class TaxEnded(Event, frozen=True, tag="filthy_rich.tax_ended", gc=False):
    """All participants have paid or are out (FR-7.7)."""


class AuctionOpened(Event, frozen=True, tag="filthy_rich.auction_opened", gc=False):
    """A luxury is auctioned; `speaker` is the first to speak (FR-12.2)."""

    luxury: str
    loser: Seat
    speaker: Seat


class BidMade(Event, frozen=True, tag="filthy_rich.bid_made", gc=False):
    """The highest bid so far; `next` speaks now."""

    seat: Seat
    amount: int
    next: Seat


class BidPassed(Event, frozen=True, tag="filthy_rich.bid_passed", gc=False):
    """No bid; `automatic` where the seat could not bid (FR-12.3).

    `next` speaks now; `None` if the auction is over.
    """

    seat: Seat
    automatic: bool
    next: Seat | None


class AuctionWon(Event, frozen=True, tag="filthy_rich.auction_won", gc=False):
    """The highest bidder got the luxury (FR-12.5)."""

    seat: Seat
    luxury: str


class LuxuryRemoved(Event, frozen=True, tag="filthy_rich.luxury_removed", gc=False):
    """Nobody bid: the luxury is out of the game (FR-12.5)."""

    luxury: str


class PageRolled(Event, frozen=True, tag="filthy_rich.page_rolled", gc=False):
    """The page die, and the page that is open now (FR-9.1)."""

    die: int
    page: int


class PileReshuffled(Event, frozen=True, tag="filthy_rich.pile_reshuffled", gc=False):
    """The whole discard pile, so many cards, became the draw pile (FR-10.2)."""

    cards: int


class CardDrawn(Event, frozen=True, tag="filthy_rich.card_drawn", gc=False):
    """The turn player drew a card at the end of the turn (FR-10.1)."""

    seat: Seat
    card: Card | None


class GameEnded(Event, frozen=True, tag="filthy_rich.game_ended", gc=False):
    """The game is over (FR-11.9); `winner` is `None` by the turn limit."""

    reason: Reason
    winner: Seat | None


RichEvent = (
    HandsDealt
    | FirstPlayerDrawn
    | TurnBegan
    | MoneyPaid
    | LuxuryBought
    | LuxurySkipped
    | CardDiscarded
    | BusinessOpened
    | AssetPlayed
    | ActionPlayed
    | ActionFinished
    | ActionSkipped
    | DiceChanged
    | TaxesSuspended
    | PageOpened
    | BusinessTakenOver
    | SignMoved
    | CardRevealed
    | CardScouted
    | CardTaken
    | CardGiven
    | BusinessSold
    | LoanRepaid
    | DiceRolled
    | BusinessHit
    | TaxBegan
    | SalesEnded
    | SeatKnockedOut
    | TaxEnded
    | AuctionOpened
    | BidMade
    | BidPassed
    | AuctionWon
    | LuxuryRemoved
    | PageRolled
    | PileReshuffled
    | CardDrawn
    | GameEnded
)
