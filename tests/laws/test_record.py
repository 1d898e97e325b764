"""What the record of a game promises by itself, before anything is played."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from services.registry import GAMES
from shared.errors import Unprocessable
from shared.game import AnyGame
from tests.laws.cases import ADDRESSES, TOYS, Case, cases

every_game = pytest.mark.parametrize("game", [*TOYS, *GAMES.values()], ids=lambda game: game.slug)


def tag(struct: Any) -> Any:
    return struct.__struct_config__.tag


@every_game
def test_the_registry_knows_a_game_by_its_slug(game: AnyGame) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", game.slug)
    assert game.slug in ADDRESSES
    assert GAMES.get(game.slug, game) is game


@every_game
def test_tags_are_written_out_and_have_titles(game: AnyGame) -> None:
    moves = [tag(move) for move in (*game.move_types, *game.template_types)]
    events = [tag(event) for event in game.event_types]
    assert len({*moves, *events}) == len(moves) + len(events)
    for name in moves:
        assert re.fullmatch(r"[a-z]+(_[a-z0-9]+)*", name)
    scope = game.slug.replace("-", "_")
    for name in events:
        assert re.fullmatch(re.escape(scope) + r"\.[a-z]+(_[a-z]+)*", name)
    for name in (*(tag(move) for move in game.move_types), *events):
        assert game.texts[name].en, name
        assert game.texts[name].ja, name


@every_game
def test_all_types_are_frozen(game: AnyGame) -> None:
    types = (game.options_type, game.state_type, game.view_type, *game.template_types)
    for struct in (*types, *game.move_types, *game.event_types):
        assert struct.__struct_config__.frozen, struct


@every_game
def test_there_is_a_greedy_level_and_random_is_free(game: AnyGame) -> None:
    assert "greedy" in game.policies
    assert "random" not in game.policies


@pytest.mark.parametrize("case", cases(), ids=str)
def test_options_go_with_the_numbers_of_seats_that_are_declared(case: Case) -> None:
    case.game.check_options(case.options, case.seats)
    stored = msgspec.json.encode(case.options)
    assert msgspec.json.decode(stored, type=case.game.options_type) == case.options


@every_game
def test_other_numbers_of_seats_are_refused(game: AnyGame) -> None:
    for seats in (min(game.seats) - 1, max(game.seats) + 1):
        with pytest.raises(Unprocessable):
            game.check_options(game.options_type(), seats)


@every_game
def test_default_options_are_stored_as_nothing(game: AnyGame) -> None:
    assert msgspec.json.encode(game.options_type()) == b"{}"
