"""One decorator for every route: what it takes, what it answers, and its place in the document."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any

from flask import Response
from flask_smorest import Blueprint
from marshmallow import Schema
from werkzeug.routing import IntegerConverter, UnicodeConverter

from api import reading
from api.auth import authenticate
from api.context import note
from services.matches.access import unknown

MATCH_ID = re.compile(r"m_[a-z2-7]{26}")
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


def operation(
    blueprint: Blueprint,
    method: str,
    rule: str,
    *,
    summary: str,
    security: Sequence[Mapping[str, Any]],
    answers: Mapping[int, str | None],
    refuses: Sequence[int] = (),
    query: Schema | None = None,
    body: Schema | None = None,
    bodies: Sequence[Schema] = (),
    content: str = JSON,
    takes: str = JSON,
    takes_schema: str | None = None,
    example: Any = None,
    keyed: bool = False,
    conditional: bool = False,
    made: bool = False,
) -> Callable[[View], View]:
    """Registers a view under its function's name.

    Args:
        answers: status -> schema of the answer in the document, `None` for no body.
        refuses: statuses of problems, beside those that follow from the other arguments.
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

    def register(view: View) -> View:
        @wraps(view)
        def carried_out(**path: Any) -> Response:
            if security is not OPEN:
                authenticate()
            match_id = path.get("match_id")
            if match_id is not None:
                if not MATCH_ID.fullmatch(match_id):
                    raise unknown()
                note(match=match_id)
            if query is not None:
                path["query"] = reading.query(query)
            if body is not None:
                path["body"] = reading.body(body)
            return view(**path)

        takes_body = body is not None or bodies or takes != JSON
        document: dict[str, Any] = {
            "operationId": _camel(view.__name__),
            "summary": summary,
            "description": _paragraph(view.__doc__),
            "security": [dict(one) for one in security],
            "responses": _responses(answers, content, keyed, conditional, made)
            | _problems(
                rule,
                refuses,
                security,
                answers,
                bool(takes_body or keyed or query),
                bool(takes_body),
            ),
        }
        parameters: list[Any] = []
        if query is not None:
            parameters.append({"in": "query", "schema": query})
        if keyed:
            parameters.append("IdempotencyKey")
        if conditional:
            parameters.append("IfNoneMatch")
        if parameters:
            document["parameters"] = parameters
        if takes_body:
            document["requestBody"] = _request_body(body, bodies, takes, takes_schema, example)
        documented = Blueprint.doc(**document)(carried_out)
        blueprint.route(rule, methods=[method])(documented)
        return carried_out

    return register


def _responses(
    answers: Mapping[int, str | None], content: str, keyed: bool, conditional: bool, made: bool
) -> dict[str, Any]:
    told = {"Idempotency-Replayed": "IdempotencyReplayed"} if keyed else {}
    told |= {"ETag": "ETag"} if conditional else {}
    told |= {"Location": "Location"} if made else {}
    found: dict[str, Any] = {}
    for status, schema in answers.items():
        response: dict[str, Any] = {"description": _MEANING[status]}
        if told:
            response["headers"] = dict(told)
        if schema is not None:
            response["content"] = {content: {"schema": schema}}
        found[str(status)] = response
    return found


def _problems(
    rule: str,
    refuses: Sequence[int],
    security: Sequence[Mapping[str, Any]],
    answers: Mapping[int, str | None],
    takes_words: bool,
    takes_body: bool,
) -> dict[str, Any]:
    statuses = {*refuses, 500}
    if security is not OPEN:
        statuses |= {401, 429, 503}
    if takes_words or takes_body:
        statuses.add(400)
    if takes_body:
        statuses |= {413, 415}
    if "<" in rule:
        statuses.add(404)
    return {str(status): f"Problem{status}" for status in sorted(statuses - set(answers))}


def _request_body(
    body: Schema | None,
    bodies: Sequence[Schema],
    takes: str,
    takes_schema: str | None,
    example: Any,
) -> dict[str, Any]:
    schema: Any = takes_schema or body
    if schema is None:
        schema = {"oneOf": list(bodies)} if bodies else {"type": "string"}
    schemas = [one for one in (body, *bodies) if one is not None]
    required = not schemas or all(any(f.required for f in s.fields.values()) for s in schemas)
    content: dict[str, Any] = {"schema": schema}
    if example is not None:
        content["example"] = example
    return {"required": required, "content": {takes: content}}


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
