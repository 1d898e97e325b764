"""Tables for tests. Money that nobody holds lies in the Bank, so that LG-1.5 holds at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from msgspec.structs import replace

from services.games.landlords_game import GAME
from services.games.landlords_game.events import LandlordsEvent
from services.games.landlords_game.moves import (
    AcceptLoan,
    BorrowBank,
    BuyLot,
    DeclineLuxury,
    GoPoorhouse,
    Jump,
    LandlordsMove,
    MoveChecker,
    PayFine,
    ProposeLoan,
    RefuseLoan,
    RentLot,
    SurrenderSecurity,
    Throw,
)
from services.games.landlords_game.setup import STARTING_CASH
from services.games.landlords_game.state import (
    BankLoan,
    Boxes,
    Options,
    Player,
    PlayerLoan,
    State,
)
from shared.chance import Chance
from shared.errors import IllegalMove

THROW, FINE, BUY, RENT = Throw(), PayFine(), BuyLot(), RentLot()
DECLINE, ACCEPT, REFUSE = DeclineLuxury(), AcceptLoan(), RefuseLoan()
POORHOUSE, SURRENDER = GoPoorhouse(), SurrenderSecurity()
FORWARD, BACKWARD = MoveChecker(direction="forward"), MoveChecker(direction="backward")
QUIET = {"player_loans": False}
"""Settings at a table where only the Bank lends."""


def ride(from_: int, to: int, direction: Any = "forward") -> MoveChecker:
    return MoveChecker(direction=direction, jump=Jump(from_=from_, to=to))


def borrow(notes: int, *lots: int) -> BorrowBank:
    return BorrowBank(notes=notes, lots=lots)


def propose(other: int, principal: int, interest: int = 0, due: int = 1, *lots: int, role="borrow"):
    return ProposeLoan(
        role=role, other=other, principal=principal, interest=interest, due_round=due, lots=lots
    )


def note(number: int, borrower: int, notes: int, *lots: int) -> BankLoan:
    return BankLoan(number=number, borrower=borrower, notes=notes, lots=lots)


def owed(number: int, borrower: int, lender: int, principal: int, interest: int, due: int, *lots):
    return PlayerLoan(number, borrower, lender, principal, interest, due, lots)


def player(cash: int = 200, at: int = 0, **more: Any) -> Player:
    return Player(cash=cash, at=at, **more)


def table(
    *players: Player,
    lots: Mapping[int, Sequence[int]] | None = None,
    options: Mapping[str, Any] | None = None,
    **more: Any,
) -> State:
    """Seat 0's turn begins. `lots` has the lots by owner, `options` the settings."""
    chosen = Options(**(options or {}))
    owner = {lot: seat for seat, owned in (lots or {}).items() for lot in owned}
    money = STARTING_CASH[chosen.variant] * len(players)
    state = GAME.initial(chosen, len(players))
    loans = (*more.get("bank_loans", ()), *more.get("player_loans", ()))
    return replace(
        state,
        **{
            "players": players,
            "owners": tuple(owner.get(lot) for lot in range(1, 23)),
            "boxes": Boxes(bank=money - sum(p.cash for p in players)),
            "first": 0,
            "turn": 0,
            "phase": "turn_start",
            "loans_made": max((loan.number for loan in loans), default=0),
            **more,
        },
    )


def chance(state: State, *dice: int, **script: Any) -> Chance:
    """The next throws show these dice, two by two; then the seed of zeros."""
    for number, die in enumerate(dice):
        script[f"throw/{state.throws + 1 + number // 2}/{1 + number % 2}"] = die - 1
    return Chance(bytes(32), script=script)


def decide(state: State, move: LandlordsMove, *dice: int) -> Sequence[LandlordsEvent]:
    """The events of a move by the seat to act."""
    (seat,) = GAME.active_seats(state)
    return GAME.decide(state, seat, move, chance(state, *dice))


def fold(state: State, events: Sequence[LandlordsEvent]) -> State:
    for event in events:
        state = GAME.evolve(state, event)
    return state


def after(state: State, *moves: Any) -> State:
    """The state after these moves of whoever is to act; `(move, d1, d2)` where dice are thrown."""
    for move in moves:
        move, *dice = move if isinstance(move, tuple) else (move,)
        state = fold(state, decide(state, move, *dice))
    return state


def thrown(state: State, d1: int, d2: int) -> State:
    return after(state, (THROW, d1, d2))


def timed_out(state: State, *dice: int) -> State:
    (seat,) = GAME.active_seats(state)
    return fold(state, GAME.time_out(state, seat, chance(state, *dice)))


def names(events: Sequence[LandlordsEvent]) -> list[str]:
    return [type(event).__name__ for event in events]


def one(events: Sequence[LandlordsEvent], kind: type[Any]) -> Any:
    """The only event of this kind."""
    (found,) = [event for event in events if isinstance(event, kind)]
    return found


def cash(state: State) -> list[int]:
    return [p.cash for p in state.players]


def gained(before: State, after_: State) -> dict[str, int]:
    """What the boxes got."""
    names = before.boxes.__struct_fields__
    found = {n: getattr(after_.boxes, n) - getattr(before.boxes, n) for n in names}
    return {name: change for name, change in found.items() if change}


def legal(state: State) -> tuple[Any, ...]:
    (seat,) = GAME.active_seats(state)
    return GAME.legal_moves(state, seat)


def kinds(state: State) -> set[str]:
    """The tags of what is listed."""
    return {type(move).__struct_config__.tag for move in legal(state)}


@contextmanager
def refused(state: State, code: str, rule: str) -> Iterator[Any]:
    """What is done inside must be refused with this code and rule, and change nothing."""
    before = replace(state)
    with pytest.raises(IllegalMove) as refusal:
        yield refusal
    assert refusal.value.code == f"landlords-game.{code}"
    assert refusal.value.rule == rule
    assert refusal.value.code in GAME.texts
    assert refusal.value.detail.endswith(".")
    assert state == before
