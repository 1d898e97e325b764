"""Series: many matches of one line-up of bots, asked for at once and looked at while they run."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from flask import Response
from flask_smorest import Blueprint

from api import reading
from api.answers import answer
from api.auth import must_be_key
from api.bodies import NOTHING, NewSeriesBody, PageQuery
from api.context import note, services
from api.operation import KEY, Operation
from api.resources.events import TRANSCRIPT
from services.bots.levels import with_budget
from services.series.commands import SeriesCommands
from services.series.queries import SeriesQueries
from services.series.spec import NewSeries

blueprint = Blueprint(
    "series", __name__, url_prefix="/v1/series", description="Bots against bots in bulk."
)

CSV = "text/csv"


@Operation(
    blueprint,
    "POST",
    "",
    summary="Create a series",
    security=KEY,
    answers={202: "Series"},
    refuses=(403, 422),
    body=NewSeriesBody(),
    takes_schema="NewSeries",
    example={
        "game": "daifugo",
        "bots": [
            {"level": "search", "budget": {"iterations": 50}},
            *[{"level": "greedy"}] * 3,
        ],
        "matches": 2000,
        "options": {"rounds": 1},
    },
    keyed=True,
    made=True,
)
def create_series(body: dict[str, Any]) -> Response:
    """Begins many matches of one line-up of bots; their results can be looked at from now on.

    The same seed, line-up and build give the same results, if no budget is in ms.
    """
    owner = must_be_key()
    made = _commands().create(_new_series(body), owner, reading.key("createSeries", body))
    note(series=made.doc.id)
    response = answer(made.doc, 202)
    response.headers["Location"] = f"/v1/series/{made.doc.id}"
    if made.repeated:
        response.headers["Idempotency-Replayed"] = "true"
    return response


def _new_series(body: dict[str, Any]) -> NewSeries:
    levels = [with_budget(bot["level"], bot["budget"]) or "" for bot in body["bots"]]
    return NewSeries(**{**body, "bots": tuple(levels)})


@Operation(
    blueprint,
    "GET",
    "",
    summary="List series",
    security=KEY,
    answers={200: "SeriesPage"},
    refuses=(403,),
    query=PageQuery(),
)
def list_series(query: dict[str, Any]) -> Response:
    """An API key's own series, by creation."""
    return answer(_queries().page(must_be_key(), cursor=query["cursor"], limit=query["limit"]))


@Operation(
    blueprint,
    "GET",
    "/<series:series_id>",
    summary="Look at a series",
    security=KEY,
    answers={200: "Series"},
    refuses=(403,),
)
def get_series(series_id: str) -> Response:
    """How far it is, and its results so far: for each bot, each seat, each bot at each seat."""
    return answer(_queries().get(series_id, must_be_key()))


@Operation(
    blueprint,
    "DELETE",
    "/<series:series_id>",
    summary="Delete a series",
    security=KEY,
    answers={204: None},
    refuses=(403,),
)
def delete_series(series_id: str) -> Response:
    """Forgets a series, running or not, with its results and files."""
    _commands().delete(series_id, must_be_key())
    return Response(status=204)


@Operation(
    blueprint,
    "POST",
    "/<series:series_id>/pause",
    summary="Pause a series",
    security=KEY,
    answers={200: "Series"},
    refuses=(403, 409),
    body=NOTHING,
)
def pause_series(series_id: str, body: dict[str, Any]) -> Response:
    """Nothing more is played until it is resumed. What is being played now is still counted."""
    return answer(_commands().pause(series_id, must_be_key()))


@Operation(
    blueprint,
    "POST",
    "/<series:series_id>/resume",
    summary="Resume a series",
    security=KEY,
    answers={200: "Series"},
    refuses=(403, 409),
    body=NOTHING,
)
def resume_series(series_id: str, body: dict[str, Any]) -> Response:
    """Goes on after a pause."""
    return answer(_commands().resume(series_id, must_be_key()))


@Operation(
    blueprint,
    "POST",
    "/<series:series_id>/cancel",
    summary="Cancel a series",
    security=KEY,
    answers={200: "Series"},
    refuses=(403, 409),
    body=NOTHING,
)
def cancel_series(series_id: str, body: dict[str, Any]) -> Response:
    """Ends it for good; the results so far stay."""
    return answer(_commands().cancel(series_id, must_be_key()))


@Operation(
    blueprint,
    "GET",
    "/<series:series_id>/results",
    summary="Read the results of every match",
    security=KEY,
    answers={200: "SeriesRows"},
    refuses=(403,),
    content=TRANSCRIPT,
)
def list_series_results(series_id: str) -> Response:
    """One JSON object a line for each match that was played, in their order."""
    return _streamed(_queries().results(series_id, must_be_key(), "jsonl"), TRANSCRIPT)


@Operation(
    blueprint,
    "GET",
    "/<series:series_id>/results.csv",
    summary="Read the results of every match as CSV",
    security=KEY,
    answers={200: "SeriesTable"},
    refuses=(403,),
    content=CSV,
)
def list_series_results_as_csv(series_id: str) -> Response:
    """A header and one line for each match that was played; what is by seat has its columns."""
    return _streamed(_queries().results(series_id, must_be_key(), "csv"), CSV)


@Operation(
    blueprint,
    "GET",
    "/<series:series_id>/matches/<number:match>",
    summary="Read the transcript of a match",
    security=KEY,
    answers={200: "Transcript"},
    refuses=(403,),
    content=TRANSCRIPT,
)
def get_series_match(series_id: str, match: int) -> Response:
    """The transcript `tycoon-match/1` of a match whose transcript was kept."""
    lines = _queries().transcript(series_id, must_be_key(), match)
    return _streamed(lines, TRANSCRIPT)


def _streamed(lines: Iterator[bytes], mimetype: str) -> Response:
    # The first row, which a header may precede, is read before the first byte is sent: files that
    # are away become a problem.
    begun = list(islice(lines, 2))
    response = Response(chain(begun, lines), mimetype=mimetype)
    response.headers["Cache-Control"] = "no-store"
    return response


def _commands() -> SeriesCommands:
    return services().tycoon.series


def _queries() -> SeriesQueries:
    return services().tycoon.series_queries
