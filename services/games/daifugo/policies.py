"""A plain way to play from the view alone: weak sets first, control kept for the end.

The weights were found by playing matches against random seats. Strength counts 0 for the weakest
rank up to 12 for the strongest, in the order in force.
"""

from __future__ import annotations

from collections.abc import Sequence

from services.games.daifugo.cards import EIGHT, JOKER, RANK_MASK, cards_of, mask_of, shown
from services.games.daifugo.moves import DaifugoMove, GiveCards, PlayCards
from services.games.daifugo.sets import FORBIDDEN_LAST, ORDER, SETS, CardSet
from services.games.daifugo.state import View
from shared.chance import Chance
from shared.game import Move, Template

GOES_OUT = 1000
STRANDED = -1000
"""Only cards would be left that may not be the last ones (DF-10.5)."""

LAST_STRETCH = 40
"""One set is left besides control: now spend everything to get the lead."""

EIGHT_COST = 14
JOKER_COST = 20
BROKEN_SET = 10
MORE_CARDS = 4
PASS_COST = 16
PASS_COST_LATE = 30
LATE = 3
"""Some other seat holds so few cards that waiting is dear."""


def greedy(
    view: View, moves: Sequence[DaifugoMove | Template[DaifugoMove]], chance: Chance
) -> DaifugoMove:
    """The first of the moves that are worth most; it draws nothing."""
    listed = (move for move in moves if isinstance(move, Move))  # this game has no templates
    return max(listed, key=lambda move: _worth(view, move))


def _worth(view: View, move: DaifugoMove) -> int:
    if isinstance(move, PlayCards):
        return _worth_of_play(view, _own_hand(view), SETS[move.cards])
    if isinstance(move, GiveCards):
        return _worth_of_gift(_own_hand(view), mask_of(move.cards))
    return -PASS_COST_LATE if _is_late(view) else -PASS_COST


def _worth_of_play(view: View, hand: int, laid: CardSet) -> int:
    left = hand & ~laid.mask
    if not left:
        return GOES_OUT
    revolution = view.revolution != laid.reverses
    finishers = _ranks(left & ~FORBIDDEN_LAST[revolution])
    if not finishers:
        return STRANDED
    cost = _cost(laid, view.revolution)
    if left & RANK_MASK[laid.rank]:
        cost += BROKEN_SET
    if finishers == 1:
        return LAST_STRETCH + (cost if laid.clears else -cost)
    return MORE_CARDS * (laid.count - 1) - cost


def _worth_of_gift(hand: int, gift: int) -> int:
    """Weak cards that stand alone are given first; eights, strong cards and sets are kept."""
    spent = sum(_cost(SETS[card,], revolution=False) for card in cards_of(gift))
    return -10 * _ranks(hand & ~gift) - spent


def _cost(laid: CardSet, revolution: bool) -> int:
    """The strength that a play spends."""
    joker = JOKER_COST if laid.mask & RANK_MASK[JOKER] else 0
    if laid.rank == JOKER:
        return joker
    return joker + (EIGHT_COST if laid.rank == EIGHT else ORDER[revolution].index(laid.rank))


def _ranks(hand: int) -> int:
    """How many natural ranks are in a hand, which is how many plays it takes at least."""
    return sum(1 for mask in RANK_MASK[:JOKER] if hand & mask)


def _own_hand(view: View) -> int:
    return 0 if view.seat is None else mask_of(shown(view.hands[view.seat]))


def _is_late(view: View) -> bool:
    others = (hand for seat, hand in enumerate(view.hands) if seat != view.seat)
    return any(isinstance(n, int) and 0 < n <= LATE for n in others)
