"""The catalogue: games, their rules, and results of finished matches."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flask import Response
from flask_smorest import Blueprint

from api.answers import answer
from api.bodies import ResultsQuery
from api.context import services
from api.operation import ANYBODY, OPEN, Operation
from api.resources.scopes import scope_of
from services.catalogue import GamesDoc, game_doc, game_row, rules_text
from services.matches.documents import instant
from shared.errors import NotFound

blueprint = Blueprint("games", __name__, url_prefix="/v1/games", description="Games and rules.")

_game_doc = lru_cache(maxsize=64)(game_doc)


@Operation(blueprint, "GET", "", summary="List the games", security=OPEN, answers={200: "Games"})
def list_games() -> Response:
    """Every game that this server hosts."""
    tycoon = services().tycoon
    rows = tuple(game_row(hosted.game) for hosted in tycoon.hall)
    document = GamesDoc(items=rows, next=None, as_of=instant(tycoon.clock()))
    return answer(document, public=True)


@Operation(
    blueprint, "GET", "/<game>", summary="Look at a game", security=OPEN, answers={200: "Game"}
)
def get_game(game: str) -> Response:
    """Seats, levels, options, moves, views, events and texts of a game, as JSON Schema."""
    return answer(_game_doc(services().tycoon.hall[game].game), public=True)


@Operation(
    blueprint,
    "GET",
    "/<game>/rules",
    summary="Read the rules of a game",
    security=OPEN,
    answers={200: "RulesText"},
    content="text/markdown",
)
def get_rules(game: str) -> Response:
    """The numbered rules, which refused moves point to."""
    found = rules_text(services().tycoon.hall[game].game)
    if found is None:
        raise NotFound("game.no-rules", "This game has no rules text.")
    response = Response(found, mimetype="text/markdown")
    response.headers["Cache-Control"] = "public, max-age=60"
    return response


@Operation(
    blueprint,
    "GET",
    "/<game>/results",
    summary="List finished matches that count",
    security=ANYBODY,
    answers={200: "Rows"},
    query=ResultsQuery(),
)
def list_results(game: str, query: dict[str, Any]) -> Response:
    """Completed and resigned matches, neither custom nor imported, by creation."""
    tycoon = services().tycoon
    scope, owner = scope_of(query["scope"])
    rows = tycoon.lists.results(
        owner=owner,
        scope=scope,
        game=game,
        cursor=query["cursor"],
        limit=query["limit"],
        now=tycoon.clock(),
    )
    return answer(rows)
