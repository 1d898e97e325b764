"""A plain way to play from the view alone: weak sets first, control kept for the end.

The weights were found by playing matches against random seats. Strength counts 0 for the weakest
rank up to 12 for the strongest, in the order in force.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from services.games.daifugo.cards import EIGHT, JOKER, RANK_MASK, cards_of, mask_of, shown
from services.games.daifugo.moves import DaifugoMove, GiveCards, PlayCards
from services.games.daifugo.sets import FORBIDDEN_LAST, ORDER, SETS, CardSet
from services.games.daifugo.state import State, View
from shared.chance import Chance
from shared.game import Move, Seat, Template

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

ONE_A_RANK = sum(mask & -mask for mask in RANK_MASK[:JOKER])
"""The lowest bit of every natural rank."""


class Holding(NamedTuple):
    """What the choice depends on: the own cards, the order in force, and whether time is short."""

    hand: int
    revolution: bool
    late: bool


def greedy(
    view: View, moves: Sequence[DaifugoMove | Template[DaifugoMove]], chance: Chance
) -> DaifugoMove:
    """The first of the moves that are worth most; it draws nothing."""
    return _best(holding(view), moves)


def greedy_at(
    state: State, seat: Seat, moves: Sequence[DaifugoMove | Template[DaifugoMove]], chance: Chance
) -> DaifugoMove:
    """What `greedy` chooses, without a view: for imagined states, which hide nothing."""
    numbers = [hand.bit_count() for hand in state.hands]
    return _best(Holding(state.hands[seat], state.revolution, _is_late(numbers, seat)), moves)


def holding(view: View) -> Holding:
    """What the choice of the view's seat depends on."""
    numbers = [hand if isinstance(hand, int) else len(hand) for hand in view.hands]
    hand = 0 if view.seat is None else mask_of(shown(view.hands[view.seat]))
    return Holding(hand, view.revolution, _is_late(numbers, view.seat))


def _is_late(numbers: Sequence[int], own: Seat | None) -> bool:
    return any(0 < n <= LATE for seat, n in enumerate(numbers) if seat != own)


def _best(held: Holding, moves: Sequence[DaifugoMove | Template[DaifugoMove]]) -> DaifugoMove:
    listed = (move for move in moves if isinstance(move, Move))  # this game has no templates
    return max(listed, key=lambda move: worth(held, move))


def worth(held: Holding, move: DaifugoMove) -> int:
    """How good `greedy` takes a move to be; only the order of these numbers means something."""
    if isinstance(move, PlayCards):
        return _worth_of_play(held, SETS[move.cards])
    if isinstance(move, GiveCards):
        return _worth_of_gift(held.hand, mask_of(move.cards))
    return -PASS_COST_LATE if held.late else -PASS_COST


def _worth_of_play(held: Holding, laid: CardSet) -> int:
    left = held.hand & ~laid.mask
    if not left:
        return GOES_OUT
    revolution = held.revolution != laid.reverses
    finishers = _ranks(left & ~FORBIDDEN_LAST[revolution])
    if not finishers:
        return STRANDED
    cost = _cost(laid, held.revolution)
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
    ones = hand | hand >> 1
    return ((ones | ones >> 2) & ONE_A_RANK).bit_count()
