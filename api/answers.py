"""Answers: documents as JSON, with what a cache and a repeating client must know."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response, request

from services.matches.committing import Done
from services.matches.documents import MatchDoc

_encode = msgspec.json.Encoder().encode


def answer(document: Any, status: int = 200, *, public: bool = False) -> Response:
    """A document as JSON. Unless `public`, it is this caller's alone and no cache keeps it."""
    response = Response(_encode(document), status, mimetype="application/json")
    response.headers["Cache-Control"] = "public, max-age=60" if public else "no-store"
    return response


def answer_done(document: Any, done: Done, status: int = 201) -> Response:
    """The answer to a command, marked where it was carried out before."""
    response = answer(document, status)
    if done.replayed:
        response.headers["Idempotency-Replayed"] = "true"
    return response


def answer_match(document: MatchDoc[Any, Any], view_as: int | None) -> Response:
    """A match, or 304 where the caller has it: everything it shows changes with its version."""
    response = answer(document)
    looking = document.you if view_as is None else view_as
    seat = "" if looking is None else f"-{looking}"
    # Names are kept apart from the log and can be erased, so equal tags mean the same, not equal
    # bytes: a weak tag (RFC 9110, 8.8.1).
    response.set_etag(f"v{document.version}{seat}", weak=True)
    response.vary.add("Authorization")
    response.make_conditional(request)
    return response
