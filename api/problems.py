"""Every error as RFC 9457 `application/problem+json`: refusals, HTTP's own errors, and bugs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from flask import Flask, Response, g, request
from werkzeug.datastructures import Accept
from werkzeug.exceptions import HTTPException, PreconditionFailed

from api.context import note, services
from services.matches.access import bad_token
from shared.errors import (
    Conflict,
    Corrupt,
    Forbidden,
    Malformed,
    Newer,
    NotFound,
    PreconditionRequired,
    Refused,
    TooLarge,
    TooMany,
    Unauthenticated,
    Unavailable,
    Unprocessable,
    places,
)

STATUS: Mapping[type[Refused], int] = {
    Malformed: 400,
    Unauthenticated: 401,
    Forbidden: 403,
    NotFound: 404,
    Conflict: 409,
    TooLarge: 413,
    Unprocessable: 422,
    PreconditionRequired: 428,
    TooMany: 429,
    Unavailable: 503,
}
"""Class of a refusal -> status; a subclass has its parent's."""

WAIT_S = {429: 60, 503: 1}
"""Seconds after which to ask again, where nobody knows better: these always say `Retry-After`."""

HTTP_CODES = {
    400: ("request.refused", "This request can't be read."),
    404: ("request.unknown-route", "There is nothing at this address."),
    405: ("request.method-not-allowed", "This address does not know this method."),
    412: ("request.precondition-failed", "What was asked for is not as `If-Match` says."),
    413: ("request.too-large", "The body is larger than this server takes."),
    415: ("request.unsupported-media-type", "The body must have another Content-Type."),
    416: ("request.range-not-satisfiable", "What was asked for has no such range."),
}
"""What Flask and Werkzeug refuse here -> code and sentence; whatever else they have is 400."""

KEPT = ("Allow", "Content-Range")
"""Headers of theirs that a problem keeps."""

LANGUAGES = ("en", "ja")
MEDIA_TYPE = "application/problem+json"


def register(app: Flask) -> None:
    """Makes every error of an application a problem."""
    app.register_error_handler(Refused, refused)
    app.register_error_handler(HTTPException, http_error)
    app.register_error_handler(Corrupt, unreadable)
    app.register_error_handler(Newer, newer)
    app.register_error_handler(Exception, bug)
    app.after_request(dress)


def refused(refusal: Refused) -> Response:
    """A refusal of the domain, or of the edge before it."""
    refusal = _unknown_to(refusal)
    status = next(STATUS[kind] for kind in type(refusal).__mro__ if kind in STATUS)
    extra = dict(refusal.extra)
    headers: dict[str, str] = {}
    if "retry_after" in extra:
        headers["Retry-After"] = str(extra.pop("retry_after"))
    if status == 401:
        broken = "" if refusal.code == "auth.required" else ', error="invalid_token"'
        headers["WWW-Authenticate"] = f'Bearer realm="tycoon"{broken}'
    if status == 409:
        services().metrics.conflict(refusal.code)
    return problem(
        refusal.code, status, refusal.detail, rule=refusal.rule, extra=extra, headers=headers
    )


def _unknown_to(refusal: Refused) -> Refused:
    # A token that is not valid at a match must not tell whether there is such a match.
    asker = g.get("caller")
    if refusal.code == "match.unknown" and asker is not None and asker.kind == "seat":
        return bad_token()
    return refusal


def http_error(error: HTTPException) -> Response:
    """What Flask or Werkzeug refuses before any of our code runs."""
    status = error.code or 500
    if status >= 500:
        return bug(error)
    status = status if status in HTTP_CODES else 400
    code, detail = HTTP_CODES[status]
    headers = {name: value for name, value in error.get_headers() if name in KEPT}
    return problem(code, status, detail, headers=headers)


def dress(response: Response) -> Response:
    """A condition that failed, which Werkzeug writes into the answer and does not raise."""
    if response.status_code != 412:
        return response
    response.close()
    return http_error(PreconditionFailed())


def unreadable(broken: Corrupt) -> Response:
    """A stored match that this build can't read. It is reported and left alone."""
    _report(broken)
    return problem("store.unreadable", 500, "This match can't be read by this server.")


def newer(beyond: Newer) -> Response:
    """A match that a newer build has written: while both run, another process can read it."""
    _report(beyond)
    return problem(
        "store.newer",
        503,
        "This match was written by a newer version of this server, which is being introduced; "
        "try again in a moment.",
    )


def bug(error: Exception) -> Response:
    """Whatever else is raised. The caller learns nothing of it; the log where it was, no values."""
    _report(error)
    return problem("request.failed", 500, "Something went wrong here; it has been logged.")


def _report(error: Exception) -> None:
    services().log.error("failed", error=type(error).__name__, where=places(error))


def problem(
    code: str,
    status: int,
    detail: str,
    *,
    rule: str | None = None,
    extra: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """One problem document in the language that the caller asks for."""
    note(code=code)
    body = {
        "type": f"/problems/{code}",
        "title": title(code),
        "status": status,
        "detail": detail,
        "code": code,
        **({} if rule is None else {"rule": rule}),
        **(extra or {}),
    }
    response = Response(msgspec.json.encode(body), status, mimetype=MEDIA_TYPE)
    response.headers["Content-Language"] = language()
    response.headers["Cache-Control"] = "no-store"
    response.vary.add("Accept-Language")
    if status in WAIT_S:
        response.headers["Retry-After"] = str(WAIT_S[status])
    response.headers.update(headers or {})
    return response


def title(code: str) -> str:
    """The code's title in the caller's language."""
    known = services().codes.get(code)
    return "Refused" if known is None else str(getattr(known.title, language()))


def language() -> str:
    """`en` or `ja`, whichever the caller likes better (RFC 9110, 12.5.4)."""
    # Werkzeug's own choice among languages takes `en;q=0.1` before `ja-JP`.
    liked = Accept((tag.partition("-")[0], q) for tag, q in request.accept_languages)
    return liked.best_match(LANGUAGES) or LANGUAGES[0]
