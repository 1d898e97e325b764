"""One record for every route: what it takes, what it answers, and its place in the document."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from flask import Response
from flask_smorest import Blueprint
from marshmallow import Schema
from werkzeug.routing import IntegerConverter, UnicodeConverter

from api import reading
from api.auth import authenticate
from api.context import caller, note, services
from services.matches.access import unknown
from services.series.queries import unknown_series

MATCH_ID = re.compile(r"m_[a-z2-7]{26}")
SERIES_ID = re.compile(r"s_[a-z2-7]{26}")
JSON = "application/json"
View = Callable[..., Response]

ANYBODY: Sequence[Mapping[str, Any]] = ({}, {"key": []}, {"seat": []})
KEY: Sequence[Mapping[str, Any]] = ({"key": []},)
SEAT: Sequence[Mapping[str, Any]] = ({"seat": []},)
KEY_OR_SEAT: Sequence[Mapping[str, Any]] = ({"key": []}, {"seat": []})
OPERATOR: Sequence[Mapping[str, Any]] = ({"operator": []},)
OPEN: Sequence[Mapping[str, Any]] = ({},)


class NumberConverter(IntegerConverter):
    """A whole number in a path, in ASCII digits, and not a long one."""

    regex = "[0-9]{1,9}"


class MatchConverter(UnicodeConverter):
    """A match's id; what can't be one is an unknown match, not an unknown address."""


class SeriesConverter(UnicodeConverter):
    """A series' id; the same holds for it."""


@dataclass(frozen=True, kw_only=True)
class Operation:
    """A route: registers the view that it decorates under the view's name.

    Attributes:
        rule: its address, as Werkzeug writes it, below the blueprint's.
        security: who may ask, as OpenAPI writes it; `OPEN` looks at no credential at all.
        answers: status -> schema of the answer in the document, `None` for no body.
        refuses: statuses of problems, beside those that follow from the other attributes.
        query: parameters of the address, handed to the view as `query`.
        body: the JSON body, handed to the view as `body`.
        bodies: bodies that the view itself tells apart.
        content: media type of the answer.
        takes: media type of the body, where it is not read as `body`.
        takes_schema: name of the body's schema where it is finer than what `body` checks.
        example: of the body.
        keyed: whether an `Idempotency-Key` may be sent.
        conditional: whether `If-None-Match` may be sent.
        made: whether the answer says by `Location` where to look at what was made.
    """

    blueprint: Blueprint = field(kw_only=False)
    method: str = field(kw_only=False)
    rule: str = field(kw_only=False)
    summary: str
    security: Sequence[Mapping[str, Any]]
    answers: Mapping[int, str | None]
    refuses: Sequence[int] = ()
    query: Schema | None = None
    body: Schema | None = None
    bodies: Sequence[Schema] = ()
    content: str = JSON
    takes: str = JSON
    takes_schema: str | None = None
    example: Any = None
    keyed: bool = False
    conditional: bool = False
    made: bool = False

    def __call__(self, view: View) -> View:
        @wraps(view)
        def checked(**path: Any) -> Response:
            answer = view(**self._arguments(path))
            if "match_id" in path:
                services().rates.prove(caller())
            return answer

        documented = Blueprint.doc(**_document(self, view))(checked)
        self.blueprint.route(self.rule, methods=[self.method])(documented)
        return checked

    def _arguments(self, path: dict[str, Any]) -> dict[str, Any]:
        """What the view is called with, once it is known who asks and that the request fits."""
        if self.security is not OPEN:
            authenticate()
        match_id = path.get("match_id")
        if match_id is not None:
            if not MATCH_ID.fullmatch(match_id):
                raise unknown()
            note(match=match_id)
        series_id = path.get("series_id")
        if series_id is not None:
            if not SERIES_ID.fullmatch(series_id):
                raise unknown_series()
            note(series=series_id)
        if self.query is not None:
            path["query"] = reading.query(self.query)
        if self.body is not None:
            path["body"] = reading.body(self.body)
        return path

    @property
    def takes_body(self) -> bool:
        """Whether any body is looked at."""
        return self.body is not None or bool(self.bodies) or self.takes != JSON


def _document(operation: Operation, view: View) -> dict[str, Any]:
    """Its place in the document; members that would be empty are left out."""
    document: dict[str, Any] = {
        "operationId": _camel(view.__name__),
        "summary": operation.summary,
        "description": _paragraph(view.__doc__),
        "security": [dict(one) for one in operation.security],
        "responses": _responses(operation) | _problems(operation),
    }
    if parameters := _parameters(operation):
        document["parameters"] = parameters
    if operation.takes_body:
        document["requestBody"] = _request_body(operation)
    return document


def _parameters(operation: Operation) -> list[Any]:
    found: list[Any] = []
    if operation.query is not None:
        found.append({"in": "query", "schema": operation.query})
    if operation.keyed:
        found.append("IdempotencyKey")
    if operation.conditional:
        found.append("IfNoneMatch")
    return found


def _responses(operation: Operation) -> dict[str, Any]:
    told = {"Idempotency-Replayed": "IdempotencyReplayed"} if operation.keyed else {}
    told |= {"ETag": "ETag"} if operation.conditional else {}
    told |= {"Location": "Location"} if operation.made else {}
    found: dict[str, Any] = {}
    for status, schema in operation.answers.items():
        response: dict[str, Any] = {"description": _MEANING[status]}
        if told:
            response["headers"] = dict(told)
        if schema is not None:
            response["content"] = {operation.content: {"schema": schema}}
        found[str(status)] = response
    return found


def _problems(operation: Operation) -> dict[str, Any]:
    statuses = {*operation.refuses, 500}
    if operation.security is not OPEN:
        statuses |= {401, 429, 503}
    if operation.takes_body or operation.keyed or operation.query is not None:
        statuses.add(400)
    if operation.takes_body:
        statuses |= {413, 415}
    if operation.conditional:
        statuses.add(412)
    if "<" in operation.rule:
        statuses.add(404)
    return {str(status): f"Problem{status}" for status in sorted(statuses - set(operation.answers))}


def _request_body(operation: Operation) -> dict[str, Any]:
    schemas = [one for one in (operation.body, *operation.bodies) if one is not None]
    schema: Any = operation.takes_schema or operation.body
    if schema is None:
        schema = {"oneOf": list(operation.bodies)} if operation.bodies else {"type": "string"}
    required = not schemas or all(any(f.required for f in s.fields.values()) for s in schemas)
    content: dict[str, Any] = {"schema": schema}
    if operation.example is not None:
        content["example"] = operation.example
    return {"required": required, "content": {operation.takes: content}}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _paragraph(text: str | None) -> str:
    return " ".join((text or "").split())


_MEANING = {
    200: "The answer.",
    201: "Carried out.",
    202: "Begun.",
    204: "Done; there is nothing to say.",
    304: "The caller has this version already.",
}
