"""Imagined tables: a full state that a view's seat cannot tell from the true one.

Hidden cards are dealt at random, but a hand gets only what the seat cannot rule out: cards that
it knows to be elsewhere stay there; what a poorer player kept is weaker than what they had to give
(DF-4.1); a leader whose lead passed holds a forbidden last card (DF-10.4b). What the others'
choices might reveal is not weighed.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from services.games.daifugo.cards import (
    ANY_CARD,
    BIT,
    DECK,
    cards_of,
    mask_of,
    number_of,
    shown,
    strongest,
)
from services.games.daifugo.sets import FORBIDDEN_LAST
from services.games.daifugo.state import Exchange, State, View
from shared.chance import Chance
from shared.game import Seat


def resample(view: View, chance: Chance) -> State:
    """One draw, under a label that this `chance` has not used yet."""
    hands = [
        mask_of(known if isinstance(hand, int) else hand)
        for hand, known in zip(view.hands, view.known, strict=True)
    ]
    laid = mask_of(card for play in view.played + view.trick for card in play.cards)
    unseen = cards_of(mask_of(DECK) & ~laid & ~sum(hands))
    shuffled = [BIT[card] for card in chance.shuffle(f"resample/{len(chance.draws)}", unseen)]

    rest = _fill(view, hands, shuffled)
    exchanges = tuple(_exchange(view, exchange, hands, shuffled) for exchange in view.exchanges)
    return State(
        options=view.options,
        hands=tuple(hands),
        undealt=sum(rest),
        totals=view.totals,
        round=view.round,
        phase=view.phase,
        dealer=view.dealer,
        turn=view.turn,
        start_card=view.start_card,
        revolution=view.revolution,
        trick=view.trick,
        played=view.played,
        passes=view.passes,
        finished=view.finished,
        exchanges=exchanges,
        lead_passes=view.lead_passes,
        results=view.results,
    )


def _fill(view: View, hands: list[int], cards: Sequence[int]) -> list[int]:
    """Complete the hands in place; gives back the cards that are not dealt."""
    missing = [
        (seat, _possible(view, seat))
        for seat, hand in enumerate(view.hands)
        if isinstance(hand, int)
        for _ in range(hand - hands[seat].bit_count())
    ]
    bound = [(seat, possible) for seat, possible in missing if possible != ANY_CARD]
    owner = _match([possible for _, possible in bound], cards)
    for card, slot in owner.items():
        hands[bound[slot][0]] |= card

    free = [seat for seat, possible in missing if possible == ANY_CARD]
    rest = [card for card in cards if card not in owner]
    for seat, card in zip(free, rest, strict=False):  # what is over is not dealt
        hands[seat] |= card
    return rest[len(free) :]


def _possible(view: View, seat: Seat) -> int:
    """What the unseen cards in this hand can be."""
    possible = ANY_CARD
    for exchange in view.exchanges:
        if (exchange.poor, exchange.rich) == (seat, view.seat):
            taken = mask_of(shown(exchange.taken))
            possible &= (taken & -taken) - 1  # all weaker than the weakest taken
    for passed in view.lead_passes:
        if passed.seat == seat:
            possible &= FORBIDDEN_LAST[passed.revolution]
    return possible


def _match(slots: Sequence[int], cards: Sequence[int]) -> dict[int, int]:
    """A card for every slot, each from the slot's set: augmenting paths (Kuhn).

    A solution exists, as the true table is one. Maps card to slot.
    """
    owner: dict[int, int] = {}

    def settle(slot: int, tried: set[int]) -> bool:
        fitting = [card for card in cards if card & slots[slot] and card not in tried]
        for card in sorted(fitting, key=owner.__contains__):  # free ones first
            tried.add(card)
            if card not in owner or settle(owner[card], tried):
                owner[card] = slot
                return True
        return False

    for slot in range(len(slots)):
        settle(slot, set())
    return owner


def _exchange(
    view: View, exchange: Exchange, hands: list[int], shuffled: Sequence[int]
) -> Exchange:
    """An exchange between others, imagined so that it fits the hands.

    While the richer seat still chooses, it holds the poorer one's strongest cards, so these are
    moved now. Later any hands are possible: the strongest cards may have been given back.
    """
    poor, rich = exchange.poor, exchange.rich
    if view.seat in (poor, rich):
        return exchange
    count = number_of(exchange.taken)
    if exchange.given is None:
        back = sum([card for card in shuffled if card & hands[rich]][:count])
        pool = hands[poor] | back
        taken = strongest(pool, count)
        hands[poor] = pool & ~mask_of(taken)
        hands[rich] = hands[rich] & ~back | mask_of(taken)
        return replace(exchange, taken=taken)
    laid = mask_of(c for play in view.played + view.trick if play.seat == poor for c in play.cards)
    returned = strongest(hands[poor] | laid, count)
    return replace(exchange, taken=returned, given=returned)
