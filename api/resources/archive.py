"""For the operator: the archive of matches that are over."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask_smorest import Blueprint

from api.answers import answer
from api.auth import must_be_operator
from api.bodies import CursorQuery, MatchesBody
from api.context import services
from api.operation import OPERATOR, Operation

blueprint = Blueprint(
    "archive", __name__, url_prefix="/v1/admin/archive", description="Matches out of the store."
)

EXAMPLE = {"matches": ["m_" + "a" * 26]}


@Operation(
    blueprint,
    "GET",
    "",
    summary="Look at the archive",
    security=OPERATOR,
    answers={200: "Archive"},
    refuses=(403, 404),
)
def get_archive() -> Response:
    """How many matches that are over lie in the store and in the archive."""
    must_be_operator()
    return answer(services().tycoon.archive.show())


@Operation(
    blueprint,
    "GET",
    "/matches",
    summary="List what is archived",
    security=OPERATOR,
    answers={200: "Archived"},
    refuses=(403, 404),
    query=CursorQuery(),
)
def list_archived(query: dict[str, Any]) -> Response:
    """Ids of all archived matches, in no order: to restore them all, page by page."""
    must_be_operator()
    return answer(services().tycoon.archive.matches(cursor=query["cursor"]))


@Operation(
    blueprint,
    "POST",
    "",
    summary="Archive matches now",
    security=OPERATOR,
    answers={200: "Archivings"},
    refuses=(403, 404),
    body=MatchesBody(),
    example=EXAMPLE,
)
def archive_matches(body: dict[str, Any]) -> Response:
    """Brings matches that are over into the archive, however old they are.

    Queries go on as before. It may be repeated.
    """
    must_be_operator()
    return answer(services().tycoon.archive.archive(body["matches"]))


@Operation(
    blueprint,
    "POST",
    "/restore",
    summary="Restore matches from the archive",
    security=OPERATOR,
    answers={200: "Archivings"},
    refuses=(403, 404),
    body=MatchesBody(),
    example=EXAMPLE,
)
def restore_matches(body: dict[str, Any]) -> Response:
    """Puts matches back into the store. For their age they ended now. It may be repeated."""
    must_be_operator()
    return answer(services().tycoon.archive.restore(body["matches"]))
