"""Who asks: the `Authorization: Bearer` header, read before every route that is not open to all."""

from __future__ import annotations

import re

from flask import g, request

from api.context import caller, services
from services.matches.access import NOBODY, Caller
from shared import ids
from shared.errors import Forbidden, NotFound, Unauthenticated

_SEAT_TOKEN = re.compile(r"tys_[0-9]{1,3}_[a-z2-7]{32}")


def authenticate() -> None:
    """Finds out who asks and counts the request against the caller's rate, or the address's.

    A seat's token is only read here; each match checks it against its own seats.

    Raises:
        Unauthenticated: a header that can't be read, or a key that is not valid.
        TooMany: the rate is used up.
    """
    rates, address = services().rates, request.remote_addr or ""
    try:
        g.caller = _caller(request.headers.get("Authorization"))
    except Unauthenticated:
        rates.count(NOBODY, address)
        raise
    rates.count(g.caller, address)


def _caller(header: str | None) -> Caller:
    if header is None:
        return NOBODY
    scheme, _, credential = header.partition(" ")
    if scheme.lower() != "bearer" or not credential.isascii():
        raise Unauthenticated("auth.bad-header", "Send `Authorization: Bearer <key or token>`.")
    if credential.startswith("tyk_"):
        return Caller("key", services().keys.owner(credential))
    if credential.startswith("tyo_"):
        return _operator(credential)
    if _SEAT_TOKEN.fullmatch(credential):
        return Caller("seat", credential)
    raise Unauthenticated("auth.bad-header", "This is neither a key nor a seat's token.")


def _operator(credential: str) -> Caller:
    key = services().tycoon.settings.operator_key
    if key and ids.same(credential, key):
        return Caller("operator", "operator")
    raise Unauthenticated("auth.bad-key", "This operator's key is not valid.")


def must_be_key() -> str:
    """The id of the caller's API key. Raises for everybody else."""
    asker = caller()
    if asker.kind == "nobody":
        raise Unauthenticated("auth.required", "This needs an API key.")
    if asker.kind != "key":
        raise Forbidden("auth.key-required", "Only an API key may do this.")
    return asker.name


def must_be_operator() -> None:
    """Raises unless the operator asks; where there is no operator's key there is no such route."""
    if not services().tycoon.settings.operator_key:
        raise NotFound("request.unknown-route", "There is nothing at this address.")
    if caller().kind == "nobody":
        raise Unauthenticated("auth.required", "This needs the operator's key.")
    if caller().kind != "operator":
        raise Forbidden("auth.operator-required", "Only the operator may do this.")
