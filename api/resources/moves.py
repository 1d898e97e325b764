"""Moves: what is legal, what a move would bring, and making one."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask_smorest import Blueprint

from api import reading
from api.answers import answer, answer_done
from api.bodies import MoveBody, MoveQuery, MovesQuery
from api.context import caller, note, services
from api.operation import SEAT, Operation
from api.resources.finishing import after
from services.matches.committing import Done, Key
from shared.errors import Refused

blueprint = Blueprint("moves", __name__, url_prefix="/v1/matches", description="Moves.")


@Operation(
    blueprint,
    "GET",
    "/<match:match_id>/moves",
    summary="List the legal moves",
    security=SEAT,
    answers={200: "Moves"},
    refuses=(403, 409),
    query=MovesQuery(),
)
def list_moves(match_id: str, query: dict[str, Any]) -> Response:
    """The caller's legal moves at the version that the answer names; none off turn."""
    document = services().tycoon.queries.moves(match_id, caller(), preview=query["preview"])
    note(version=document.version)
    return answer(document)


@Operation(
    blueprint,
    "POST",
    "/<match:match_id>/moves",
    summary="Make a move",
    security=SEAT,
    answers={200: "Trial", 201: "Done"},
    refuses=(403, 409, 422, 428),
    query=MoveQuery(),
    body=MoveBody(),
    example={"move": {"type": "play_cards", "cards": ["3D"]}, "expected_version": 4},
    keyed=True,
)
def make_move(match_id: str, query: dict[str, Any], body: dict[str, Any]) -> Response:
    """Send `expected_version`, an `Idempotency-Key`, or both.

    With a key alone the move is decided again at a newer head while the seat is still asked the
    same. With `dry_run` nothing is decided, drawn or stored, and the answer is 200.
    """
    move, expected = body["move"], body["expected_version"]
    if query["dry_run"]:
        return answer(services().tycoon.queries.try_move(match_id, caller(), move, expected))
    key = reading.key(f"makeMove {match_id}", body)
    done = _move(match_id, move, expected, key)
    after(done)
    return answer_done(services().tycoon.queries.done(done, caller()), done)


def _move(match_id: str, move: Any, expected: int | None, key: Key | None) -> Done:
    metrics = services().metrics
    try:
        with metrics.command("move"):
            done = services().tycoon.commands.move(
                match_id, caller(), move, expected=expected, key=key
            )
    except Refused as refusal:
        metrics.move(_game_of(refusal.code), refusal.code)
        raise
    metrics.move(done.hosted.game.slug, "ok")
    return done


def _game_of(code: str) -> str:
    """The game whose rules refused; `-` where the refusal came before them."""
    scope = code.partition(".")[0]
    return scope if any(hosted.game.slug == scope for hosted in services().tycoon.hall) else "-"
