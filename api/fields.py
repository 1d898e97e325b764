"""Fields that take exactly one JSON type: nothing is converted, nothing is guessed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate

_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})")


class Body(Schema):
    """A JSON object without members that we don't know."""

    class Meta:
        unknown = RAISE


class Query(Schema):
    """The parameters of an address."""

    class Meta:
        unknown = RAISE


class Flag(fields.Boolean):
    """`true` or `false`; `1` and `"true"` are neither."""

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> bool:
        if value is True or value is False:
            return bool(value)
        raise self.make_error("invalid")


class QueryFlag(fields.Boolean):
    """`true` or `false` in an address."""

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> bool:
        if value in ("true", "false"):
            return bool(value == "true")
        raise self.make_error("invalid")


class QueryInteger(fields.Integer):
    """A whole number in an address, in plain ASCII digits."""

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> int:
        if isinstance(value, str) and _WHOLE.fullmatch(value):
            return int(value)
        raise self.make_error("invalid")


class Whole(validate.Regexp):
    """A pattern that the whole text must fit: `$` alone would let a line end through."""

    def __call__(self, value: Any) -> Any:
        if not self.regex.fullmatch(value):
            raise ValidationError(self._format_error(value))
        return value


def integer(low: int, high: int, **more: Any) -> fields.Integer:
    """A whole number between two bounds."""
    return fields.Integer(strict=True, validate=validate.Range(low, high), **more)


def query_integer(low: int, high: int, what: str, **more: Any) -> QueryInteger:
    """The same in an address."""
    return QueryInteger(validate=validate.Range(low, high), metadata=about(what), **more)


def text(longest: int, **more: Any) -> fields.String:
    """One line of text for people; not empty, no control characters."""
    plain = Whole(r"^[^\x00-\x1f\x7f]*$", error="No control characters.")
    return fields.String(validate=[validate.Length(1, longest), plain], **more)


def choice(*names: str, **more: Any) -> fields.String:
    """One of some words."""
    return fields.String(validate=validate.OneOf(names), **more)


def about(description: str) -> dict[str, str]:
    """What the document says of a field."""
    return {"description": description}


def limit() -> QueryInteger:
    """How many items a page has."""
    return query_integer(1, 200, "How many items the page has at most.", load_default=50)


def cursor() -> fields.String:
    """A page's `next`, to go on after it."""
    return fields.String(
        validate=validate.Length(1, 200),
        metadata=about("The `next` of the page before."),
        load_default=None,
    )
