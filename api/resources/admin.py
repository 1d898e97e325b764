"""For the operator: API keys, and rebuilds of the projections."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask_smorest import Blueprint

from api import reading
from api.answers import answer
from api.auth import must_be_operator
from api.bodies import NOTHING, NewKeyBody
from api.context import services
from api.documents import KeyDoc, KeysDoc, NewKeyDoc
from api.operation import OPERATOR, Operation
from services.matches.documents import instant
from shared.errors import NotFound

blueprint = Blueprint("admin", __name__, url_prefix="/v1/admin", description="For the operator.")


@Operation(
    blueprint,
    "POST",
    "/keys",
    summary="Make an API key",
    security=OPERATOR,
    answers={201: "NewKey"},
    refuses=(403, 404, 409, 422),
    body=NewKeyBody(),
    example={"name": "our web site"},
    keyed=True,
)
def create_key(body: dict[str, Any]) -> Response:
    """The key is shown this once; only its hash is kept.

    The same Idempotency-Key repeats it, until the key is revoked.
    """
    must_be_operator()
    idempotency = reading.key("createKey", body)
    record, key = services().keys.create(body["name"], idempotency.given if idempotency else None)
    made = instant(record.created_at)
    return answer(NewKeyDoc(id=record.id, name=record.name, created_at=made, key=key), 201)


@Operation(
    blueprint,
    "GET",
    "/keys",
    summary="List the API keys",
    security=OPERATOR,
    answers={200: "Keys"},
    refuses=(403, 404),
)
def list_keys() -> Response:
    """Every valid API key, without its secret, by the time it was made."""
    must_be_operator()
    items = tuple(
        KeyDoc(id=key.id, name=key.name, created_at=instant(key.created_at))
        for key in services().keys.all()
    )
    return answer(KeysDoc(items=items, next=None, as_of=instant(services().tycoon.clock())))


@Operation(
    blueprint,
    "DELETE",
    "/keys/<key_id>",
    summary="Revoke an API key",
    security=OPERATOR,
    answers={204: None},
    refuses=(403,),
)
def revoke_key(key_id: str) -> Response:
    """Makes a key void for good, everywhere within two seconds. Its matches stay."""
    must_be_operator()
    services().keys.revoke(key_id)
    return Response(status=204)


@Operation(
    blueprint,
    "POST",
    "/rebuilds",
    summary="Rebuild all projections",
    security=OPERATOR,
    answers={202: "Rebuild"},
    refuses=(403, 404),
    body=NOTHING,
    made=True,
)
def begin_rebuild(body: dict[str, Any]) -> Response:
    """Folds every match anew beside what is served. One that goes on is taken up where it is."""
    must_be_operator()
    rebuilding = services().tycoon.rebuilding
    generation, part = rebuilding.begin()
    services().begin_rebuild(generation, part)
    response = answer(rebuilding.progress(generation), 202)
    response.headers["Location"] = f"/v1/admin/rebuilds/{generation}"
    return response


@Operation(
    blueprint,
    "GET",
    "/rebuilds/<number:generation>",
    summary="Follow a rebuild",
    security=OPERATOR,
    answers={200: "Rebuild"},
    refuses=(403,),
)
def get_rebuild(generation: int) -> Response:
    """How far a rebuild is."""
    must_be_operator()
    progress = services().tycoon.rebuilding.progress(generation)
    known = generation in services().tycoon.stores.lists.generations()
    if not (known or progress.partitions_done):
        raise NotFound("store.unknown-rebuild", "There is no such rebuild.")
    return answer(progress)
