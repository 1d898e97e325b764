"""The log of a match: pages of events, and whole transcripts once it is over."""

from __future__ import annotations

from typing import Any

from flask import Response, request
from flask_smorest import Blueprint
from werkzeug.exceptions import UnsupportedMediaType

from api import reading
from api.answers import answer
from api.auth import must_be_key
from api.bodies import EventsQuery, PageQuery
from api.context import caller, note, services
from api.operation import ANYBODY, KEY, Operation

blueprint = Blueprint("events", __name__, url_prefix="/v1/matches", description="Logs of matches.")

TRANSCRIPT = "application/x-ndjson"


@Operation(
    blueprint,
    "GET",
    "/<match:match_id>/events",
    summary="Read the log",
    security=ANYBODY,
    answers={200: "Events"},
    query=EventsQuery(),
)
def list_events(match_id: str, query: dict[str, Any]) -> Response:
    """Events after a version, as the caller may see them; a hidden one still has its place."""
    document = services().tycoon.queries.events(
        match_id, caller(), after=query["after"], limit=query["limit"]
    )
    note(version=document.as_of)
    return answer(document)


@Operation(
    blueprint,
    "GET",
    "/<match:match_id>/thoughts",
    summary="Read how the bots thought",
    security=ANYBODY,
    answers={200: "Thoughts"},
    refuses=(409,),
    query=PageQuery(),
)
def list_thoughts(match_id: str, query: dict[str, Any]) -> Response:
    """How long each built-in bot's move took and why it was chosen, once the match is over."""
    document = services().tycoon.queries.thoughts(
        match_id, caller(), cursor=query["cursor"], limit=query["limit"]
    )
    return answer(document)


@Operation(
    blueprint,
    "GET",
    "/<match:match_id>/export",
    summary="Export a finished match",
    security=ANYBODY,
    answers={200: "Transcript"},
    refuses=(409,),
    content=TRANSCRIPT,
)
def export_match(match_id: str) -> Response:
    """The transcript `tycoon-match/1`: JSON lines with every event and the revealed seed."""
    # All of it before the first byte: an unreadable event must still become a problem.
    transcript = b"".join(services().tycoon.queries.export(match_id, caller()))
    response = Response(transcript, mimetype=TRANSCRIPT)
    response.headers["Cache-Control"] = "no-store"
    return response


@Operation(
    blueprint,
    "POST",
    "/import",
    summary="Import a finished match",
    security=KEY,
    answers={201: "Match"},
    refuses=(403, 404, 409, 422),
    takes=TRANSCRIPT,
    takes_schema="Transcript",
    keyed=True,
    made=True,
)
def import_match() -> Response:
    """Takes a transcript over under a new id; the same file again is the same match."""
    owner = must_be_key()
    if request.mimetype != TRANSCRIPT:
        raise UnsupportedMediaType
    reading.key("importMatch", None)
    request.max_content_length = services().tycoon.settings.import_limit
    with services().metrics.command("import"):
        done = services().tycoon.importer.import_match(reading.raw_body(), owner)
    note(match=done.id, version=done.match.version)
    response = answer(services().tycoon.queries.match(done.id, caller()), 201)
    response.headers["Location"] = f"/v1/matches/{done.id}"
    return response
