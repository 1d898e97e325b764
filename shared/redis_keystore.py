"""API keys on Redis: one hash, id -> record."""

from __future__ import annotations

import msgspec

from shared.keystore import StoredKey
from shared.redis_client import Client, refusals
from shared.redis_keys import API_KEYS

_read = msgspec.json.Decoder(StoredKey).decode


class RedisKeys:
    """`KeyStore` over one client. Every method may raise `Unavailable`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @refusals()
    def add(self, key: StoredKey) -> bool:
        return bool(self._client.hsetnx(API_KEYS, key.id, msgspec.json.encode(key)))

    @refusals()
    def get(self, key_id: str) -> StoredKey | None:
        stored = self._client.hget(API_KEYS, key_id)
        return None if stored is None else _read(stored)

    @refusals()
    def all(self) -> list[StoredKey]:
        return [_read(stored) for stored in self._client.hvals(API_KEYS)]

    @refusals()
    def revoke(self, key_id: str) -> bool:
        key = self.get(key_id)
        if key is None or key.revoked:
            return False
        # A record is never changed but by this, so nothing is lost between the two calls.
        revoked = msgspec.structs.replace(key, revoked=True)
        self._client.hset(API_KEYS, key_id, msgspec.json.encode(revoked).decode())
        return True
