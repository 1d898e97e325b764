from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from services.bots.levels import levels, policy_for
from services.bots.playout import Endless, at_random, fold, from_views, playout
from services.bots.random_bot import RANDOM
from shared.chance import Chance, bot_chance
from shared.errors import IllegalMove, Unprocessable
from tests.toys import secrets, tictactoe

SEED = bytes(range(32))


@pytest.mark.parametrize("game", [tictactoe.GAME, secrets.GAME], ids=lambda game: game.slug)
def test_a_playout_ends_with_the_outcome_of_its_events(game: Any) -> None:
    options, seats = game.options_type(), max(game.seats)
    played = playout(game, options, seats, SEED, at_random(SEED))
    assert fold(game, game.initial(options, seats), played.events) == played.state
    assert played.outcome == game.outcome(played.state)
    assert len(played.moves) == len(played.steps) - 1


def test_a_playout_is_the_same_again_and_another_with_another_seed() -> None:
    def events(seed: bytes) -> Any:
        return playout(secrets.GAME, secrets.Options(), 3, seed, at_random(seed)).events

    assert events(SEED) == events(SEED)
    assert events(SEED) != events(SEED[::-1])


def test_a_step_keeps_its_draws() -> None:
    played = playout(tictactoe.GAME, tictactoe.Options(), 2, SEED, at_random(SEED))
    first = Chance(SEED).one("first", 2)
    assert played.steps[0].draws == (("first", 2, first),)
    assert played.moves[0][0] == first


def test_who_chooses_nothing_is_timed_out() -> None:
    played = playout(tictactoe.GAME, tictactoe.Options(), 2, SEED, lambda *_: None)
    placed = [event.at for event in played.events if isinstance(event, tictactoe.Placed)]
    assert placed == list(range(7))
    assert {move for _, move in played.moves} == {None}


def test_an_illegal_choice_is_refused() -> None:
    with pytest.raises(IllegalMove, match="taken"):
        playout(tictactoe.GAME, tictactoe.Options(), 2, SEED, lambda *_: tictactoe.Place(0))


def test_a_game_that_does_not_end_is_stopped_at_its_bound() -> None:
    short = replace(tictactoe.GAME, max_moves=lambda options, seats: 4)
    with pytest.raises(Endless, match="4 moves"):
        playout(short, tictactoe.Options(), 2, SEED, at_random(SEED))


def test_policies_are_given_views_and_chance_of_their_seat_and_version() -> None:
    asked: list[Any] = []

    def choose(view: Any, moves: Any, chance: Chance) -> Any:
        asked.append((view, chance.one("x", 2**32)))
        return moves[0]

    policies = [replace(RANDOM, choose=choose)] * 2
    choose_by_view = from_views(tictactoe.GAME, policies, SEED)
    played = playout(tictactoe.GAME, tictactoe.Options(), 2, SEED, choose_by_view)
    opening = played.steps[0].events
    seat = played.moves[0][0]
    state = fold(tictactoe.GAME, tictactoe.GAME.initial(tictactoe.Options(), 2), opening)
    expected = bot_chance(SEED, seat, len(opening)).one("x", 2**32)
    assert asked[0] == (tictactoe.View(seat, state), expected)
    assert len({number for _, number in asked}) == len(asked) == len(played.moves)


def test_greedy_beats_random() -> None:
    """Over forty matches the level `greedy` wins more than `random`."""
    game, won = tictactoe.GAME, Counter[int]()
    policies = [policy_for(game, "greedy"), policy_for(game, "random")]
    for number in range(40):
        seed = bytes([number]) * 32
        played = playout(game, tictactoe.Options(), 2, seed, from_views(game, policies, seed))
        won.update(dict(enumerate(played.outcome.scores)))
    assert won[0] > 2 * won[1]


def test_random_plays_each_listed_move_as_often() -> None:
    moves = [tictactoe.Place(at) for at in range(4)]
    seen = Counter(RANDOM.choose(None, moves, bot_chance(SEED, 0, n)) for n in range(2000))
    assert set(seen) == set(moves)
    assert sum((count - 500) ** 2 / 500 for count in seen.values()) < 16.3  # 3 degrees, 0.1 %


def test_random_samples_a_template() -> None:
    template = secrets.BidRange(3, 6)
    bids = {RANDOM.choose(None, [template], bot_chance(SEED, 0, n)).coins for n in range(100)}
    assert bids == {3, 4, 5, 6}


def test_levels_are_random_the_policies_of_the_game_and_search() -> None:
    assert levels(secrets.GAME)[:4] == ("random", "greedy", "search-50", "search")
    assert policy_for(secrets.GAME, "random") is RANDOM
    assert policy_for(secrets.GAME, "greedy") is secrets.GAME.policies["greedy"]


@pytest.mark.parametrize("level", ["", "Random", "grandmaster", "slow"])
def test_an_unknown_level_is_refused(level: str) -> None:
    with pytest.raises(Unprocessable, match="random, greedy") as refused:
        policy_for(secrets.GAME, level)
    assert refused.value.code == "match.unknown-level"
