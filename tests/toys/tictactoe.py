"""Tic-tac-toe, written to the contract: the whole of a small game in one file.

TTT-1  Two seats take turns on a square board of `size` x `size` cells, numbered row by row from 0.
       Who begins is drawn. Draws: `first`, a seat.
TTT-2  A seat places its mark on a free cell.
TTT-3  Who first fills a row, a column or a diagonal wins.
TTT-4  A full board without a line is a draw.
TTT-5  Who does not move in time places on the first free cell.

Besides `greedy` it has policies that misbehave, for the tests of the workers.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any, Never

import msgspec
from msgspec.structs import replace

from shared import game as contract
from shared.chance import Chance, Draw
from shared.errors import IllegalMove, Unprocessable
from shared.game import Game, Outcome, Policy, Seat, Text

SEATS = 2
Cells = tuple[Seat | None, ...]


class Options(contract.Options, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Cells in a row of the board, which is also the length of a line."""

    size: Annotated[int, msgspec.Meta(ge=3, le=5)] = 3


class Place(contract.Move, frozen=True, tag="place"):
    """Put a mark on cell `at`."""

    at: Annotated[int, msgspec.Meta(ge=0, le=24)]


class SeatChosen(contract.Event, frozen=True, tag="tictactoe.seat_chosen"):
    """`seat` begins."""

    seat: Seat


class Placed(contract.Event, frozen=True, tag="tictactoe.placed"):
    """`seat` put a mark on cell `at`; `turn` is who comes next, `None` at the end."""

    seat: Seat
    at: int
    turn: Seat | None


class LineCompleted(contract.Event, frozen=True, tag="tictactoe.line_completed"):
    """`seat` won with the line of these cells."""

    seat: Seat
    line: tuple[int, ...]


class BoardFilled(contract.Event, frozen=True, tag="tictactoe.board_filled"):
    """Nobody won."""


AnyEvent = SeatChosen | Placed | LineCompleted | BoardFilled


class State(msgspec.Struct, frozen=True):
    """The board. `turn` is `None` before the opening and after the end."""

    size: int
    cells: Cells
    turn: Seat | None = None
    winner: Seat | None = None
    line: tuple[int, ...] = ()
    full: bool = False


class View(msgspec.Struct, frozen=True):
    """All of it: nothing is hidden. `seat` is `None` for a spectator."""

    seat: Seat | None
    board: State


def check_options(options: Options, seats: int) -> None:
    if seats != SEATS:
        raise Unprocessable("match.seat-count", "Tic-tac-toe has two seats.")


def initial(options: Options, seats: int) -> State:
    return State(size=options.size, cells=(None,) * options.size**2)


def open_match(state: State, chance: Chance) -> Sequence[AnyEvent]:
    """TTT-1."""
    return [SeatChosen(chance.one("first", SEATS))]


def active_seats(state: State) -> frozenset[Seat]:
    return frozenset(() if state.turn is None else (state.turn,))


def legal_moves(state: State, seat: Seat) -> tuple[Place, ...]:
    """TTT-2."""
    if seat != state.turn:
        return ()
    return tuple(Place(at) for at in free(state.cells))


def check(state: State, seat: Seat, move: Place) -> None:
    if seat != state.turn:
        raise IllegalMove("tictactoe.not-your-turn", "TTT-1", "It is not this seat's turn.")
    if move.at >= len(state.cells):
        raise IllegalMove("tictactoe.off-board", "TTT-1", "The board has no such cell.")
    if state.cells[move.at] is not None:
        raise IllegalMove("tictactoe.taken", "TTT-2", "This cell is taken.")


def decide(state: State, seat: Seat, move: Place, chance: Chance) -> Sequence[AnyEvent]:
    check(state, seat, move)
    cells = marked(state.cells, seat, move.at)
    line = completed(state.size, cells, move.at)
    if line:  # TTT-3
        return [Placed(seat, move.at, None), LineCompleted(seat, line)]
    if not free(cells):  # TTT-4
        return [Placed(seat, move.at, None), BoardFilled()]
    return [Placed(seat, move.at, 1 - seat)]


def time_out(state: State, seat: Seat, chance: Chance) -> Sequence[AnyEvent]:
    """TTT-5."""
    return decide(state, seat, Place(free(state.cells)[0]), chance)


def evolve(state: State, event: AnyEvent) -> State:
    match event:
        case SeatChosen(seat=seat):
            return replace(state, turn=seat)
        case Placed(seat=seat, at=at, turn=turn):
            return replace(state, cells=marked(state.cells, seat, at), turn=turn)
        case LineCompleted(seat=seat, line=line):
            return replace(state, winner=seat, line=line)
        case BoardFilled():
            return replace(state, full=True)


def view(state: State, seat: Seat | None) -> View:
    return View(seat, state)


def redact(event: AnyEvent, seat: Seat | None) -> AnyEvent:
    return event


def resample(view: View, chance: Chance) -> State:
    return view.board


def preview(view: View, move: Place) -> dict[str, Any]:
    return {"wins": bool(line_after(view, view.board.turn, move.at))}


def outcome(state: State) -> Outcome | None:
    if state.winner is not None:
        loser = 1 - state.winner
        scores = tuple(1 if seat == state.winner else 0 for seat in range(SEATS))
        return Outcome(((state.winner,), (loser,)), scores, "line")
    return Outcome(((0, 1),), (0, 0), "full_board") if state.full else None


def conserved(state: State) -> dict[str, int]:
    return {"cells": len(free(state.cells)) + sum(cell is not None for cell in state.cells)}


def free(cells: Cells) -> tuple[int, ...]:
    return tuple(at for at, mark in enumerate(cells) if mark is None)


def marked(cells: Cells, seat: Seat, at: int) -> Cells:
    return (*cells[:at], seat, *cells[at + 1 :])


def completed(size: int, cells: Cells, at: int) -> tuple[int, ...]:
    """TTT-3: the line through cell `at` that one seat has filled; empty if there is none."""
    mark = cells[at]
    for line in lines(size):
        if at in line and all(cells[cell] == mark for cell in line):
            return line
    return ()


@cache
def lines(size: int) -> tuple[tuple[int, ...], ...]:
    rows = [tuple(range(start, start + size)) for start in range(0, size * size, size)]
    columns = list(zip(*rows, strict=True))
    down = tuple(row[at] for at, row in enumerate(rows))
    up = tuple(row[-1 - at] for at, row in enumerate(rows))
    return (*rows, *columns, down, up)


def line_after(view: View, seat: Seat | None, at: int) -> tuple[int, ...]:
    """The line that `seat` would have by a mark on cell `at`."""
    board = view.board
    return () if seat is None else completed(board.size, marked(board.cells, seat, at), at)


def greedy(view: View, moves: Sequence[Any], chance: Chance) -> Place:
    """Wins if it can, else stops the other from winning, else takes the first free cell."""
    me = view.board.turn
    assert me is not None
    for seat in (me, 1 - me):
        for move in moves:
            if line_after(view, seat, move.at):
                return move
    return moves[0]


def raises(view: View, moves: Sequence[Any], chance: Chance) -> Place:
    raise RuntimeError("this policy always fails")


def stalls(view: View, moves: Sequence[Any], chance: Chance) -> Never:
    while True:
        time.sleep(0.01)


def illegal(view: View, moves: Sequence[Any], chance: Chance) -> Place:
    """A taken cell if there is one, else one that is not on the board."""
    taken = [at for at, mark in enumerate(view.board.cells) if mark is not None]
    return Place(taken[0] if taken else len(view.board.cells))


THINKING_S = 5.0


def slow(view: View, moves: Sequence[Any], chance: Chance) -> Place:
    deadline = time.monotonic() + THINKING_S
    while time.monotonic() < deadline:
        time.sleep(0.01)
    return greedy(view, moves, chance)


GAME: Game[Options, State, View, Place, AnyEvent] = Game(
    slug="tictactoe",
    name=Text("Tic-tac-toe", "三目並べ"),
    rules=1,
    seats=range(SEATS, SEATS + 1),
    options_type=Options,
    state_type=State,
    view_type=View,
    move_types=(Place,),
    event_types=(SeatChosen, Placed, LineCompleted, BoardFilled),
    outcome_reasons=frozenset({"line", "full_board"}),
    texts={
        "tictactoe.not-your-turn": Text("Not your turn", "手番ではありません"),
        "tictactoe.off-board": Text("No such cell", "そのマスはありません"),
        "tictactoe.taken": Text("This cell is taken", "そのマスは埋まっています"),
        "place": Text("Place a mark", "印を置く"),
        "tictactoe.seat_chosen": Text("First seat chosen", "先手が決まった"),
        "tictactoe.placed": Text("Mark placed", "印が置かれた"),
        "tictactoe.line_completed": Text("Line completed", "一列そろった"),
        "tictactoe.board_filled": Text("Board filled", "盤が埋まった"),
    },
    max_moves=lambda options, seats: options.size**2,
    draws=lambda options, seats: (Draw("first", "one", n=SEATS),),
    check_options=check_options,
    initial=initial,
    open=open_match,
    active_seats=active_seats,
    legal_moves=legal_moves,
    check=check,
    decide=decide,
    time_out=time_out,
    evolve=evolve,
    view=view,
    redact=redact,
    resample=resample,
    preview=preview,
    outcome=outcome,
    conserved=conserved,
    policies={
        "greedy": Policy(choose=greedy),
        "raises": Policy(choose=raises),
        "stalls": Policy(choose=stalls),
        "illegal": Policy(choose=illegal),
        "slow": Policy(choose=slow, budget_ms=5000),
    },
)

# fmt: off
NO_LINE = [
    0, 1, 2, 3, 4, 6, 5, 8, 7, 9, 11, 10, 13, 12, 14, 15, 16, 17, 18, 19, 21, 20, 23, 22, 24,
]
# fmt: on
"""Cells of the 5 x 5 board in an order in which nobody has a line before the board is full."""
