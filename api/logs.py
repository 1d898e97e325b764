"""One line of JSON for each request: template, status, ids, versions and codes; never content."""

from __future__ import annotations

import secrets
import sys
from time import perf_counter
from typing import Any

import structlog
from flask import Flask, Response, g, request

from api.context import services
from api.metrics import METHODS
from services.watching.logs import number_of
from shared import correlation

HEADER = "X-Request-Id"

PROBES = frozenset({"/livez", "/readyz", "/metrics"})
"""Asked every few seconds for as long as the server lives: worth a line only where refused."""


def configure(level: str) -> Any:
    """A logger that writes JSON lines to standard error.

    Raises:
        SettingsError: no such level.
    """
    return structlog.wrap_logger(
        structlog.WriteLogger(sys.stderr),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number_of(level)),
        cache_logger_on_first_use=True,
    )


def register(app: Flask) -> None:
    """Gives every request an id, and writes its line when it is answered."""
    app.before_request(begin)
    app.after_request(end)


def begin() -> None:
    """Starts the clock, and takes the caller's id of the request if it is a sane one."""
    g.started = perf_counter()
    given = correlation.given(
        request.headers.get(HEADER, ""), request.headers.get("traceparent", "")
    )
    g.correlation = given or secrets.token_hex(8)
    correlation.begin(g.correlation)


def end(response: Response) -> Response:
    """Counts the request, writes its line and hands its id back."""
    seconds = perf_counter() - g.started
    route = template()
    services().metrics.request(request.method, route, response.status_code, seconds)
    asks_often = route in PROBES and response.status_code < 400
    tell = services().log.debug if asks_often else services().log.info
    tell(
        "request",
        correlation=g.correlation,
        command=command(),
        method=request.method if request.method in METHODS else "other",
        route=route,
        status=response.status_code,
        duration_ms=round(seconds * 1000, 1),
        **g.get("noted", {}),
    )
    response.headers[HEADER] = g.correlation
    return response


def command() -> str:
    """The operation's name; `-` for an address or a method that there is not."""
    return "-" if request.endpoint is None else request.endpoint.rpartition(".")[2]


def template() -> str:
    """The route's template; an address that fits none is never repeated."""
    return "unknown" if request.url_rule is None else request.url_rule.rule
