"""The OpenAPI 3.1 document: flask-smorest collects the routes, this module completes them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from http import HTTPStatus
from importlib import resources
from threading import Lock
from typing import Any

import msgspec
from flask import Flask
from flask_smorest import Api

from api import components
from api.bodies import NewMatchBody, NewSeriesBody
from api.operation import (
    MATCH_ID,
    SERIES_ID,
    MatchConverter,
    NumberConverter,
    SeriesConverter,
)
from services.bootstrap import Tycoon

TITLE = "Tycoon"
VERSION = "1"
PROBLEMS = (400, 401, 403, 404, 409, 412, 413, 415, 422, 428, 429, 500, 503)

DESCRIPTION = """Get-rich games over plain HTTP.

Create a match with an API key, hand each person their seat's token or a join link, and play: read
the legal moves, post one, and read the events that follow. Every error is a problem document
(RFC 9457) with a stable `code` and, where a rule of the game forbids something, its number. Every
command can be sent again with the same `Idempotency-Key`. Clients must ignore members that they
do not know."""


class Smorest(Api):  # type: ignore[misc]  # it ships no types
    """flask-smorest's part, without its own forms of errors."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def __init__(self, *given: Any, **named: Any) -> None:
        self._served: list[Any] = []
        super().__init__(*given, **named)

    def register_blueprint(self, blueprint: Any) -> None:
        """Serves the routes at once; they are described when the document is first asked for."""
        self._app.register_blueprint(blueprint)
        self._served.append(blueprint)

    def describe(self) -> dict[str, Any]:
        """The document of all routes. Call it once."""
        for served in self._served:
            served.register_views_in_doc(
                self, self._app, self.spec, name=served.name, parameters=None
            )
            self.spec.tag({"name": served.name, "description": served.description})
        document: dict[str, Any] = self.spec.to_dict()
        return document

    def _register_error_handlers(self) -> None:
        """`api/problems.py` has them."""

    def _register_responses(self) -> None:
        """The same."""

    def _register_etag_headers(self) -> None:
        """Written by hand, for the routes that have them."""

    def _register_pagination_header(self) -> None:
        """Pages are in the body."""


def smorest(app: Flask, tycoon: Tycoon) -> Smorest:
    """The collector of routes, ready for blueprints."""
    app.config.update(API_TITLE=TITLE, API_VERSION=VERSION, OPENAPI_VERSION="3.1.0")
    app.url_map.converters |= {
        "number": NumberConverter,
        "match": MatchConverter,
        "series": SeriesConverter,
    }
    api = Smorest(
        app,
        spec_kwargs={
            "info": {"description": DESCRIPTION, "license": {"name": "MIT", "identifier": "MIT"}},
            "servers": [{"url": tycoon.settings.public_url or "/"}],
        },
    )
    number = {"type": "integer", "minimum": 0, "maximum": 999_999_999}
    match = {"type": "string", "pattern": f"^{MATCH_ID.pattern}$"}
    api.register_converter(NumberConverter, lambda converter: dict(number))
    series = {"type": "string", "pattern": f"^{SERIES_ID.pattern}$"}
    api.register_converter(MatchConverter, lambda converter: dict(match))
    api.register_converter(SeriesConverter, lambda converter: dict(series))
    api.spec.components.schema("NewMatchBody", schema=NewMatchBody)
    api.spec.components.schema("NewSeriesBody", schema=NewSeriesBody)
    for status in PROBLEMS:
        api.spec.components.response(f"Problem{status}", _problem(status))
    for name, scheme in _SCHEMES.items():
        api.spec.components.security_scheme(name, scheme)
    for name, header in _ASKED.items():
        api.spec.components.parameter(name, "header", header)
    for name, header in _TOLD.items():
        api.spec.components.header(name, header)
    return api


class Lazy:
    """Makes the document when it is first asked for, once."""

    def __init__(self, api: Smorest, tycoon: Tycoon) -> None:
        self._api = api
        self._tycoon = tycoon
        self._lock = Lock()
        self._made: bytes | None = None

    def __call__(self) -> bytes:
        """The document, encoded."""
        with self._lock:
            if self._made is None:
                self._made = complete(self._api, self._tycoon)
            return self._made


def complete(api: Smorest, tycoon: Tycoon) -> bytes:
    """The whole document, encoded: with each game's form of a new match, and with examples."""
    document = api.describe()
    schemas = document["components"]["schemas"]
    games = [hosted.game for hosted in tycoon.hall]
    schemas |= components.schemas(games)
    schemas |= components.by_game("Match", "seats", schemas.pop("NewMatchBody"), games)
    schemas |= components.by_game("Series", "bots", schemas.pop("NewSeriesBody"), games)
    schemas["MoveBody"]["properties"]["move"] = {"$ref": components.REF + "Move"}
    schemas["BudgetBody"]["oneOf"] = [{"required": [one]} for one in ("iterations", "ms")]
    for operation in _operations(document):
        for status, response in operation["responses"].items():
            _complete_response(operation["operationId"], status, response)
    document["components"]["schemas"] = dict(sorted(schemas.items()))
    return msgspec.json.encode(document)


def _operations(document: dict[str, Any]) -> Iterable[dict[str, Any]]:
    for path in document["paths"].values():
        for method, operation in path.items():
            if method != "parameters":
                yield operation


def _complete_response(operation: str, status: str, response: dict[str, Any]) -> None:
    example = _examples().get(f"{operation} {status}")
    for media in response.get("content", {}).values():
        if example is not None:
            media["example"] = example


@cache
def _examples() -> dict[str, Any]:
    """Answers of a recorded match, by operation and status (`tests/api/record_examples.py`)."""
    file = resources.files("api") / "examples.json"
    examples: dict[str, Any] = msgspec.json.decode(file.read_bytes())
    return examples


def _problem(status: int) -> dict[str, Any]:
    example = _examples().get(f"problem {status}")
    media: dict[str, Any] = {"schema": {"$ref": components.REF + "Problem"}}
    if example is not None:
        media["example"] = example
    told = {
        401: {"WWW-Authenticate": "Challenge"},
        429: {"Retry-After": "RetryAfter"},
        503: {"Retry-After": "RetryAfter"},
    }
    return {
        "description": HTTPStatus(status).phrase + ".",
        "headers": told.get(status, {}),
        "content": {"application/problem+json": media},
    }


_SCHEMES = {
    "key": {"type": "http", "scheme": "bearer", "description": "An API key, `tyk_...`."},
    "seat": {"type": "http", "scheme": "bearer", "description": "A seat's token, `tys_...`."},
    "operator": {"type": "http", "scheme": "bearer", "description": "The operator's key."},
}
_ASKED: dict[str, dict[str, Any]] = {
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "description": "Makes the command safe to send again: the same key and body are carried "
        "out once, and the repeat is marked by `Idempotency-Replayed: true`.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "description": "The `ETag` of the match as the caller has it.",
        "schema": {"type": "string"},
    },
}
_TOLD: dict[str, dict[str, Any]] = {
    "IdempotencyReplayed": {
        "description": "`true` where the command was carried out before.",
        "schema": {"type": "string", "enum": ["true"]},
    },
    "ETag": {
        "description": "Another one where any byte of the answer is another.",
        "schema": {"type": "string"},
    },
    "Location": {
        "description": "Where to look at what was made.",
        "schema": {"type": "string", "format": "uri-reference"},
    },
    "RetryAfter": {
        "description": "Seconds after which it may go well.",
        "schema": {"type": "integer", "minimum": 1},
    },
    "Challenge": {
        "description": "How to say who asks.",
        "schema": {"type": "string"},
    },
}
