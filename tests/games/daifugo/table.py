"""Tables for tests, written as people write them: `"3D 3S J1"` is a hand, a play or a field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from services.games.daifugo import GAME
from services.games.daifugo.cards import DECK, mask_of
from services.games.daifugo.events import DaifugoEvent
from services.games.daifugo.evolve import fold
from services.games.daifugo.moves import DaifugoMove, GiveCards, Pass, PlayCards
from services.games.daifugo.scoring import round_ended
from services.games.daifugo.setup import begin_round
from services.games.daifugo.state import Options, Play, State
from shared.chance import Chance
from shared.errors import IllegalMove

PASS = Pass()


def cards(text: str) -> tuple[Any, ...]:
    return tuple(text.split())


def play(text: str) -> PlayCards:
    return PlayCards(cards=cards(text))


def give(text: str) -> GiveCards:
    return GiveCards(cards=cards(text))


def chance(script: Mapping[str, Any] | None = None) -> Chance:
    return Chance(bytes(32), script=script)


def table(
    *hands: str,
    turn: int = 0,
    field: str = "",
    by: int | None = None,
    played: Sequence[tuple[int, str]] = (),
    rounds: int = 5,
    **more: Any,
) -> State:
    """Round 1 under way, its start card played. `field` is the last play, made by seat `by`.

    Cards that nobody mentions lie aside.
    """
    held = tuple(mask_of(cards(hand)) for hand in hands)
    trick = [(len(hands) - 1 if by is None else by, field)] if field else []
    laid = [mask_of(cards(text)) for _, text in (*trick, *played)]
    return State(
        **{
            "options": Options(rounds=rounds),
            "hands": held,
            "undealt": mask_of(DECK) & ~sum(held) & ~sum(laid),
            "totals": (0,) * len(hands),
            "round": 1,
            "phase": "play",
            "dealer": 0,
            "turn": turn,
            "trick": tuple(Play(seat, cards(text)) for seat, text in trick),
            "played": tuple(Play(seat, cards(text)) for seat, text in played),
            "finished": tuple(seat for seat, hand in enumerate(hands) if not hand),
            **more,
        }
    )


def first_round(wishes: Mapping[int, str], seats: int = 5, dealer: int = 0) -> State:
    """Round 1 right after the deal; each seat holds what it wishes and weak cards besides."""
    state = GAME.initial(Options(), seats)
    script = {"dealer": dealer, "deal/1": _order(wishes, seats, dealer, range(seats))}
    return fold(state, GAME.open(state, chance(script)))


def second_round(wishes: Mapping[int, str], order: Sequence[int] = (0, 1, 2, 3, 4)) -> State:
    """Round 2 after the strong cards moved; `order` is that of round 1, best first.

    Each seat is dealt what it wishes; for the rest the poorest get the weakest cards.
    """
    before = table(*["3C"] * len(order), undealt=0)
    ended = round_ended(before, tuple(order))
    dealt = _order(wishes, len(order), order[-1], [*reversed(order)])
    events = begin_round(2, order[-1], len(order), ended.titles, chance({"deal/2": dealt}))
    return fold(before, [ended, *events])


def _order(wishes: Mapping[int, str], seats: int, dealer: int, weak_first: Any) -> list[str]:
    rest = [c for c in DECK if c not in " ".join(wishes.values()).split()]
    size = {s: len(range((s - dealer - 1) % seats, len(DECK), seats)) for s in range(seats)}
    hands: dict[int, list[str]] = {}
    for seat in weak_first:
        wished = wishes.get(seat, "").split()
        fill = size[seat] - len(wished)
        hands[seat], rest = wished + rest[:fill], rest[fill:]
    return [hands[(dealer + 1 + i) % seats][i // seats] for i in range(len(DECK))]


def given(state: State) -> State:
    """The state once the gifts are made, each the weakest that the giver can spare."""
    while state.phase == "exchange":
        seat = min(GAME.active_seats(state))
        state = fold(state, GAME.time_out(state, seat, chance()))
    return state


def decide(state: State, seat: int, move: DaifugoMove) -> Sequence[DaifugoEvent]:
    return GAME.decide(state, seat, move, chance())


def after(state: State, *steps: tuple[int, DaifugoMove]) -> State:
    """The state after these moves."""
    for seat, move in steps:
        state = fold(state, decide(state, seat, move))
    return state


def names(events: Sequence[DaifugoEvent]) -> list[str]:
    return [type(event).__name__ for event in events]


def legal(state: State, seat: int) -> list[str]:
    """The legal moves as texts."""
    return [
        "pass" if isinstance(move, Pass) else " ".join(move.cards)
        for move in GAME.legal_moves(state, seat)
    ]


@contextmanager
def refused(state: State, code: str, rule: str) -> Iterator[None]:
    """What is done inside must be refused with this code and rule, and change nothing."""
    before = GAME.state_type(**{f: getattr(state, f) for f in state.__struct_fields__})
    with pytest.raises(IllegalMove) as refusal:
        yield
    assert refusal.value.code == f"daifugo.{code}"
    assert refusal.value.rule == rule
    assert refusal.value.code in GAME.texts
    assert state == before
