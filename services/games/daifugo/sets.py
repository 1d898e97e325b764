"""Sets: cards of one rank that can be played together (DF-6.1, 6.2), and what each one does.

There are fewer than 700, so all are made once and found by their cards.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from services.games.daifugo.cards import (
    EIGHT,
    JOKER,
    JOKER_SHIFT,
    RANK_MASK,
    RANKS,
    THREE,
    TWO,
    Cards,
    cards_of,
)


class CardSet(msgspec.Struct, frozen=True, gc=False):
    """A legal combination. `rank` is that of its natural cards, `JOKER` for jokers alone."""

    cards: Cards
    mask: int
    rank: int
    count: int
    clears: bool
    """It ends the trick at once (DF-8.1, 8.2)."""

    reverses: bool
    """It is a revolution (DF-9.1, 9.2)."""


def _set(mask: int, rank: int) -> CardSet:
    return CardSet(
        cards=cards_of(mask),
        mask=mask,
        rank=rank,
        count=mask.bit_count(),
        clears=rank == EIGHT or mask & RANK_MASK[JOKER] != 0,
        reverses=mask.bit_count() == 4,
    )


def _all_sets() -> Iterator[CardSet]:
    for jokers in range(4):
        for rank in range(JOKER):
            for suits in range(1, 16):
                if suits.bit_count() + jokers.bit_count() <= 4:
                    yield _set(suits << 4 * rank | jokers << JOKER_SHIFT, rank)
        if jokers:
            yield _set(jokers << JOKER_SHIFT, JOKER)


SETS: dict[Cards, CardSet] = {s.cards: s for s in _all_sets()}

STRONGEST = (TWO, THREE)
"""The strongest rank now, in normal order and in a revolution (DF-2.4)."""

FORBIDDEN_LAST: tuple[int, ...] = tuple(
    RANK_MASK[JOKER] | RANK_MASK[EIGHT] | RANK_MASK[rank] for rank in STRONGEST
)
"""Cards that no last play may contain, in normal order and in a revolution (DF-10.2)."""


ORDER: tuple[tuple[int, ...], ...] = (
    (*range(JOKER), JOKER),
    (*reversed(range(JOKER)), JOKER),
)
"""The ranks from weak to strong, in normal order and in a revolution (DF-2.3)."""

STRONGER: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
    tuple(order[order.index(rank) + 1 :] for rank in RANKS) for order in ORDER
)
"""`STRONGER[revolution][rank]`: the ranks that beat it, weakest first (DF-6.4, 6.5)."""
