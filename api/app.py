"""The HTTP application: services in, a WSGI application out. Nothing is made at import time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask, Response
from flask_cors import CORS
from werkzeug.middleware.proxy_fix import ProxyFix

from api import document, logs, problems
from api.codes import Catalogue
from api.context import EXTENSION, Services
from api.limits import Quota
from api.metrics import Metrics
from api.rates import Rates
from api.resources import (
    admin,
    archive,
    erasures,
    events,
    games,
    hints,
    matches,
    moves,
    seats,
    series,
    system,
)
from services.bootstrap import Tycoon
from services.keys import Keys
from services.projections.rebuilding import Part
from shared.rates import Tally

RESOURCES = (
    *(games, matches, seats, moves, hints, events, erasures),
    *(series, admin, archive, system),
)
EXPOSED = ("ETag", "Location", "Retry-After", "X-Request-Id", "Idempotency-Replayed")
ALLOWED = ("Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "X-Request-Id")


def create_app(
    tycoon: Tycoon,
    keys: Keys,
    tally: Tally,
    *,
    wake: Callable[[str], None],
    hint: Callable[[str, int, int], None],
    begin_rebuild: Callable[[int, Part], None],
    ping: Callable[[], None],
    metrics: Metrics,
    log: Any,
) -> Flask:
    """Builds the application.

    Args:
        tycoon: the wired services.
        keys: who may create matches.
        tally: counts requests, for all processes together.
        wake: asks for a match's bots to be played soon; never waits, never raises.
        hint: asks for the hint of a match's seat at a version; never waits, never raises.
        begin_rebuild: sends the first task of a rebuild; raises `Unavailable`.
        ping: raises `Unavailable` while requests should not come here.
        metrics: what this process counts.
        log: a structlog logger.
    """
    app = Flask("api", static_folder="static", static_url_path="/docs")
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False  # no redirects: an address is right or unknown
    app.config["MAX_CONTENT_LENGTH"] = tycoon.settings.body_limit
    app.extensions[EXTENSION] = Services(
        tycoon=tycoon,
        keys=keys,
        codes=Catalogue([hosted.game for hosted in tycoon.hall]),
        rates=Rates(tycoon.settings, tycoon.clock, tally, log),
        quota=Quota(tycoon),
        metrics=metrics,
        wake=wake,
        hint=hint,
        begin_rebuild=begin_rebuild,
        ping=ping,
        log=log,
    )
    if tycoon.settings.trusted_proxies:
        # Their word is taken for the address alone: not for scheme, host or path.
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]  # as Flask's documentation does it
            app.wsgi_app, x_for=tycoon.settings.trusted_proxies, x_proto=0, x_host=0
        )
    logs.register(app)
    app.after_request(_secure)
    if tycoon.settings.cors_origins:
        _allow(app, tycoon.settings.cors_origins)
    problems.register(app)
    api = document.smorest(app, tycoon)
    for resource in RESOURCES:
        api.register_blueprint(resource.blueprint)
    app.extensions[system.DOCUMENT] = document.Lazy(api, tycoon)
    return app


def _secure(response: Response) -> Response:
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


def _allow(app: Flask, origins: str) -> None:
    wanted = [origin.strip() for origin in origins.split(",") if origin.strip()]
    CORS(app, origins=wanted, allow_headers=list(ALLOWED), expose_headers=list(EXPOSED))
