"""The server's own document, held against what it really answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from jsonschema.validators import extend
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

URN = "urn:openapi"
METHODS = ("get", "put", "post", "delete", "patch")
Json = Any


def _one_of(validator: Any, options: Json, value: Json, schema: Json) -> Iterator[Any]:
    """`oneOf` as a client reads it: by the discriminator, where there is one."""
    by = schema.get("discriminator")
    if by is None or not isinstance(value, dict):
        yield from Draft202012Validator.VALIDATORS["oneOf"](validator, options, value, schema)
        return
    chosen = by["mapping"].get(value.get(by["propertyName"]))
    if chosen is None:
        yield ValidationError(f"{value.get(by['propertyName'])!r} is not in the mapping")
        return
    yield from validator.descend(value, {"$ref": URN + chosen})


Checker = extend(Draft202012Validator, {"oneOf": _one_of})


class Document:
    """An OpenAPI document with its schemas compiled as they are needed."""

    def __init__(self, content: Json) -> None:
        self.content = content
        self.strict = False
        self._validators: dict[str, Draft202012Validator] = {}
        resource = Resource(contents=content, specification=DRAFT202012)
        self._registry: Registry[Json] = Registry().with_resource(URN, resource)

    @cached_property
    def _templates(self) -> list[tuple[re.Pattern[str], Json]]:
        # A fixed path goes before one with a parameter at the same place.
        paths = sorted(self.content["paths"].items(), key=lambda item: item[0].count("{"))
        return [(re.compile(re.sub(r"{\w+}", "[^/]+", path)), item) for path, item in paths]

    def operations(self) -> list[tuple[str, str, Json]]:
        """Path, method, operation."""
        return [
            (path, method, item[method])
            for path, item in self.content["paths"].items()
            for method in METHODS
            if method in item
        ]

    def path_item(self, path: str) -> Json | None:
        return next((item for form, item in self._templates if form.fullmatch(path)), None)

    def resolve(self, value: Json) -> Json:
        while "$ref" in value:
            for step in value["$ref"].removeprefix("#/").split("/"):
                value = value if step == "#" else self._step(value, step)
        return value

    def _step(self, value: Json, step: str) -> Json:
        return self.content[step] if step == "components" else value[step]

    def check(self, schema: Json, value: Json, what: str) -> None:
        """Fails where the value does not fit a schema of the document."""
        validator = self._validators.get(str(schema))
        if validator is None:
            wanted = _absolute(schema)
            validator = Checker(wanted, registry=self._registry, format_checker=FormatChecker())
            self._validators[str(schema)] = validator
        for error in validator.iter_errors(value):
            deepest = _deepest(error)
            raise AssertionError(f"{what}: {deepest.json_path}: {deepest.message}"[:2_000])

    def check_answer(self, method: str, path: str, answer: Any) -> None:
        """Fails where an answer is none that the document promises."""
        item, what = self.path_item(path), f"{method} {path} {answer.status_code}"
        operation = None if item is None else item.get(method.lower())
        if operation is None:
            assert answer.status_code in (200, 401, 404, 405, 429) or item is None, what
            if answer.status_code >= 400 and method != "HEAD":
                self.check_problem(answer, what)
            return
        responses = operation["responses"]
        assert str(answer.status_code) in responses, f"{what} is not in the document"
        response = self.resolve(responses[str(answer.status_code)])
        if answer.status_code >= 400:
            self.check_problem(answer, what)
        content = response.get("content", {})
        if not content:
            assert not answer.data, f"{what} has a body"
            return
        assert answer.mimetype in content, f"{what} is {answer.mimetype}"
        if answer.mimetype in ("application/json", "application/problem+json"):
            self.check(content[answer.mimetype]["schema"], answer.json, what)

    def check_problem(self, answer: Any, what: str) -> None:
        assert answer.mimetype == "application/problem+json", f"{what}: {answer.mimetype}"
        self.check({"$ref": "#/components/schemas/Problem"}, answer.json, what)
        assert answer.json["status"] == answer.status_code, what
        assert answer.json["type"] == f"/problems/{answer.json['code']}", what

    def check_request(self, method: str, path: str, body: Json) -> None:
        """Fails where an accepted body is none that the document allows."""
        item = self.path_item(path)
        taken = None if item is None else item[method.lower()].get("requestBody")
        if taken is not None and "application/json" in taken["content"]:
            schema = taken["content"]["application/json"]["schema"]
            self.check(schema, body, f"body of {method} {path}")


def _absolute(value: Json) -> Json:
    """The schema with its references into the document."""
    if isinstance(value, dict):
        return {
            key: URN + held if key == "$ref" else _absolute(held) for key, held in value.items()
        }
    return [_absolute(held) for held in value] if isinstance(value, list) else value


def _deepest(error: Any) -> Any:
    """The error inside the branch of a union that came nearest."""
    while error.context:
        error = max(error.context, key=lambda inner: len(inner.absolute_path))
    return error
