"""Imagined tables: a full state that a view's seat cannot tell from the true one.

Hidden cards are dealt at random, but only where the seat cannot rule them out (see `knowledge`):
a known card goes to a hand where it can be, a card that is in no pile since the last reshuffle goes
to a hand, and each hand gets as many of those as it has kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from services.games.filthy_rich.card_set import Card, Cards
from services.games.filthy_rich.knowledge import Kept, Known
from services.games.filthy_rich.state import Spied, State
from services.games.filthy_rich.view import View
from shared.chance import Chance
from shared.game import Seat

Hands = dict[Seat, list[Card]]


def resample(view: View, chance: Chance) -> State:
    """Some draws, under labels that this `chance` has not used yet."""
    hidden = _shuffled(view, chance)
    located = {fact.card for fact in view.known}
    pool = set(view.pool)
    old = [card for card in hidden if card not in located and card not in pool]
    new = [card for card in hidden if card not in located and card in pool]

    hands = _place_known(view, chance)
    for group in _groups(view):
        _fill(view, group, hands, old, new, chance)
    full = tuple(
        tuple(sorted(hands[seat])) if isinstance(hand, int) else hand
        for seat, hand in enumerate(view.hands)
    )
    return _state(view, full, tuple(sorted(new)))


def _shuffled(view: View, chance: Chance) -> Sequence[Card]:
    """Every card that the seat does not see, in random order."""
    seen = {
        *view.discard,
        *view.revealed,
        *(card for row in view.assets for card in row),
        *(sign.card for sign in view.signs),
        *(card for hand in view.hands if not isinstance(hand, int) for card in hand),
        view.action,
    }
    unseen = [card for card in view.cards.deck if card not in seen]
    return chance.shuffle(f"resample/{len(chance.draws)}", unseen)


def _groups(view: View) -> tuple[Kept, ...]:
    """The hidden hands, those together whose cards may have been exchanged."""
    if view.kept:
        return view.kept
    hidden = [seat for seat, hand in enumerate(view.hands) if isinstance(hand, int) and hand]
    return tuple(Kept((seat,), 0) for seat in hidden)


def _place_known(view: View, chance: Chance) -> Hands:
    """Each known card into a hand where it can be; the narrowest first, with a way back."""
    hands: Hands = {seat: [] for seat, hand in enumerate(view.hands) if isinstance(hand, int)}
    facts = sorted(view.known, key=lambda fact: len(fact.seats))
    turned = [_turned(fact, chance) for fact in facts]

    def place(at: int) -> bool:
        if at == len(facts):
            return _fits(view, hands)
        for seat in turned[at]:
            hands[seat].append(facts[at].card)
            if place(at + 1):
                return True
            hands[seat].pop()
        return False

    place(0)
    return hands


def _turned(fact: Known, chance: Chance) -> tuple[Seat, ...]:
    """The seats in an order that chance begins."""
    if len(fact.seats) == 1:
        return fact.seats
    start = chance.one(f"resample/{len(chance.draws)}", len(fact.seats))
    return fact.seats[start:] + fact.seats[:start]


def _fits(view: View, hands: Hands) -> bool:
    """Whether no hand is too full and no group holds more old or new cards than it can."""
    pool = set(view.pool)
    for group in _groups(view):
        room = sum(_size(view, seat) for seat in group.seats)
        cards = Counter(card in pool for seat in group.seats for card in hands[seat])
        if cards[False] > group.cards or cards[True] > room - group.cards:
            return False
    return all(len(hand) <= _size(view, seat) for seat, hand in hands.items())


def _size(view: View, seat: Seat) -> int:
    hand = view.hands[seat]
    return hand if isinstance(hand, int) else len(hand)


def _fill(
    view: View, group: Kept, hands: Hands, old: list[Card], new: list[Card], chance: Chance
) -> None:
    """Complete the hands of a group; takes the cards away from `old` and `new`."""
    pool = set(view.pool)
    placed = [card for seat in group.seats for card in hands[seat]]
    missing = sum(_size(view, seat) for seat in group.seats) - len(placed)
    of_old = group.cards - sum(card not in pool for card in placed)
    cards = _pop(old, of_old) + _pop(new, missing - of_old)
    if len(group.seats) > 1:
        cards = list(chance.shuffle(f"resample/{len(chance.draws)}", cards))
    for seat in group.seats:
        hands[seat] += _pop(cards, _size(view, seat) - len(hands[seat]))


def _pop(cards: list[Card], count: int) -> list[Card]:
    taken = cards[:count]
    del cards[:count]
    return taken


def _state(view: View, hands: tuple[Cards, ...], pile: Cards) -> State:
    return State(
        options=view.options,
        hands=hands,
        pile=pile,
        discard=view.discard,
        pool=view.pool,
        traces=view.traces,
        cash=view.cash,
        bank=view.bank,
        assets=view.assets,
        luxuries=view.luxuries,
        supply=view.supply,
        removed=view.removed,
        lots=view.lots,
        auction=view.auction,
        signs=view.signs,
        page=view.page,
        phase=view.phase,
        turn=view.turn,
        player=view.player,
        first=view.first,
        actions_left=view.actions_left,
        action=view.action,
        revealed=view.revealed,
        spied=_spied(view, hands),
        extra_dice=view.extra_dice,
        tax_holiday=view.tax_holiday,
        dice=view.dice,
        page_die=view.page_die,
        taxes_left=view.taxes_left,
        tax=view.tax,
        out=view.out,
        end=view.end,
    )


def _spied(view: View, hands: tuple[Cards, ...]) -> Spied | None:
    """Any card of the spy's hand may be the one taken."""
    if view.spied is None or view.spied.card is not None:
        return view.spied
    return replace(view.spied, card=hands[view.player][0])
