"""About the server itself: health, metrics, codes, and its own document."""

from __future__ import annotations

from flask import Response, current_app
from flask_smorest import Blueprint

from api import metrics
from api.answers import answer
from api.context import services
from api.documents import CodeDoc, ReadyDoc
from api.operation import OPEN, Operation
from shared.errors import NotFound

blueprint = Blueprint("system", __name__, description="The server itself.")

DOCUMENT = "openapi"
"""Name under which the application keeps its document, encoded."""


@Operation(
    blueprint,
    "GET",
    "/livez",
    summary="Is the process alive",
    security=OPEN,
    answers={200: "Ready"},
)
def get_livez() -> Response:
    """Answers without looking at anything else."""
    return answer(ReadyDoc())


@Operation(
    blueprint,
    "GET",
    "/readyz",
    summary="Can it serve",
    security=OPEN,
    answers={200: "Ready"},
    refuses=(503,),
)
def get_readyz() -> Response:
    """503 while the store does not answer, and once the server is stopping."""
    services().ping()
    return answer(ReadyDoc())


@Operation(
    blueprint,
    "GET",
    "/metrics",
    summary="Metrics for Prometheus",
    security=OPEN,
    answers={200: "MetricsText"},
    content="text/plain",
)
def get_metrics() -> Response:
    """Counters in Prometheus's text format."""
    return Response(services().metrics.text(), content_type=metrics.CONTENT_TYPE)


@Operation(
    blueprint,
    "GET",
    "/problems/<code>",
    summary="Explain a problem's code",
    security=OPEN,
    answers={200: "Code"},
)
def get_problem(code: str) -> Response:
    """What a code means; the `type` of every problem leads here."""
    found = services().codes.get(code)
    if found is None:
        raise NotFound("request.unknown-problem", "No problem has this code.")
    document = CodeDoc(type=f"/problems/{code}", code=code, status=found.status, title=found.title)
    return answer(document, public=True)


@Operation(
    blueprint,
    "GET",
    "/openapi.json",
    summary="This document",
    security=OPEN,
    answers={200: "OpenApi"},
)
def get_openapi() -> Response:
    """The OpenAPI 3.1 document of this server with its games."""
    return Response(current_app.extensions[DOCUMENT](), mimetype="application/json")


@Operation(
    blueprint,
    "GET",
    "/docs",
    summary="Read this document",
    security=OPEN,
    answers={200: "Page", 304: None},
    content="text/html",
)
def get_docs() -> Response:
    """The document for people; its scripts come from this server alone."""
    response = current_app.send_static_file("docs.html")
    response.headers["Content-Security-Policy"] = (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return response
