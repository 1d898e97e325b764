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


def answer_match(document: MatchDoc[Any, Any]) -> Response:
    """A match, or 304 where the caller has these very bytes."""
    response = answer(document)
    # A hash of the body. The version would not do: names and references are kept apart from the
    # log, and who asks shows in the document. It costs 4 us for the usual 2 KB.
    response.add_etag()
    response.vary.add("Authorization")
    response.make_conditional(request)
    return response
