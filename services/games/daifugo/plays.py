"""Every move as a ready object: making them anew at each turn would cost more than the rules."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from services.games.daifugo.cards import CARDS, JOKER_SHIFT, RANK_MASK, RANKS, Cards, cards_of
from services.games.daifugo.moves import GiveCards, PlayCards
from services.games.daifugo.sets import SETS

PLAYS = tuple((s, PlayCards(cards=s.cards)) for s in SETS.values())
GIFTS = {cards: GiveCards(cards=cards) for k in (1, 2) for cards in combinations(CARDS, k)}

ANY_COUNT = 0

Row = tuple[tuple[PlayCards, ...], ...]


def _rows(count: int, jokers: int) -> tuple[Row, ...]:
    """For each rank and each set of its suits: the plays, fewest cards first."""
    fitting = sorted(
        ((s, play) for s, play in PLAYS if count in (ANY_COUNT, s.count)),
        key=lambda pair: pair[0].count,
    )
    rows = []
    for rank in RANKS:
        of_rank = [(s, play) for s, play in fitting if s.rank == rank]
        held = [suits << 4 * rank & RANK_MASK[rank] | jokers << JOKER_SHIFT for suits in range(16)]
        rows.append(tuple(tuple(p for s, p in of_rank if not s.mask & ~hand) for hand in held))
    return tuple(rows)


_TABLE = tuple(tuple(_rows(count, jokers) for jokers in range(4)) for count in range(5))


def plays(hand: int, count: int, ranks: Iterable[int]) -> list[PlayCards]:
    """All sets of these ranks in a hand, with `count` cards or `ANY_COUNT`."""
    rows = _TABLE[count][hand >> JOKER_SHIFT]
    found: list[PlayCards] = []
    for rank in ranks:
        suits = hand >> 4 * rank & 15
        if suits:
            found += rows[rank][suits]
    return found


def gifts(hand: int, count: int) -> tuple[GiveCards, ...]:
    """All ways to give `count` cards of a hand."""
    chosen: Iterable[Cards] = combinations(cards_of(hand), count)
    return tuple(map(GIFTS.__getitem__, chosen))
