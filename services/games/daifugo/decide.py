"""What follows from a move, in the order of DF-13. All rules of consequence are here."""

from __future__ import annotations

from collections.abc import Sequence

from services.games.daifugo.cards import number_of, weakest
from services.games.daifugo.events import (
    CardsGiven,
    CardsPlayed,
    DaifugoEvent,
    LeadPassed,
    OrderReversed,
    Passed,
    SeatFinished,
    TableCleared,
)
from services.games.daifugo.evolve import fold
from services.games.daifugo.legal import active_seats, check, legal_moves
from services.games.daifugo.moves import PASS, DaifugoMove, GiveCards, PlayCards
from services.games.daifugo.scoring import order_of_the_stuck, round_ended, titles_in_force
from services.games.daifugo.sets import FORBIDDEN_LAST, SETS, CardSet
from services.games.daifugo.setup import begin_round, first_lead
from services.games.daifugo.state import State, next_active, owed, with_hand
from shared.chance import Chance
from shared.game import Seat


def decide(state: State, seat: Seat, move: DaifugoMove, chance: Chance) -> Sequence[DaifugoEvent]:
    """The events of a move.

    Raises:
        IllegalMove: see `check`.
    """
    check(state, seat, move)
    if isinstance(move, PlayCards):
        return _play(state, seat, SETS[move.cards], chance)
    if isinstance(move, GiveCards):
        return _give(state, seat, move)
    return _pass(state, seat, chance)


def _play(state: State, seat: Seat, laid: CardSet, chance: Chance) -> list[DaifugoEvent]:
    hand = state.hands[seat] & ~laid.mask
    hands = with_hand(state.hands, seat, hand)
    following = next_active(hands, seat)
    finished = state.finished if hand else (*state.finished, seat)
    over = len(finished) == len(hands) - 1  # DF-11.1

    events: list[DaifugoEvent] = [
        CardsPlayed(seat=seat, cards=laid.cards, next=None if over or laid.clears else following)
    ]
    if laid.reverses:
        events.append(OrderReversed(revolution=not state.revolution))
    if not hand:
        events.append(SeatFinished(seat=seat, place=len(finished)))
    if over:
        events += _end_round(state, (*finished, following), chance)
    elif laid.clears:
        # The seat itself leads: an eight or the joker is never the last card (DF-10.2).
        events += _clear(fold(state, events), seat, chance)
    return events


def _pass(state: State, seat: Seat, chance: Chance) -> list[DaifugoEvent]:
    hands = state.hands
    last = state.trick[-1].seat
    active = len(hands) - len(state.finished)
    others = active - 1 if hands[last] else active
    if state.passes + 1 < others:
        return [Passed(seat=seat, next=next_active(hands, seat))]
    leader = last if hands[last] else next_active(hands, last)  # DF-7.4, 7.5
    return [Passed(seat=seat, next=None), *_clear(state, leader, chance)]


def _clear(state: State, leader: Seat, chance: Chance) -> list[DaifugoEvent]:
    """Clear the table; the lead passes on from seats that can't use it (DF-10.4)."""
    events: list[DaifugoEvent] = [TableCleared(leader=leader)]
    stuck: list[Seat] = []
    while _cannot_lead(state.hands[leader], state.revolution):
        following = next_active(state.hands, leader)
        events.append(LeadPassed(seat=leader, to=following))
        stuck.append(leader)
        leader = following
        if leader == stuck[0]:
            order = (*state.finished, *order_of_the_stuck(state, stuck))
            return events + _end_round(state, order, chance)
    return events


def _cannot_lead(hand: int, revolution: bool) -> bool:
    return hand.bit_count() == 1 and hand & FORBIDDEN_LAST[revolution] != 0


def _end_round(state: State, order: tuple[Seat, ...], chance: Chance) -> list[DaifugoEvent]:
    ended = round_ended(state, order)
    if state.round == state.options.rounds:
        return [ended]
    loser = order[-1]
    dealt = begin_round(state.round + 1, loser, len(order), ended.titles, chance)
    return [ended, *dealt]


def _give(state: State, seat: Seat, move: GiveCards) -> list[DaifugoEvent]:
    poor = owed(state, seat).poor
    events: list[DaifugoEvent] = [CardsGiven(seat=seat, to=poor, cards=move.cards)]
    if len(active_seats(state)) == 1:
        events.append(first_lead(titles_in_force(state)))
    return events


def time_out(state: State, seat: Seat, chance: Chance) -> Sequence[DaifugoEvent]:
    """Who does not choose in time gives or leads the weakest, or passes (DF-4.5, 13.1)."""
    return decide(state, seat, _default_move(state, seat), chance)


def _default_move(state: State, seat: Seat) -> DaifugoMove:
    if state.phase == "exchange":
        count = number_of(owed(state, seat).taken)
        return GiveCards(cards=weakest(state.hands[seat], count))
    if state.trick:
        return PASS
    leads = (move for move in legal_moves(state, seat) if isinstance(move, PlayCards))
    return next(play for play in leads if len(play.cards) == 1)
