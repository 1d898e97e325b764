"""Erasing the names of people."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask_smorest import Blueprint

from api import reading
from api.answers import answer
from api.auth import must_be_key
from api.bodies import PlayerBody, SeatBody
from api.context import caller, note, services
from api.operation import KEY, MATCH_ID, OPERATOR, SEAT, Operation
from services.erasing.erasing import ErasureDoc
from services.matches.access import unknown

blueprint = Blueprint("erasures", __name__, url_prefix="/v1/erasures", description="Erasures.")

AT_ONCE = 500
"""Matches that one request erases a player in."""

PLAYER, SEAT_OF = PlayerBody(), SeatBody()


@Operation(
    blueprint,
    "POST",
    "",
    summary="Erase a person's names",
    security=(*KEY, *SEAT, *OPERATOR),
    answers={200: "Erasure"},
    refuses=(403, 404),
    bodies=(PLAYER, SEAT_OF),
    example={"player": "user-1"},
    keyed=True,
)
def erase(**nothing: Any) -> Response:
    """Forgets name and reference for good: of an API key's player in all its matches, or of one
    seat, for the match's API key, the operator and the seat itself. No event changes.

    One request works on 500 matches: send it again until `left` is 0. Sent again, with or without
    a key, it erases what is there by then; `erased` counts the matches of this request alone.
    """
    given = reading.json_object(PLAYER, nothing)
    if "player" in given:
        return answer(_erase_player(reading.load(PLAYER, given)))
    return answer(_erase_seat(reading.load(SEAT_OF, given)))


def _erase_player(body: dict[str, Any]) -> ErasureDoc:
    owner = must_be_key()
    reading.key("erase player", body)
    return services().tycoon.eraser.erase_player(owner, body["player"], limit=AT_ONCE)


def _erase_seat(body: dict[str, Any]) -> ErasureDoc:
    match, seat = body["match"], body["seat"]
    reading.key("erase seat", body)
    if not MATCH_ID.fullmatch(match):
        raise unknown()
    note(match=match)
    done = services().tycoon.eraser.erase_seat(match, seat, caller())
    services().rates.prove(caller())
    return done
