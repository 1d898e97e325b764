"""API keys on Redis: one hash, id -> record."""

from __future__ import annotations

import msgspec

from shared.keystore import StoredKey
from shared.redis_client import Client, refusals
from shared.redis_keys import API_KEYS
from shared.redis_waiting import NOBODY, Replicas, Waiting

_read = msgspec.json.Decoder(StoredKey).decode


class RedisKeys:
    """`KeyStore` over one client. Every method may raise `Unavailable`."""

    def __init__(self, client: Client, replicas: Replicas = NOBODY) -> None:
        self._client = client
        self._waiting = Waiting(client, replicas)

    @refusals()
    def add(self, key: StoredKey) -> bool:
        record = msgspec.json.encode(key)
        added = bool(self._client.hsetnx(API_KEYS, key.id, record))
        there = record if added else self._client.hget(API_KEYS, key.id)
        self._waiting.confirm(API_KEYS, key.id, there or record)
        return added

    @refusals()
    def get(self, key_id: str) -> StoredKey | None:
        stored = self._client.hget(API_KEYS, key_id)
        return None if stored is None else _read(stored)

    @refusals()
    def all(self) -> list[StoredKey]:
        return [_read(stored) for stored in self._client.hvals(API_KEYS)]

    @refusals()
    def revoke(self, key_id: str) -> bool:
        stored = self._client.hget(API_KEYS, key_id)
        if stored is None:
            return False
        key = _read(stored)
        if not key.revoked:
            # A record is never changed but by this, so nothing is lost between the two calls.
            stored = msgspec.json.encode(msgspec.structs.replace(key, revoked=True))
            self._client.hset(API_KEYS, key_id, stored.decode())
        self._waiting.confirm(API_KEYS, key_id, stored)
        return not key.revoked
