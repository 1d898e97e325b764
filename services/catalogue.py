"""What the catalogue says of a game, so that a client can be written without reading its source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

import msgspec

from services.bots.levels import (
    DEFAULT_ITERATIONS,
    ITERATION_MS,
    ITERATIONS,
    MS,
    SEARCH,
    levels,
)
from services.hosted import union_of
from shared.chance import Draw
from shared.game import AnyGame, Text


class SeatsDoc(msgspec.Struct, frozen=True, kw_only=True):
    """How many seats a match can have."""

    min: int
    max: int


class RangeDoc(msgspec.Struct, frozen=True, kw_only=True):
    """The smallest and the largest that may be asked for."""

    min: int
    max: int


class BudgetsDoc(msgspec.Struct, frozen=True, kw_only=True):
    """How long a bot of `level` may think for a move: so many iterations, or so many ms.

    Beside the level a seat carries `{"iterations": n}` or `{"ms": n}`; in one text the same is
    `<level>-<n>` or `<level>-<n>ms`. `iteration_ms`: n iterations end after n times so many ms,
    done or not.
    """

    level: str
    default: Mapping[str, int]
    iterations: RangeDoc
    ms: RangeDoc
    iteration_ms: int


class GameRowDoc(msgspec.Struct, frozen=True, kw_only=True):
    """A game in the list of games. `rules` is the number of its rules as coded here."""

    slug: str
    name: Text
    rules: int
    seats: SeatsDoc
    levels: tuple[str, ...]


class GameDoc(GameRowDoc, frozen=True, kw_only=True):
    """A game in full.

    `levels` are those of bots, the strongest last; `budgets` is the form of further ones.

    `options`, `moves`, `templates`, `view` and `events` are JSON Schemas (2020-12); a template is
    an open-ended move with ranges (`null` where the game has none). `draws` has, by number of
    seats, every form of draw with default options: what a custom match's `chance` may name.
    `texts` are titles by code, move, event and whatever a view names.
    """

    budgets: BudgetsDoc
    options: Mapping[str, Any]
    moves: Mapping[str, Any]
    templates: Mapping[str, Any] | None
    view: Mapping[str, Any]
    events: Mapping[str, Any]
    draws: Mapping[str, Sequence[Draw]]
    outcome_reasons: Sequence[str]
    texts: Mapping[str, Text]


class GamesDoc(msgspec.Struct, frozen=True, kw_only=True):
    """Every game of this server."""

    items: tuple[GameRowDoc, ...]
    next: None
    as_of: str


BUDGETS = BudgetsDoc(
    level=SEARCH,
    default={"iterations": DEFAULT_ITERATIONS},
    iterations=RangeDoc(min=ITERATIONS[0], max=ITERATIONS[-1]),
    ms=RangeDoc(min=MS[0], max=MS[-1]),
    iteration_ms=ITERATION_MS,
)


def game_row(game: AnyGame) -> GameRowDoc:
    """A game in the list of games."""
    return GameRowDoc(**_head(game))


def game_doc(game: AnyGame) -> GameDoc:
    """A game in full."""
    options = game.options_type()
    return GameDoc(
        **_head(game),
        budgets=BUDGETS,
        options=msgspec.json.schema(game.options_type),
        moves=msgspec.json.schema(union_of(game.move_types)),
        templates=_templates(game),
        view=msgspec.json.schema(game.view_type),
        events=msgspec.json.schema(union_of(game.event_types)),
        draws={str(seats): game.draws(options, seats) for seats in game.seats},
        outcome_reasons=sorted(game.outcome_reasons),
        texts=game.texts,
    )


def rules_text(game: AnyGame) -> str | None:
    """The rules as a person reads them (Markdown), which lie beside the game's code."""
    package = game.state_type.__module__.rpartition(".")[0]
    file = resources.files(package) / "RULES.md"
    return file.read_text("utf-8") if file.is_file() else None


def _head(game: AnyGame) -> dict[str, Any]:
    return {
        "slug": game.slug,
        "name": game.name,
        "rules": game.rules,
        "seats": SeatsDoc(min=game.seats[0], max=game.seats[-1]),
        "levels": levels(game),
    }


def _templates(game: AnyGame) -> Mapping[str, Any] | None:
    if not game.template_types:
        return None
    return msgspec.json.schema(union_of(game.template_types))
