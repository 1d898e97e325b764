"""What is legal in Secrets, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from shared.chance import Chance
from shared.errors import IllegalMove, Unprocessable
from shared.game import Outcome, Seat
from tests.toys.secrets.types import (
    COINS,
    DECK,
    HAND,
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
    put,
    rank,
    sorted_hand,
    unseen,
    with_card,
)


def check_options(options: Options, seats: int) -> None:
    if seats not in SEATS:
        raise Unprocessable("match.seat-count", "This game has two to four seats.")


def initial(options: Options, seats: int) -> State:
    return State(
        auctions=options.auctions,
        hands=((),) * seats,
        given=(None,) * seats,
        coins=(COINS,) * seats,
    )


def open_match(state: State, chance: Chance) -> Sequence[AnyEvent]:
    """SEC-1."""
    dealt: list[AnyEvent] = []
    left = list(DECK)
    for number in range(HAND * len(state.hands)):
        card = chance.pick(f"deal/{number + 1}", left)
        left.remove(card)
        dealt.append(CardDealt(number % len(state.hands), card))
    return dealt


def active_seats(state: State) -> frozenset[Seat]:
    if not state.passed:
        return frozenset(seat for seat, card in enumerate(state.given) if card is None)
    return frozenset(() if state.turn is None else (state.turn,))


def legal_moves(state: State, seat: Seat) -> tuple[Any, ...]:
    if seat not in active_seats(state):
        return ()
    if not state.passed:  # SEC-2
        return tuple(GiveCard(card) for card in state.hands[seat])
    low, high = lowest_bid(state), state.coins[seat]  # SEC-3
    return (PassBid(), BidRange(low, high)) if low <= high else (PassBid(),)


def lowest_bid(state: State) -> int:
    return 1 if state.best is None else state.best[1] + 1


def check(state: State, seat: Seat, move: AnyMove) -> None:
    if seat not in active_seats(state):
        raise IllegalMove("secrets.not-your-turn", "SEC-3", "This seat has nothing to choose now.")
    if isinstance(move, GiveCard) == state.passed:
        raise IllegalMove("secrets.not-now", "SEC-2", "This cannot be done now.")
    match move:
        case GiveCard(card=card) if card not in state.hands[seat]:
            raise IllegalMove("secrets.not-yours", "SEC-2", "This card is not in the hand.")
        case Bid(coins=coins) if coins < lowest_bid(state):
            raise IllegalMove("secrets.too-low", "SEC-3", "The highest bid so far is not lower.")
        case Bid(coins=coins) if coins > state.coins[seat]:
            raise IllegalMove("secrets.too-poor", "SEC-3", "The seat does not have so many coins.")


def decide(state: State, seat: Seat, move: AnyMove, chance: Chance) -> Sequence[AnyEvent]:
    check(state, seat, move)
    match move:
        case GiveCard(card=card):
            return decide_give(state, seat, card)
        case Bid(coins=coins):
            return decide_bid(state, seat, coins, chance)
        case PassBid():
            return decide_bid(state, seat, None, chance)


def decide_give(state: State, seat: Seat, card: str) -> Sequence[AnyEvent]:
    """SEC-2."""
    given = put(state.given, seat, card)
    if None in given:
        return [CardChosen(seat, card)]
    return [CardChosen(seat, card), CardsPassed(given), AuctionOpened(0)]


def decide_bid(state: State, seat: Seat, coins: int | None, chance: Chance) -> Sequence[AnyEvent]:
    """SEC-3 and SEC-4."""
    if seat + 1 < len(state.hands):
        return [BidMade(seat, coins, seat + 1)]
    events: list[AnyEvent] = [BidMade(seat, coins, None)]
    hands, purse = state.hands, state.coins
    best = state.best if coins is None else (seat, coins)
    if best is not None:
        buyer, price = best
        card = chance.pick(f"draw/{state.drawn + 1}", unseen(state.hands))
        events.append(CardDrawn(buyer, price, card))
        hands = put(hands, buyer, sorted_hand((*hands[buyer], card)))
        purse = put(purse, buyer, purse[buyer] - price)
    if state.opened < state.auctions:
        return [*events, AuctionOpened(0)]
    scores = tuple(coins + sum(map(rank, hand)) for coins, hand in zip(purse, hands, strict=True))
    return [*events, HandsShown(hands, scores)]  # SEC-5


def time_out(state: State, seat: Seat, chance: Chance) -> Sequence[AnyEvent]:
    """SEC-6."""
    move = PassBid() if state.passed else GiveCard(state.hands[seat][0])
    return decide(state, seat, move, chance)


def evolve(state: State, event: AnyEvent) -> State:
    match event:
        case CardDealt(seat=seat, card=card):
            return replace(state, hands=put(state.hands, seat, with_card(state, seat, card)))
        case CardChosen(seat=seat, card=card):
            return replace(state, given=put(state.given, seat, card))
        case CardsPassed(cards=cards):
            hands = tuple(
                sorted_hand((*(c for c in hand if c != cards[seat]), cards[seat - 1]))
                for seat, hand in enumerate(state.hands)
            )
            return replace(state, hands=hands, passed=True)
        case AuctionOpened(turn=turn):
            return replace(state, turn=turn, best=None, opened=state.opened + 1)
        case BidMade(coins=None, turn=turn):
            return replace(state, turn=turn)
        case BidMade(seat=seat, coins=coins, turn=turn):
            return replace(state, turn=turn, best=(seat, coins))
        case CardDrawn(seat=seat, coins=coins, card=card):
            return replace(
                state,
                hands=put(state.hands, seat, with_card(state, seat, card)),
                coins=put(state.coins, seat, state.coins[seat] - coins),
                bank=state.bank + coins,
                drawn=state.drawn + 1,
            )
        case HandsShown(scores=scores):
            return replace(state, scores=scores)


def preview(view: View, move: AnyMove) -> dict[str, Any]:
    return {"costs_at_most": move.coins} if isinstance(move, Bid) else {}


def outcome(state: State) -> Outcome | None:
    if not state.scores:
        return None
    places = sorted(set(state.scores), reverse=True)
    ranking = tuple(
        tuple(seat for seat, score in enumerate(state.scores) if score == place) for place in places
    )
    return Outcome(ranking, state.scores, "all_sold")


def conserved(state: State) -> dict[str, int]:
    held = sum(map(len, state.hands))
    return {"cards": held + len(unseen(state.hands)), "coins": sum(state.coins) + state.bank}
