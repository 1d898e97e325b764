"""Tables for tests, written as people write them: `"B05-1 A04-2"` is a hand, `"1 4"` are slots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from services.games.filthy_rich import GAME
from services.games.filthy_rich import moves as m
from services.games.filthy_rich.card_set import type_of
from services.games.filthy_rich.events import MoneyPaid, RichEvent
from services.games.filthy_rich.evolve import fold
from services.games.filthy_rich.shipped import SHIPPED
from services.games.filthy_rich.state import Lot, Options, Sign, State
from shared.chance import Chance
from shared.errors import IllegalMove

DECK = SHIPPED.deck
HAND = 5


def names(text: str) -> tuple[str, ...]:
    return tuple(sorted(text.split()))


def slots(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


def chance(script: Mapping[str, Any] | None = None) -> Chance:
    return Chance(bytes(32), script=script)


def sign(owner: int, card: str, page: int, where: str) -> Sign:
    return Sign(type_of(card), card, owner, page, slots(where))


def table(
    *cash: int,
    hands: Mapping[int, str] | None = None,
    signs: Sequence[Sign] = (),
    assets: Mapping[int, str] | None = None,
    luxuries: Mapping[int, str] | None = None,
    removed: str = "",
    lots: Sequence[tuple[str, int]] = (),
    discard: str = "",
    pile: str | None = None,
    player: int = 0,
    turn_limit: int = 400,
    **more: Any,
) -> State:
    """A turn of `player` with two actions left. Each seat has `cash`; hands are filled up to five.

    Cards that nobody mentions lie in the pile, or with `pile` in the discard pile.
    """
    seats = range(len(cash))
    signs = tuple(sorted(signs, key=lambda s: s.business))
    held = {seat: list(names((hands or {}).get(seat, ""))) for seat in seats}
    owned = [names((assets or {}).get(seat, "")) for seat in seats]
    riches = [names((luxuries or {}).get(seat, "")) for seat in seats]
    out = more.get("out", ())
    used = {c for row in (*held.values(), *owned) for c in row} | {s.card for s in signs}
    used |= {*names(discard), *names(pile or ""), more.get("action"), *more.get("revealed", ())}
    free = [card for card in DECK if card not in used]
    for seat in seats:
        if seat not in out and not (hands and seat in hands):
            held[seat], free = free[:HAND], free[HAND:]
    gone = {*names(removed), *(luxury for luxury, _ in lots), *(x for row in riches for x in row)}
    return State(
        **{
            "options": Options(turn_limit=turn_limit),
            "hands": tuple(tuple(sorted(held[seat])) for seat in seats),
            "pile": tuple(free) if pile is None else names(pile),
            "discard": tuple(sorted((*names(discard), *(free if pile is not None else ())))),
            "pool": DECK,
            "cash": cash,
            "bank": -sum(cash),
            "assets": tuple(owned),
            "luxuries": tuple(riches),
            "supply": tuple(x for x in SHIPPED.luxuries if x not in gone),
            "removed": names(removed),
            "lots": tuple(Lot(luxury, loser) for luxury, loser in lots),
            "signs": signs,
            "phase": "actions",
            "turn": 9,
            "player": player,
            "actions_left": 2,
            **more,
        }
    )


def ready(*cash: int, **more: Any) -> State:
    """The turn player has only to roll."""
    return table(*cash, **{"actions_left": 0, **more})


def open_(card: str, where: str) -> m.PlayBusiness:
    return m.PlayBusiness(card, slots(where))


def act(card: str, **parameters: Any) -> m.PlayAction:
    if "slots" in parameters:
        parameters["slots"] = slots(parameters["slots"])
    return m.PlayAction(card, **parameters)


def dice(*faces: int, page: int = 5, turn: int = 9) -> dict[str, Any]:
    """A script for a roll of the business dice and the page die (5 keeps the open page)."""
    script = {f"dice/{turn}/{n}": face - 1 for n, face in enumerate(faces, start=1)}
    return {**script, f"page/{turn}": page - 1}


def decide(
    state: State, seat: int, move: Any, script: Mapping[str, Any] | None = None
) -> Sequence[RichEvent]:
    events = GAME.decide(state, seat, move, chance(script))
    assert GAME.conserved(fold(state, events)) == GAME.conserved(state)
    return events


def after(state: State, *steps: Any) -> State:
    """The state after these moves, each `(seat, move)` or `(seat, move, script)`."""
    for step in steps:
        state = fold(state, decide(state, *step))
    return state


def tags(events: Sequence[RichEvent]) -> list[str]:
    return [type(event).__name__ for event in events]


def paid(events: Sequence[RichEvent]) -> list[tuple[Any, ...]]:
    """Who paid whom how much for what; `None` is the bank."""
    return [(e.payer, e.payee, e.amount, e.why) for e in events if isinstance(e, MoneyPaid)]


def first(events: Sequence[RichEvent], kind: type) -> Any:
    return next(event for event in events if isinstance(event, kind))


def legal(state: State, seat: int, kind: type | None = None) -> list[Any]:
    moves = GAME.legal_moves(state, seat)
    return [move for move in moves if kind is None or isinstance(move, kind)]


def places(state: State, seat: int, card: str) -> list[str]:
    """Where this card can be played, as texts."""
    moves = legal(state, seat, m.PlayBusiness)
    return [" ".join(map(str, move.slots)) for move in moves if move.card == card]


@contextmanager
def refused(state: State, code: str, rule: str) -> Iterator[None]:
    """What is done inside must be refused with this code and rule, and change nothing."""
    before = State(**{f: getattr(state, f) for f in state.__struct_fields__})
    with pytest.raises(IllegalMove) as refusal:
        yield
    assert (refusal.value.code, refusal.value.rule) == (f"filthy-rich.{code}", rule)
    assert refusal.value.code in GAME.texts
    assert refusal.value.detail.endswith(".")
    assert state == before
