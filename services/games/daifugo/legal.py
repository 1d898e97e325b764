"""Who must act and what is legal (DF-4, DF-6, DF-7, DF-10).

`legal_moves` lists exactly what `check` accepts; the tests hold the two together.
"""

from __future__ import annotations

from services.games.daifugo.cards import Cards, mask_of, number_of
from services.games.daifugo.moves import PASS, DaifugoMove, GiveCards, PlayCards
from services.games.daifugo.plays import ANY_COUNT, gifts, plays
from services.games.daifugo.sets import FORBIDDEN_LAST, ORDER, SETS, STRONGER, CardSet
from services.games.daifugo.state import SEATS, Exchange, State, owed, required_card
from shared.errors import IllegalMove
from shared.game import Seat

NOBODY: frozenset[Seat] = frozenset()
ALONE = tuple(frozenset((seat,)) for seat in range(SEATS[-1] + 1))


def active_seats(state: State) -> frozenset[Seat]:
    """The one whose turn it is, or everybody who has still to choose a gift."""
    if state.phase == "exchange":
        return frozenset(e.rich for e in state.exchanges if e.given is None)
    return NOBODY if state.turn is None else ALONE[state.turn]


def legal_moves(state: State, seat: Seat) -> tuple[DaifugoMove, ...]:
    """A follower's pass, then plays from weak to strong; it depends on what the seat can see."""
    if seat not in active_seats(state):
        return ()
    if state.phase == "exchange":
        return gifts(state.hands[seat], number_of(owed(state, seat).taken))
    hand = state.hands[seat]
    if state.trick:
        field = SETS[state.trick[-1].cards]
        found = plays(hand, field.count, STRONGER[state.revolution][field.rank])
    else:
        found = plays(hand, ANY_COUNT, ORDER[state.revolution])
        required = required_card(state)
        if required:
            found = [play for play in found if required in play.cards]
    if hand.bit_count() <= 4 and hand & FORBIDDEN_LAST[state.revolution]:
        found = [play for play in found if SETS[play.cards].mask != hand]  # DF-10.2
    return (PASS, *found) if state.trick else tuple(found)


def check(state: State, seat: Seat, move: DaifugoMove) -> None:
    """Raises `IllegalMove` where the rules forbid the move."""
    if seat not in active_seats(state):
        rule = "DF-4.3" if state.phase == "exchange" else "DF-7.1"
        raise IllegalMove("daifugo.not-asked", rule, "You have nothing to decide now.")
    if state.phase == "exchange":
        _check_gift(owed(state, seat), state.hands[seat], move)
    elif isinstance(move, PlayCards):
        _check_play(state, state.hands[seat], move.cards)
    elif isinstance(move, GiveCards):
        raise IllegalMove("daifugo.no-exchange-now", "DF-4.1", "Cards are given before the lead.")
    elif not state.trick:
        raise IllegalMove("daifugo.leader-must-play", "DF-7.3", "The leader can't pass.")


def _check_gift(exchange: Exchange, hand: int, move: DaifugoMove) -> None:
    if not isinstance(move, GiveCards):
        raise IllegalMove("daifugo.exchange-first", "DF-4.1", "First choose the cards to give.")
    _check_held(hand, move.cards, "DF-4.3")
    count = number_of(exchange.taken)
    if len(move.cards) != count:
        raise IllegalMove("daifugo.wrong-gift-count", "DF-4.1", f"Cards to give: {count}.")


def _check_held(hand: int, cards: Cards, rule: str) -> None:
    if len(set(cards)) != len(cards):
        raise IllegalMove("daifugo.duplicate-card", "DF-2.2", "A card can be named only once.")
    if mask_of(cards) & ~hand:
        raise IllegalMove("daifugo.card-not-held", rule, "You don't hold all of these cards.")


def _check_play(state: State, hand: int, cards: Cards) -> None:
    _check_held(hand, cards, "DF-6.1")
    laid = _set_of(cards)
    required = required_card(state)
    if required and required not in cards:
        raise IllegalMove(
            "daifugo.start-card-missing", "DF-5.1", f"The first play must contain {required}."
        )
    if state.trick:
        _check_beats(laid, SETS[state.trick[-1].cards], state.revolution)
    if laid.mask == hand and hand & FORBIDDEN_LAST[state.revolution]:
        raise IllegalMove(
            "daifugo.forbidden-last-cards",
            "DF-10.2",
            "The last play may not contain the joker, an 8 or the strongest rank.",
        )


def _set_of(cards: Cards) -> CardSet:
    laid = SETS.get(cards)
    if laid:
        return laid
    if not cards:
        raise IllegalMove("daifugo.no-cards", "DF-6.1", "A play has at least one card.")
    if len(cards) > 4:
        raise IllegalMove("daifugo.too-many-cards", "DF-6.1", "A play has at most four cards.")
    raise IllegalMove("daifugo.not-a-set", "DF-6.1", "The cards must all be of one rank.")


def _check_beats(laid: CardSet, field: CardSet, revolution: bool) -> None:
    if laid.count != field.count:
        raise IllegalMove(
            "daifugo.wrong-count", "DF-6.4", f"Play as many cards as the field: {field.count}."
        )
    if laid.rank not in STRONGER[revolution][field.rank]:
        raise IllegalMove("daifugo.not-stronger", "DF-6.4", "The cards must beat the field.")
