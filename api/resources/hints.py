"""Hints: what a search would do in the caller's place, and why."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask_smorest import Blueprint

from api.answers import answer
from api.bodies import HintBody
from api.context import caller, note, services
from api.operation import SEAT, Operation
from services.bots.levels import SEARCH, with_budget

blueprint = Blueprint("hints", __name__, url_prefix="/v1/matches", description="Hints.")


@Operation(
    blueprint,
    "POST",
    "/<match:match_id>/hint",
    summary="Ask for a hint",
    security=SEAT,
    answers={202: "Hint"},
    refuses=(403, 409, 422),
    body=HintBody(),
    example={"level": "search", "budget": {"ms": 500}},
    made=True,
)
def ask_hint(match_id: str, body: dict[str, Any]) -> Response:
    """For the seat that has to move. A worker thinks it from that seat's view; ask again, or look.

    Asked again at the same version and level, the answer is what is there; a second one is never
    thought at the same time. One that is still `thinking` after some seconds may have been lost:
    asking again sends it again.
    """
    level, budget = body["level"], body["budget"]
    wanted = with_budget(SEARCH if level is None and budget is not None else level, budget)
    document, seat, send = services().tycoon.hints.ask(match_id, caller(), wanted)
    if send:
        services().hint(match_id, seat, document.version)
    note(version=document.version)
    response = answer(document, 202)
    response.headers["Location"] = f"/v1/matches/{match_id}/hint"
    return response


@Operation(
    blueprint,
    "GET",
    "/<match:match_id>/hint",
    summary="Look at a hint",
    security=SEAT,
    answers={200: "Hint"},
    refuses=(403, 409),
)
def get_hint(match_id: str) -> Response:
    """The caller's last hint, for an hour. It is for the version that it names, and no other."""
    document = services().tycoon.hints.get(match_id, caller())
    note(version=document.version)
    return answer(document)
