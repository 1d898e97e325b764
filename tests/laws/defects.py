"""Games with one planted defect each, to show that the laws bite."""

from __future__ import annotations

from dataclasses import replace as planted
from itertools import count
from typing import Any

from msgspec.structs import force_setattr, replace

from shared.chance import Chance
from shared.errors import IllegalMove
from shared.game import AnyGame, Outcome, Seat
from tests.toys import secrets, tictactoe
from tests.toys.secrets import rules
from tests.toys.secrets.types import put, rank

SECRETS, TICTACTOE = secrets.GAME, tictactoe.GAME


def with_events(game: AnyGame, change: Any) -> AnyGame:
    """Every decided event is changed before it is stored."""

    def decide(state: Any, seat: Seat, move: Any, chance: Chance) -> Any:
        return [change(event) for event in game.decide(state, seat, move, chance)]

    return planted(game, decide=decide)


def lists_in_events(event: Any) -> Any:
    if isinstance(event, secrets.CardsPassed):
        return secrets.CardsPassed(list(event.cards))  # type: ignore[arg-type]
    return event


def floats_in_events(event: Any) -> Any:
    if isinstance(event, secrets.BidMade) and event.coins is not None:
        return replace(event, coins=event.coins + 0.0)
    return event


def remembering() -> AnyGame:
    """Folds by something that is neither in the state nor in the event."""
    seen = count()

    def evolve(state: Any, event: Any) -> Any:
        return replace(SECRETS.evolve(state, event), drawn=next(seen))

    return planted(SECRETS, evolve=evolve)


def redacting_to_another_type(event: Any, seat: Seat | None) -> Any:
    return tictactoe.BoardFilled()


def opening_nothing(state: Any, chance: Chance) -> Any:
    return ()


def bids_without_events(state: Any, seat: Seat, move: Any, chance: Chance) -> Any:
    events = SECRETS.decide(state, seat, move, chance)
    return () if isinstance(move, secrets.Bid) else events


def waiting_for_ever(state: Any, seat: Seat, chance: Chance) -> Any:
    return ()


def one_move_short(state: Any, seat: Seat) -> Any:
    return TICTACTOE.legal_moves(state, seat)[:-1]


def every_cell(state: Any, seat: Seat) -> Any:
    cells = range(len(state.cells))
    return tuple(tictactoe.Place(at) for at in cells) if seat == state.turn else ()


def allowing(state: Any, seat: Seat, move: Any) -> None:
    return None


def decide_unchecked(state: Any, seat: Seat, move: Any, chance: Chance) -> Any:
    if isinstance(move, secrets.Bid):
        return rules.decide_bid(state, seat, move.coins, chance)
    return SECRETS.decide(state, seat, move, chance)


def decide_with_other_reason(state: Any, seat: Seat, move: Any, chance: Chance) -> Any:
    try:
        return TICTACTOE.decide(state, seat, move, chance)
    except IllegalMove as refused:
        raise IllegalMove("tictactoe.no", "TTT-2", "No.") from refused


def decide_in_place(state: Any, seat: Seat, move: Any, chance: Chance) -> Any:
    events = TICTACTOE.decide(state, seat, move, chance)
    force_setattr(state, "full", True)
    return events


def decide_after_a_draw(state: Any, seat: Seat, move: Any, chance: Chance) -> Any:
    chance.one("first", 2)
    return TICTACTOE.decide(state, seat, move, chance)


class WideRange(secrets.BidRange, frozen=True, tag_field="type", tag="bid_range"):
    """Holds one coin more than the seat has."""

    def holds(self, move: Any) -> bool:
        return isinstance(move, secrets.Bid) and self.low <= move.coins <= self.high + 1


def wide_templates(state: Any, seat: Seat) -> Any:
    listed = SECRETS.legal_moves(state, seat)
    return tuple(WideRange(m.low, m.high) if isinstance(m, secrets.BidRange) else m for m in listed)


def nobody_after_the_first_move(state: Any) -> frozenset[Seat]:
    marks = sum(cell is not None for cell in state.cells)
    return frozenset() if marks else TICTACTOE.active_seats(state)


def only_the_first_chooses(state: Any) -> frozenset[Seat]:
    return frozenset(sorted(SECRETS.active_seats(state))[:1])


def peeking(state: Any, seat: Seat | None) -> Any:
    """The view shows a hand that the seat may not see."""
    view = SECRETS.view(state, seat)
    return view if view.hands else replace(view, hands=state.hands)


def resample_not_peeking(view: Any, chance: Chance) -> Any:
    return SECRETS.resample(view if view.scores else replace(view, hands=()), chance)


def counting_high_cards(state: Any, seat: Seat | None) -> Any:
    """The view names no card, but tells how many high cards seat 1 holds."""
    high = sum(rank(card) > 6 for card in state.hands[1])
    return replace(SECRETS.view(state, seat), drawn=100 * high + state.drawn)


def resample_copying_the_count(view: Any, chance: Chance) -> Any:
    """Guesses until the guess agrees with the leaked count, so law 4 sees nothing wrong."""
    honest = replace(view, drawn=view.drawn % 100)
    for attempt in count():
        seed = chance.one(f"attempt/{attempt}", 2**31)
        guess = SECRETS.resample(honest, Chance(b"%d" % seed))
        if counting_high_cards(guess, view.seat) == view:
            return guess
    return None


def choice_shown_early(state: Any, seat: Seat | None) -> Any:
    """The receiver sees the card before all have chosen."""
    view = SECRETS.view(state, seat)
    return view if seat is None else replace(view, got=state.given[seat - 1])


def forgetting_what_it_gave(view: Any, chance: Chance) -> Any:
    return SECRETS.resample(replace(view, gave=None), chance)


def resample_losing_coins(view: Any, chance: Chance) -> Any:
    guess = SECRETS.resample(view, chance)
    return replace(guess, bank=guess.bank + 1)


def drawing_openly(event: Any, seat: Seat | None) -> Any:
    return event if isinstance(event, secrets.CardDrawn) else SECRETS.redact(event, seat)


def dealing_openly(event: Any, seat: Seat | None) -> Any:
    return event if isinstance(event, secrets.CardDealt) else SECRETS.redact(event, seat)


def telling_refusals(state: Any, seat: Seat, move: Any) -> None:
    """The sentence of a refusal tells whether anybody holds the card."""
    try:
        SECRETS.check(state, seat, move)
    except IllegalMove as refused:
        held = isinstance(move, secrets.GiveCard) and any(move.card in h for h in state.hands)
        detail = "Another seat holds it." if held else refused.detail
        raise IllegalMove(refused.code, str(refused.rule), detail) from refused


def highest_card_first(state: Any) -> frozenset[Seat]:
    """Who must choose first tells who holds the highest card."""
    active = SECRETS.active_seats(state)
    if state.passed or not active:
        return active
    return frozenset({max(active, key=lambda seat: rank(state.hands[seat][-1]))})


def coining(state: Any, event: Any) -> Any:
    after = SECRETS.evolve(state, event)
    return replace(after, bank=after.bank + 1) if isinstance(event, secrets.CardDrawn) else after


def doubling_a_card(state: Any, event: Any) -> Any:
    after = SECRETS.evolve(state, event)
    if not isinstance(event, secrets.CardsPassed):
        return after
    return replace(after, hands=put(after.hands, 0, (*after.hands[0], event.cards[0])))


def never_over(state: Any, event: Any) -> Any:
    """A full board or a line begins a new board."""
    if isinstance(event, tictactoe.LineCompleted | tictactoe.BoardFilled):
        return replace(state, turn=0, cells=(None,) * len(state.cells))
    return TICTACTOE.evolve(state, event)


def one_seat_placed(state: Any) -> Any:
    outcome = SECRETS.outcome(state)
    return outcome and Outcome(outcome.ranking[:1], outcome.scores[:1], "all_sold")


def undeclared_reason(state: Any) -> Any:
    outcome = TICTACTOE.outcome(state)
    return outcome and replace(outcome, reason="boredom")


def first_pick_again(state: Any, seat: Seat, move: Any, chance: Chance) -> Any:
    return SECRETS.decide(replace(state, drawn=0), seat, move, chance)


def open_with_unknown_draw(state: Any, chance: Chance) -> Any:
    chance.one("weather", 2)
    return SECRETS.open(state, chance)


def moves_by_hash(state: Any, seat: Seat) -> Any:
    return tuple(set(SECRETS.legal_moves(state, seat)))


def deck_by_hash(state: Any, chance: Chance) -> Any:
    first = next(iter(frozenset(secrets.DECK)))
    rest = [card for card in secrets.DECK if card != first]
    cards = [first, *(chance.shuffle("deal/1", rest)[: 2 * len(state.hands) - 1])]
    return [secrets.CardDealt(n % len(state.hands), card) for n, card in enumerate(cards)]


MOVES_BY_HASH = planted(SECRETS, legal_moves=moves_by_hash)
DECK_BY_HASH = planted(SECRETS, open=deck_by_hash)
