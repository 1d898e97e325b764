"""What only the operator may do."""

from __future__ import annotations

import pytest
import redis

from services.keys import Keys
from services.projections.rebuilding import Part
from shared.errors import Unauthenticated
from shared.keystore import KeyStore, MemoryKeys, StoredKey
from shared.redis_keys import API_KEYS
from shared.redis_keystore import RedisKeys
from shared.settings import SettingsError
from shared.store import PARTITIONS
from tests.api.server import API_KEY, OPERATOR, PERSON, Server, refused


def test_a_key_is_made_used_listed_and_revoked(server: Server) -> None:
    operator = server.client(OPERATOR)
    made = operator.post("/v1/admin/keys", {"name": "site"})
    assert made.status_code == 201
    client = server.client(made.json["key"])
    new = {"game": "tictactoe", "seats": [PERSON, PERSON]}
    at = client.post("/v1/matches", new).headers["Location"]

    page = operator.get("/v1/admin/keys")
    listed = {key["id"]: key["name"] for key in page.json["items"]}
    assert listed[made.json["id"]] == "site"
    assert made.json["key"] not in page.text
    assert operator.delete(f"/v1/admin/keys/{made.json['id']}").status_code == 204

    refused(client.post("/v1/matches", new), 401, "auth.bad-key")
    assert server.nobody.get(at).status_code == 200  # its matches stay
    refused(operator.delete(f"/v1/admin/keys/{made.json['id']}"), 404, "auth.unknown-key")


def test_a_repeated_make_gives_the_same_key(server: Server) -> None:
    operator = server.client(OPERATOR)
    made = operator.post("/v1/admin/keys", {"name": "site"}, key="k")
    assert operator.post("/v1/admin/keys", {"name": "site"}, key="k").json == made.json
    assert operator.post("/v1/admin/keys", {"name": "site"}, key="k2").json != made.json
    other = operator.post("/v1/admin/keys", {"name": "blog"}, key="k")
    refused(other, 422, "request.key-reused")


def test_a_revoked_key_does_not_come_back_when_its_make_is_repeated(server: Server) -> None:
    operator = server.client(OPERATOR)
    made = operator.post("/v1/admin/keys", {"name": "site"}, key="k").json
    operator.delete(f"/v1/admin/keys/{made['id']}")

    for _ in range(2):
        again = operator.post("/v1/admin/keys", {"name": "site"}, key="k")
        refused(again, 409, "auth.key-revoked")

    refused(server.client(made["key"]).get("/v1/matches"), 401, "auth.bad-key")
    listed = operator.get("/v1/admin/keys").json["items"]
    assert made["id"] not in [key["id"] for key in listed]
    assert operator.post("/v1/admin/keys", {"name": "site"}, key="k2").status_code == 201
    other = operator.post("/v1/admin/keys", {"name": "blog"}, key="k")
    refused(other, 422, "request.key-reused")


def test_nobody_else_gets_in(server: Server) -> None:
    table = server.start(PERSON, PERSON)
    asks = [
        ("GET", "/v1/admin/keys"),
        ("POST", "/v1/admin/rebuilds"),
        ("GET", "/v1/admin/rebuilds/1"),
        ("DELETE", "/v1/admin/keys/x"),
    ]
    for method, path in asks:
        refused(server.nobody.ask(method, path), 401, "auth.required")
        for client in (server.host, table.seats[0]):
            refused(client.ask(method, path), 403, "auth.operator-required")
    closed = Server(operator_key="")
    for method, path in asks:
        refused(closed.nobody.ask(method, path), 404, "request.unknown-route")
    refused(closed.client("tyo_").ask("GET", "/v1/admin/keys"), 401, "auth.bad-key")


def test_a_rebuild_is_begun_and_followed(server: Server) -> None:
    table = server.start(PERSON, PERSON)
    operator = server.client(OPERATOR)

    begun = operator.post("/v1/admin/rebuilds", {})

    assert begun.status_code == 202
    generation = begun.json["generation"]
    assert server.rebuilds == [generation]
    assert begun.json["finished"] is False
    for partition in range(PARTITIONS):
        server.tycoon.rebuilding.rebuild(generation, Part(partition))
    done = operator.get(begun.headers["Location"]).json
    assert done == {
        "generation": generation,
        "partitions": PARTITIONS,
        "partitions_done": PARTITIONS,
        "matches": 1,
        "failed": 0,
        "finished": True,
    }
    assert [row["id"] for row in server.host.get("/v1/matches").json["items"]] == [table.id]
    refused(operator.get("/v1/admin/rebuilds/99"), 404, "store.unknown-rebuild")


@pytest.fixture(params=["memory", "fakeredis", "real"])
def keystore(request: pytest.FixtureRequest) -> KeyStore:
    if request.param == "memory":
        return MemoryKeys()
    name = "fake_redis" if request.param == "fakeredis" else "real_redis"
    return RedisKeys(request.getfixturevalue(name))


def test_a_store_of_keys(keystore: KeyStore) -> None:
    ann = StoredKey(id="ann1", hash="a" * 64, name="Ann", created_at=1)
    other = StoredKey(id="ann1", hash="b" * 64, name="Eve", created_at=2)

    assert keystore.add(ann)
    assert not keystore.add(other)

    assert keystore.get("ann1") == ann
    assert keystore.get("bob1") is None
    assert keystore.all() == [ann]
    assert not keystore.revoke("bob1")
    assert keystore.revoke("ann1")
    assert not keystore.revoke("ann1")
    gone = StoredKey(id="ann1", hash="a" * 64, name="Ann", created_at=1, revoked=True)
    assert not keystore.add(ann)
    assert keystore.get("ann1") == gone
    assert keystore.all() == [gone]


def test_a_record_of_the_first_release_is_read(real_redis: redis.Redis) -> None:
    stored = '{"id":"ann1","hash":"a","name":"Ann","created_at":1}'
    real_redis.hset(API_KEYS, "ann1", stored)
    assert RedisKeys(real_redis).get("ann1") == StoredKey(
        id="ann1", hash="a", name="Ann", created_at=1, revoked=False
    )


def test_only_hashes_are_stored(server: Server) -> None:
    stored = str(server.keystore.all())
    assert API_KEY.split("_")[1] in stored
    assert API_KEY.split("_")[2] not in stored


def test_a_bootstrap_key_is_kept_once(keystore: KeyStore) -> None:
    keys = Keys(keystore, b"k" * 40, lambda: 5)
    assert keys.ensure(API_KEY)
    assert keys.ensure(API_KEY)
    assert keys.owner(API_KEY) == "hostkey1"
    assert len(keys.all()) == 1
    with pytest.raises(SettingsError, match="TYCOON_BOOTSTRAP_API_KEY"):
        keys.ensure("secret")
    with pytest.raises(SettingsError, match="another"):
        keys.ensure(API_KEY[:-1] + "z")
    with pytest.raises(Unauthenticated):
        keys.owner(API_KEY[:-1] + "z")


def test_a_bootstrap_key_that_was_revoked_stays_so(keystore: KeyStore) -> None:
    keys = Keys(keystore, b"k" * 40, lambda: 5)
    keys.ensure(API_KEY)
    keys.revoke("hostkey1")
    assert not Keys(keystore, b"k" * 40, lambda: 5).ensure(API_KEY)
    assert keys.all() == []
    with pytest.raises(Unauthenticated):
        keys.owner(API_KEY)
