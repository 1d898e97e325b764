"""What a legal move surely brings, for people's clients."""

from __future__ import annotations

from typing import Any

from services.games.daifugo.cards import mask_of, shown
from services.games.daifugo.moves import DaifugoMove, GiveCards, PlayCards
from services.games.daifugo.sets import FORBIDDEN_LAST, SETS
from services.games.daifugo.state import View


def preview(view: View, move: DaifugoMove) -> dict[str, Any]:
    """Facts for the view's own seat.

    Always `cards_left`. Of a play also `clears`, `revolution` (it turns the order round),
    `goes_out`, and the warning `leaves_only_forbidden`: none of the cards left may be a last card
    in the order then in force (DF-10.5).
    """
    if view.seat is None:
        raise ValueError("a spectator has no moves")
    hand = mask_of(shown(view.hands[view.seat]))
    if isinstance(move, GiveCards):
        return {"cards_left": hand.bit_count() - len(move.cards)}
    if not isinstance(move, PlayCards):
        return {"cards_left": hand.bit_count()}
    laid = SETS[move.cards]
    left = hand & ~laid.mask
    may_end = ~FORBIDDEN_LAST[view.revolution != laid.reverses]
    return {
        "cards_left": left.bit_count(),
        "clears": laid.clears,
        "revolution": laid.reverses,
        "goes_out": not left,
        "leaves_only_forbidden": bool(left) and not left & may_end,
    }
