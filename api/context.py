"""What a request needs: the services of this application, and who asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from flask import current_app, g

from api.codes import Catalogue
from api.limits import Quota
from api.metrics import Metrics
from api.rates import Rates
from services.bootstrap import Tycoon
from services.keys import Keys
from services.matches.access import Caller
from services.projections.rebuilding import Part

EXTENSION = "tycoon"


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Everything that a route may use.

    `wake` asks for a match's bots to be played soon, `hint` for a seat's hint to be thought at a
    version; neither waits. `begin_rebuild` sends the
    first task of a rebuild and raises where it can't; `ping` raises `Unavailable`.
    """

    tycoon: Tycoon
    keys: Keys
    codes: Catalogue
    rates: Rates
    quota: Quota
    metrics: Metrics
    wake: Callable[[str], None]
    hint: Callable[[str, int, int], None]
    begin_rebuild: Callable[[int, Part], None]
    ping: Callable[[], None]
    log: Any


def services() -> Services:
    """The services of the application that answers now."""
    return cast("Services", current_app.extensions[EXTENSION])


def caller() -> Caller:
    """Who asks, as `auth.authenticate` found before the route began."""
    return cast("Caller", g.caller)


def note(**facts: str | int | None) -> None:
    """Adds to this request's line in the log: ids, versions and codes only."""
    g.setdefault("noted", {}).update(facts)
