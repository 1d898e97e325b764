"""Matches: create, list, look, start, resign, cancel."""

from __future__ import annotations

from typing import Any

from flask import Response, request
from flask_smorest import Blueprint

from api import reading
from api.answers import answer, answer_done, answer_match
from api.auth import must_be_key
from api.bodies import NOTHING, MatchesQuery, MatchQuery, NewMatchBody, StartBody
from api.context import caller, note, services
from api.documents import CreatedDoc, LinkDoc, SeatTokenDoc
from api.operation import ANYBODY, KEY, KEY_OR_SEAT, SEAT, Operation
from api.resources.finishing import after
from api.resources.scopes import scope_of
from services.bots.levels import with_budget
from services.matches.committing import Done
from services.matches.creation import NewMatch, NewSeat
from shared import ids
from shared.errors import Malformed

blueprint = Blueprint("matches", __name__, url_prefix="/v1/matches", description="Matches.")


@Operation(
    blueprint,
    "POST",
    "",
    summary="Create a match",
    security=KEY,
    answers={201: "Created"},
    refuses=(403, 409, 422),
    body=NewMatchBody(),
    takes_schema="NewMatch",
    example={
        "game": "daifugo",
        "seats": [
            {"kind": "person", "name": "Ann"},
            {"kind": "open"},
            {"kind": "bot", "level": "greedy"},
            {"kind": "bot", "level": "search", "budget": {"iterations": 50}},
        ],
        "options": {"rounds": 3},
    },
    keyed=True,
    made=True,
)
def create_match(body: dict[str, Any]) -> Response:
    """Answers with a token for each person's and agent's seat, and a join link for each open one.

    The same key and body again give the same match and the same tokens.
    """
    owner = must_be_key()
    key = reading.key("createMatch", body)
    services().quota.admit(owner, key.given if key else None)
    with services().metrics.command("create"):
        done = services().tycoon.commands.create(_new_match(body), owner, key)
    if not done.replayed:
        services().quota.created(owner)
    after(done)
    note(match=done.id)
    response = answer_done(_created(done), done)
    response.headers["Location"] = f"/v1/matches/{done.id}"
    return response


def _new_match(body: dict[str, Any]) -> NewMatch:
    clock = body["clock"]
    return NewMatch(
        game=body["game"],
        seats=tuple(map(_new_seat, body["seats"])),
        options=body["options"],
        clock_ms=None if clock is None else clock["per_move_s"] * 1_000,
        pace_ms=body["pace_ms"],
        visibility=body["visibility"],
        chance=body["chance"],
        start=body["start"],
    )


def _new_seat(seat: dict[str, Any]) -> NewSeat:
    budget = seat.pop("budget", None)
    return NewSeat(**{**seat, "level": with_budget(seat.get("level"), budget)})


def _created(done: Done) -> CreatedDoc:
    settings = services().tycoon.settings
    key = settings.server_key.encode()
    # A request need not name a host that a link can begin with; the link is relative then.
    own = request.host_url.rstrip("/") if request.host else ""
    base = settings.public_url.rstrip("/") or own

    def link(seat: int) -> LinkDoc:
        code = ids.join_code(key, done.id, seat)
        url = f"{base}/v1/matches/{done.id}/seats?seat={seat}&code={code}"
        return LinkDoc(seat=seat, code=code, url=url)

    seats = list(enumerate(done.match.seats))
    return CreatedDoc(
        match=services().tycoon.queries.done(done, caller()).match,
        tokens=tuple(
            SeatTokenDoc(seat=seat, token=ids.seat_token(key, done.id, seat, 0))
            for seat, holder in seats
            if holder.kind in ("person", "agent")
        ),
        links=tuple(link(seat) for seat, holder in seats if holder.kind == "open"),
    )


@Operation(
    blueprint,
    "GET",
    "",
    summary="List matches",
    security=ANYBODY,
    answers={200: "Rows"},
    refuses=(403, 404),
    query=MatchesQuery(),
)
def list_matches(query: dict[str, Any]) -> Response:
    """An API key's own matches, or public ones, by creation. Lists follow within moments."""
    scope, owner = scope_of(query["scope"])
    if query["player"] is not None and owner is None:
        raise Malformed(
            "request.invalid",
            "A player's reference is known to its API key only.",
            errors=[{"parameter": "player", "detail": "Only with scope=mine."}],
        )
    tycoon = services().tycoon
    rows = tycoon.lists.matches(
        owner=owner,
        scope=scope,
        game=query["game"],
        status=query["status"],
        player=query["player"],
        cursor=query["cursor"],
        limit=query["limit"],
        now=tycoon.clock(),
    )
    return answer(rows)


@Operation(
    blueprint,
    "GET",
    "/<match:match_id>",
    summary="Look at a match",
    security=ANYBODY,
    answers={200: "Match", 304: None},
    refuses=(403, 409),
    query=MatchQuery(),
    conditional=True,
)
def get_match(match_id: str, query: dict[str, Any]) -> Response:
    """The match as the caller's seat sees it; a spectator sees no hand before the end."""
    document = services().tycoon.queries.match(
        match_id,
        caller(),
        version=query["version"],
        min_version=query["min_version"],
        view_as=query["seat"],
    )
    note(version=document.version)
    return answer_match(document)


@Operation(
    blueprint,
    "DELETE",
    "/<match:match_id>",
    summary="Cancel a match",
    security=KEY,
    answers={200: "Done"},
    refuses=(403, 409, 422),
    keyed=True,
)
def cancel_match(match_id: str) -> Response:
    """Ends a match that is not over; it counts in no result. For its API key and the operator."""
    key = reading.key(f"cancelMatch {match_id}", None)
    with services().metrics.command("cancel"):
        done = services().tycoon.commands.cancel(match_id, caller(), key)
    return _done(done, 200)


@Operation(
    blueprint,
    "POST",
    "/<match:match_id>/start",
    summary="Start a match",
    security=KEY_OR_SEAT,
    answers={201: "Done"},
    refuses=(403, 409, 422),
    body=StartBody(),
    example={"fill": "greedy"},
    keyed=True,
)
def start_match(match_id: str, body: dict[str, Any]) -> Response:
    """For its API key and seat 0, when all seats are held, or with bots to fill the open ones."""
    key = reading.key(f"startMatch {match_id}", body)
    with services().metrics.command("start"):
        fill = with_budget(body["fill"], body["budget"])
        done = services().tycoon.commands.start(match_id, caller(), fill, key)
    return _done(done)


@Operation(
    blueprint,
    "POST",
    "/<match:match_id>/resign",
    summary="Resign",
    security=SEAT,
    answers={201: "Done"},
    refuses=(403, 409, 422),
    body=NOTHING,
    keyed=True,
)
def resign_match(match_id: str, body: dict[str, Any]) -> Response:
    """The caller's seat leaves for good. With three or more seats a stand-in plays on."""
    key = reading.key(f"resignMatch {match_id}", body)
    with services().metrics.command("resign"):
        done = services().tycoon.commands.resign(match_id, caller(), key)
    return _done(done)


def _done(done: Done, status: int = 201) -> Response:
    after(done)
    return answer_done(services().tycoon.queries.done(done, caller()), done, status)
