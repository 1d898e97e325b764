"""Reading a request: its body, its parameters, its headers; each refused with a pointer to why."""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
from flask import request
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import (
    ClientDisconnected,
    RequestEntityTooLarge,
    UnsupportedMediaType,
)

from api import strict_json
from api.context import caller, services
from services.matches.committing import Key
from shared import ids
from shared.errors import Malformed

REPORTED = 20
"""So many errors of one request are told."""

_KEY = re.compile(r"[\x21-\x7e]{1,255}")
WEAK = 16


def body(schema: Schema, defaults: dict[str, Any] | None = None) -> dict[str, Any]:
    """The JSON object that came, checked.

    Args:
        schema: what it must be; where it needs nothing, no body at all is an empty object.
        defaults: members that came by another way, where the body does not name them.

    Raises:
        Malformed: with `errors`, a list of `{pointer, detail}`.
    """
    return load(schema, json_object(schema, defaults or {}))


def json_object(schema: Schema, defaults: dict[str, Any]) -> dict[str, Any]:
    """The JSON object that came, not checked against its schema yet."""
    raw = raw_body()
    if not raw and not any(field.required for field in schema.fields.values()):
        return defaults
    charset = request.mimetype_params.get("charset", "utf-8")
    if request.mimetype != "application/json" or charset.lower() != "utf-8":
        raise UnsupportedMediaType
    given = strict_json.read(raw, depth=services().tycoon.settings.depth_limit)
    if not isinstance(given, dict):
        raise _invalid([{"pointer": "", "detail": "Not a valid object."}])
    return {**defaults, **given}


def raw_body() -> bytes:
    """The body's bytes, all of them (RFC 9112, 8).

    Of a chunked body granian tells a lost end and an end alike; a cut there is found only where
    what came is no whole document.

    Raises:
        RequestEntityTooLarge: more than this server takes.
        Malformed: `request.incomplete`, another number of bytes than `Content-Length` says.
    """
    length = request.content_length
    try:
        raw = request.get_data(cache=False)
    except ClientDisconnected as gone:
        raise _incomplete() from gone
    if length is not None and len(raw) != length:
        raise _incomplete()
    # Of a body that does not tell its length Werkzeug reads up to the limit and says nothing.
    if length is None and len(raw) >= (request.max_content_length or 0) > 0:
        raise RequestEntityTooLarge
    return raw


def _incomplete() -> Malformed:
    return Malformed("request.incomplete", "The body ended before its Content-Length.")


def load(schema: Schema, given: dict[str, Any]) -> dict[str, Any]:
    """Checks values against a schema. Raises `Malformed`."""
    try:
        loaded: dict[str, Any] = schema.load(given)
    except ValidationError as wrong:
        found = _flat("", wrong.messages)
        raise _invalid([{"pointer": at, "detail": why} for at, why in found]) from wrong
    return loaded


def query(schema: Schema) -> dict[str, Any]:
    """The parameters of the address, each at most once. Raises `Malformed`."""
    if not request.query_string:
        return dict(_without(schema))
    twice = [name for name, values in request.args.lists() if len(values) > 1]
    if twice:
        raise _invalid([{"parameter": name, "detail": "Given twice."} for name in twice])
    try:
        loaded: dict[str, Any] = schema.load(request.args.to_dict())
    except ValidationError as wrong:
        found = _flat("", wrong.messages)
        errors = [{"parameter": at.lstrip("/"), "detail": why} for at, why in found]
        raise _invalid(errors) from wrong
    return loaded


@cache
def _without(schema: Schema) -> dict[str, Any]:
    """What an address without parameters means."""
    loaded: dict[str, Any] = schema.load({})
    return loaded


def key(command: str, given: Any, credential: str | None = None) -> Key | None:
    """The `Idempotency-Key` of this command, with what it came with.

    Args:
        command: the command and its match.
        given: what the command was asked to do; the same key with another is refused later.
        credential: who asks, where that is not the caller's key or token.

    Raises:
        Malformed: not 1 to 255 visible ASCII characters; or a key that anyone could guess where
            it is all that tells one caller from another.
    """
    header = request.headers.get("Idempotency-Key")
    if header is None:
        return None
    if not _KEY.fullmatch(header):
        raise _invalid(
            [{"header": "Idempotency-Key", "detail": "1 to 255 visible ASCII characters."}]
        )
    if credential is not None and len(header) < WEAK:
        raise Malformed(
            "request.weak-key",
            f"Without a credential an Idempotency-Key must have at least {WEAK} characters.",
        )
    canonical = msgspec.json.encode(given, order="sorted")
    return Key(
        given=header,
        id=ids.command_id(credential or caller().name, command, header),
        # Keyed, for it is kept: else whoever guesses a name that was in it could tell, even from
        # what is left of a match when its names are erased.
        body=hmac.digest(services().tycoon.settings.server_key.encode(), canonical, "sha256").hex(),
    )


def _flat(at: str, messages: Any) -> Iterator[tuple[str, str]]:
    """Marshmallow's nested messages as JSON pointers (RFC 6901)."""
    if isinstance(messages, dict):
        for name, held in messages.items():
            step = str(name)[:64].replace("~", "~0").replace("/", "~1")
            # `_schema` is the object itself; `key` and `value` are a mapping's two halves.
            yield from _flat(at if name in ("_schema", "value", "key") else f"{at}/{step}", held)
    elif isinstance(messages, list):
        for held in messages:
            yield from _flat(at, held)
    else:
        yield at, str(messages)


def _invalid(errors: list[dict[str, str]]) -> Malformed:
    return Malformed(
        "request.invalid", "The request does not fit its schema.", errors=errors[:REPORTED]
    )
