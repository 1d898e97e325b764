"""The rules of the toy: what a fifth game's rule tests look like."""

from __future__ import annotations

from functools import reduce
from typing import Any

import pytest

from shared.chance import Chance, bot_chance
from shared.errors import IllegalMove, Unprocessable
from tests.toys.tictactoe import (
    GAME,
    BoardFilled,
    LineCompleted,
    Options,
    Place,
    Placed,
    SeatChosen,
    State,
)

CHANCE = Chance(bytes(32))


def given(*marks: int, first: int = 0, size: int = 3) -> State:
    """The state after these cells were taken in turn."""
    start = GAME.evolve(GAME.initial(Options(size=size), 2), SeatChosen(first))
    seats = [(first + number) % 2 for number in range(len(marks))]
    events = [Placed(s, at, 1 - s) for s, at in zip(seats, marks, strict=True)]
    return reduce(GAME.evolve, events, start)


def after(state: State, events: Any) -> State:
    return reduce(GAME.evolve, events, state)


@pytest.mark.parametrize("first", [0, 1])
def test_ttt_1_who_begins_is_drawn(first: int) -> None:
    chance = Chance(bytes(32), script={"first": first})
    assert GAME.open(GAME.initial(Options(), 2), chance) == [SeatChosen(first)]


def test_ttt_1_seats_take_turns() -> None:
    with pytest.raises(IllegalMove) as refused:
        GAME.check(given(4), 0, Place(0))
    assert (refused.value.code, refused.value.rule) == ("tictactoe.not-your-turn", "TTT-1")


@pytest.mark.parametrize("seats", [1, 3])
def test_ttt_1_there_are_two_seats(seats: int) -> None:
    with pytest.raises(Unprocessable):
        GAME.check_options(Options(), seats)


def test_ttt_1_a_cell_must_be_on_the_board() -> None:
    GAME.check(given(size=4), 0, Place(9))
    with pytest.raises(IllegalMove) as refused:
        GAME.check(given(), 0, Place(9))
    assert (refused.value.code, refused.value.rule) == ("tictactoe.off-board", "TTT-1")


def test_ttt_2_a_mark_goes_on_a_free_cell() -> None:
    state = given(4)
    assert GAME.decide(state, 1, Place(0), CHANCE) == [Placed(1, 0, 0)]
    with pytest.raises(IllegalMove) as refused:
        GAME.decide(state, 1, Place(4), CHANCE)
    assert (refused.value.code, refused.value.rule) == ("tictactoe.taken", "TTT-2")


@pytest.mark.parametrize(
    ("marks", "last", "line"),
    [
        ((0, 3, 1, 4), 2, (0, 1, 2)),
        ((2, 0, 5, 1), 8, (2, 5, 8)),
        ((0, 1, 8, 2), 4, (0, 4, 8)),
        ((2, 0, 6, 1), 4, (2, 4, 6)),
    ],
    ids=["row", "column", "down", "up"],
)
def test_ttt_3_a_line_wins(marks: tuple[int, ...], last: int, line: tuple[int, ...]) -> None:
    state = given(*marks)
    events = GAME.decide(state, 0, Place(last), CHANCE)
    assert events == [Placed(0, last, None), LineCompleted(0, line)]
    outcome = GAME.outcome(after(state, events))
    assert outcome is not None
    assert (outcome.ranking, outcome.scores, outcome.reason) == (((0,), (1,)), (1, 0), "line")


def test_ttt_3_on_a_larger_board_three_are_no_line() -> None:
    state = given(0, 4, 1, 5, size=4)
    assert GAME.decide(state, 0, Place(2), CHANCE) == [Placed(0, 2, 1)]


def test_ttt_4_a_full_board_is_a_draw() -> None:
    state = given(0, 1, 2, 4, 3, 5, 7, 6)
    events = GAME.decide(state, 0, Place(8), CHANCE)
    assert events == [Placed(0, 8, None), BoardFilled()]
    outcome = GAME.outcome(after(state, events))
    assert outcome is not None
    assert (outcome.ranking, outcome.reason) == (((0, 1),), "full_board")


def test_ttt_5_who_is_late_takes_the_first_free_cell() -> None:
    assert GAME.time_out(given(0), 1, CHANCE) == [Placed(1, 1, 0)]


def choice(policy: str, state: State) -> Place:
    seat = state.turn
    assert seat is not None
    moves = GAME.legal_moves(state, seat)
    return GAME.policies[policy].choose(GAME.view(state, seat), moves, bot_chance(bytes(32), 0, 0))


def test_greedy_wins_before_it_blocks() -> None:
    assert choice("greedy", given(0, 3, 1, 4)) == Place(2)
    assert choice("greedy", given(0, 3, 8, 4)) == Place(5)
    assert choice("greedy", given(8)) == Place(0)


def test_a_preview_tells_of_a_win() -> None:
    view = GAME.view(given(0, 3, 1, 4), 0)
    assert GAME.preview(view, Place(2)) == {"wins": True}
    assert GAME.preview(view, Place(5)) == {"wins": False}


def test_the_misbehaving_policies_misbehave() -> None:
    with pytest.raises(RuntimeError):
        choice("raises", given())
    for state in (given(), given(4)):
        with pytest.raises(IllegalMove):
            GAME.check(state, state.turn or 0, choice("illegal", state))
    assert GAME.policies["slow"].budget_ms == 5000
