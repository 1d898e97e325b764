"""Seats: join, leave, add a seed, get a new token."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask_smorest import Blueprint

from api import reading
from api.answers import answer, answer_done
from api.bodies import NOTHING, JoinBody, LeaveBody, SeatsQuery, SeedBody
from api.context import caller, services
from api.documents import JoinedDoc, SeatTokenDoc
from api.operation import ANYBODY, KEY, Operation
from api.resources.finishing import after
from shared import ids
from shared.store import Person

blueprint = Blueprint("seats", __name__, url_prefix="/v1/matches", description="Seats of a match.")

JOIN, LEAVE, SEED = JoinBody(), LeaveBody(), SeedBody()


@Operation(
    blueprint,
    "POST",
    "/<match:match_id>/seats",
    summary="Join, leave, or add a seed",
    security=ANYBODY,
    answers={201: "Seated"},
    refuses=(403, 409, 422),
    query=SeatsQuery(),
    bodies=(JOIN, LEAVE, SEED),
    example={"name": "Bob", "kind": "person"},
    keyed=True,
)
def take_seat(match_id: str, query: dict[str, Any]) -> Response:
    """Joins an open seat (with a link's code, at a public match, or as the match's API key).

    With `action` the holder of a seat leaves it before the start, or adds a seed to the draws.
    """
    given = reading.json_object(JOIN, query)
    match given.get("action"):
        case "leave":
            return _leave(match_id, reading.load(LEAVE, given))
        case "seed":
            return _seed(match_id, reading.load(SEED, given))
        case _:
            return _join(match_id, reading.load(JOIN, given))


def _join(match_id: str, body: dict[str, Any]) -> Response:
    # Whoever has no key and no token is told apart from others by the link's code alone.
    credential = None if caller().kind != "nobody" else body["code"] or ""
    key = reading.key(f"join {match_id}", body, credential)
    with services().metrics.command("join"):
        done = services().tycoon.commands.join(
            match_id,
            caller(),
            seat=body["seat"],
            code=body["code"],
            kind=body["kind"],
            person=Person(body["name"], body["ref"]),
            client_seed=body["client_seed"],
            key=key,
        )
    after(done)
    server_key = services().tycoon.settings.server_key.encode()
    seat = done.seat or 0
    # The epoch of this join, not the seat's of today: a repeat never gets a later holder's token.
    token = ids.seat_token(server_key, match_id, seat, ids.epoch_at(done.first))
    match = services().tycoon.queries.done(done, caller()).match
    return answer_done(JoinedDoc(seat=seat, token=token, match=match), done)


def _leave(match_id: str, body: dict[str, Any]) -> Response:
    key = reading.key(f"leave {match_id}", body)
    with services().metrics.command("leave"):
        done = services().tycoon.commands.leave(match_id, caller(), key)
    return answer_done(services().tycoon.queries.done(done, caller()), done)


def _seed(match_id: str, body: dict[str, Any]) -> Response:
    key = reading.key(f"seed {match_id}", body)
    with services().metrics.command("seed"):
        done = services().tycoon.commands.give_client_seed(
            match_id, caller(), body["client_seed"], key
        )
    return answer_done(services().tycoon.queries.done(done, caller()), done)


@Operation(
    blueprint,
    "POST",
    "/<match:match_id>/seats/<number:seat>/token",
    summary="Renew a seat's token",
    security=KEY,
    answers={201: "SeatToken"},
    refuses=(403, 409),
    body=NOTHING,
    keyed=True,
)
def renew_token(match_id: str, seat: int, body: dict[str, Any]) -> Response:
    """Makes the seat's token void and gives its holder's new one to the match's API key.

    Sent again it makes another one: only the last answer's token is good, with or without a key.
    """
    reading.key(f"token {match_id}", body)
    token = services().tycoon.commands.renew_token(match_id, caller(), seat)
    return answer(SeatTokenDoc(seat=seat, token=token), 201)
