"""The level `search`: it finds what there is to find, from a view alone, within its budget."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import count
from typing import Any

import pytest

from services.bots import search
from services.bots.ahead import by_rank
from services.bots.levels import budget_of, exact_policy_for, level_text, levels, policy_for
from services.bots.playout import at_random, fold, playout
from services.bots.search import Budget
from services.bots.swift import SwiftChance
from services.registry import GAMES
from shared.chance import Chance
from shared.errors import Unprocessable
from shared.game import AnyGame, Outcome, is_listed
from tests.toys import secrets, tictactoe

SEED = bytes(range(32))
EVERY_GAME = [*GAMES.values(), tictactoe.GAME, secrets.GAME]


def board(*cells: int | None, turn: int) -> tictactoe.State:
    return tictactoe.State(size=3, cells=cells, turn=turn)


def chosen(state: tictactoe.State, iterations: int = 200, seed: bytes = SEED) -> int:
    seat = state.turn
    assert seat is not None
    game = tictactoe.GAME
    view, moves = game.view(state, seat), game.legal_moves(state, seat)
    return search.think(game, view, moves, Chance(seed), Budget(iterations)).move.at  # type: ignore[attr-defined]


def middle(game: AnyGame) -> tuple[Any, int]:
    """A state in the middle of a match where a seat has a choice."""
    options, seats = game.options_type(), max(2, min(game.seats))
    played = playout(game, options, seats, SEED, at_random(SEED))
    state, found = game.initial(options, seats), None
    for number, step in enumerate(played.steps):
        state = fold(game, state, step.events)
        for seat in game.active_seats(state):
            if len(game.legal_moves(state, seat)) > 1:
                found = found if found and number > len(played.steps) // 2 else (state, seat)
    assert found is not None
    return found


def test_it_takes_the_line_that_wins() -> None:
    assert chosen(board(0, 0, None, 1, 1, None, None, None, None, turn=0)) == 2
    assert chosen(board(0, 0, None, 1, 1, None, None, None, None, turn=1)) == 5


def test_it_stops_the_other_seats_line() -> None:
    assert chosen(board(0, 0, None, None, 1, None, None, None, None, turn=1)) == 2


def test_it_does_not_lose_to_itself_with_enough_iterations() -> None:
    state = board(*[None] * 9, turn=0)
    seed = SEED
    while (outcome := tictactoe.GAME.outcome(state)) is None:
        seat = state.turn
        assert seat is not None
        seed = bytes([*seed[1:], seed[0]])
        move = tictactoe.Place(chosen(state, 600, seed))
        state = fold(tictactoe.GAME, state, tictactoe.GAME.decide(state, seat, move, Chance(seed)))
    assert outcome.reason == "full_board"


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.slug)
def test_the_same_view_and_chance_give_the_same_thought_and_another_state_changes_nothing(
    game: AnyGame,
) -> None:
    state, seat = middle(game)
    view, moves = game.view(state, seat), game.legal_moves(state, seat)
    thought = search.think(game, view, moves, Chance(SEED), Budget(12))
    assert is_listed(moves, thought.move)
    assert thought.iterations == 12
    assert sum(one.visits for one in thought.leading) <= 12
    assert all(0 <= one.value <= 1000 for one in thought.leading)
    assert thought.leading[0].move == thought.move
    imagined = game.resample(view, Chance(bytes(32)))
    again = search.think(
        game, game.view(imagined, seat), game.legal_moves(imagined, seat), Chance(SEED), Budget(12)
    )
    assert again == thought


def test_a_forced_move_needs_no_thought() -> None:
    state = board(0, 1, 0, 0, 1, 1, 1, 0, None, turn=0)
    view, moves = tictactoe.GAME.view(state, 0), tictactoe.GAME.legal_moves(state, 0)
    thought = search.think(tictactoe.GAME, view, moves, Chance(SEED), Budget(500))
    assert (thought.move, thought.iterations, thought.leading) == (tictactoe.Place(8), 0, ())


def test_a_budget_in_ms_ends_in_the_middle_of_a_playout() -> None:
    ticks = count()
    state = board(*[None] * 9, turn=0)
    view, moves = tictactoe.GAME.view(state, 0), tictactoe.GAME.legal_moves(state, 0)
    thought = search.think(
        tictactoe.GAME, view, moves, Chance(SEED), Budget(ms=50), clock=lambda: next(ticks) / 1000
    )
    assert 0 < thought.iterations <= 50
    assert next(ticks) == 51, "it looks once at the start, and stops at the first look after it"
    none = search.think(
        tictactoe.GAME, view, moves, Chance(SEED), Budget(ms=50), clock=lambda: next(ticks) * 1.0
    )
    assert (none.iterations, none.leading) == (0, ())
    assert none.move in moves


def test_rewards_follow_the_places() -> None:
    assert by_rank(Outcome(((1,), (0,), (2,)), (0, 5, -1), "end")) == (500, 1000, 0)
    assert by_rank(Outcome(((0, 1),), (0, 0), "end")) == (500, 500)
    assert by_rank(Outcome(((0, 2), (1,)), (3, 0, 3), "end")) == (750, 0, 750)
    assert by_rank(Outcome(((), (0,)), (0,), "end")) == (0,), "a player without a seat won"
    assert by_rank(Outcome(((0,),), (7,), "end")) == (1000,), "nobody else is there"


def test_swift_chance_keeps_the_forms_of_every_draw() -> None:
    chance = SwiftChance(Chance(SEED), "search")
    assert {chance.one("x", 3) for _ in range(100)} == {0, 1, 2}
    assert sorted(chance.shuffle("y", ["b", "a", "c"])) == ["a", "b", "c"]
    assert {chance.pick("z", ["b", "a"]) for _ in range(50)} == {"a", "b"}
    assert _row(SEED) == _row(SEED) != _row(bytes(32))


def _row(seed: bytes) -> list[int]:
    chance = SwiftChance(Chance(seed), "search")
    return [chance.one("x", 1000) for _ in range(5)]


@pytest.mark.parametrize(
    ("level", "budget"),
    [
        ("search", Budget(iterations=200)),
        ("search-1", Budget(iterations=1)),
        ("search-1000", Budget(iterations=1_000)),
        ("search-1001", Budget(iterations=1_001)),
        ("search-50ms", Budget(ms=50)),
        ("search-20000ms", Budget(ms=20_000)),
        ("random", None),
        ("search-0", None),
        ("search-05", None),
        ("search-", None),
        ("search-5s", None),
    ],
)
def test_a_sub_level_names_its_budget(level: str, budget: Budget | None) -> None:
    assert budget_of(level) == budget


@pytest.mark.parametrize("level", ["search-1001", "search-10000", "search-49ms", "search-20001ms"])
def test_a_budget_out_of_range_is_refused(level: str) -> None:
    with pytest.raises(Unprocessable) as refused:
        policy_for(tictactoe.GAME, level)
    assert refused.value.code == "match.bad-budget"


def test_level_and_budget_make_one_text() -> None:
    assert level_text("greedy") == "greedy"
    assert level_text("search", iterations=50) == "search-50"
    assert level_text("search", ms=50) == "search-50ms"
    for level, budget in [("greedy", {"iterations": 1}), ("search", {"iterations": 1, "ms": 1})]:
        with pytest.raises(Unprocessable) as refused:
            level_text(level, **budget)
        assert refused.value.code == "match.bad-budget"


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.slug)
def test_every_level_of_the_catalogue_can_be_had(game: AnyGame) -> None:
    assert {"random", "search"} <= set(levels(game))
    for level in levels(game):
        assert policy_for(game, level).choose


def test_iterations_end_in_time_in_a_hosted_match_and_count_alone_in_a_series() -> None:
    assert policy_for(tictactoe.GAME, "search-400").budget_ms == 2_000
    assert policy_for(tictactoe.GAME, "search-1000").budget_ms == 5_000
    assert policy_for(tictactoe.GAME, "search-300ms").budget_ms == 300
    assert exact_policy_for(tictactoe.GAME, "search-400").budget_ms == 0
    assert exact_policy_for(tictactoe.GAME, "greedy") is tictactoe.GAME.policies["greedy"]


def test_a_budget_in_ms_ends_where_every_iteration_ends_within_the_tree() -> None:
    ticks = count()
    state = board(0, 1, 0, 0, 1, 1, 1, None, None, turn=0)
    view, moves = tictactoe.GAME.view(state, 0), tictactoe.GAME.legal_moves(state, 0)
    thought = search.think(
        tictactoe.GAME, view, moves, Chance(SEED), Budget(ms=50), clock=lambda: next(ticks) / 1000
    )
    assert 10 < thought.iterations <= 50


def test_a_lead_is_the_same_number_in_every_python() -> None:
    """Summed in whole numbers: a sum of floats gives other digits since Python 3.12."""
    view = tictactoe.GAME.view(board(*[None] * 9, turn=0), 0)
    thinking = search.Search(
        tictactoe.GAME, view, [tictactoe.Place(0), tictactoe.Place(1)], Chance(SEED), lambda: 0.0
    )
    one, other = tictactoe.Place(0), tictactoe.Place(1)
    more = [220, -149, 913, 401, -896, -589, 831]  # summed as floats they give other last digits
    thinking._rewards = {one: [1000 + each for each in more], other: [1000] * 7}
    mean = Fraction(sum(more), 7)
    variance = sum((each - mean) ** 2 for each in more) / 6
    caution = tictactoe.GAME.foresight.caution / 1000
    wanted = float(mean) - caution * math.sqrt(variance / 7)
    assert thinking._lead(one, other) == wanted
    thinking._rewards[one] = [5]
    assert thinking._lead(one, other) == 0.0
