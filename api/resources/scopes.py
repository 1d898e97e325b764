"""Whose matches a list shows."""

from __future__ import annotations

from api.auth import must_be_key
from api.context import caller
from services.projections.lists import Scope


def scope_of(asked: Scope | None) -> tuple[Scope, str | None]:
    """The scope and its API key: an API key sees its own unless it asks for the public ones.

    Raises:
        Unauthenticated, Forbidden: `mine`, asked for by somebody without an API key.
    """
    scope: Scope = asked or ("mine" if caller().kind == "key" else "public")
    return scope, must_be_key() if scope == "mine" else None
