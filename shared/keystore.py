"""API keys as they are stored: never the key itself, only its hash."""

from __future__ import annotations

from threading import Lock
from typing import Protocol

import msgspec


class StoredKey(msgspec.Struct, frozen=True, kw_only=True):
    """An API key without its secret.

    `id` names the key and owns its matches; `hash` is SHA-256 of the whole key, 64 hex digits;
    `name` is for the operator's eyes; `created_at` is in ms since 1970. A revoked key is kept, so
    that a repeat of the command that made it does not make it again.
    """

    id: str
    hash: str
    name: str
    created_at: int
    revoked: bool = False


class KeyStore(Protocol):
    """API keys by id. Adapters: `MemoryKeys`, and `RedisKeys` in `redis_keystore.py`."""

    def add(self, key: StoredKey) -> bool:
        """Stores a key unless its id is taken; whether it was stored."""
        ...

    def get(self, key_id: str) -> StoredKey | None:
        """A key by its id, revoked or not."""
        ...

    def all(self) -> list[StoredKey]:
        """Every key, revoked or not, in no order."""
        ...

    def revoke(self, key_id: str) -> bool:
        """Marks a key as revoked for good; whether it was valid. Its matches stay."""
        ...


class MemoryKeys:
    """`KeyStore` in memory."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._keys: dict[str, StoredKey] = {}

    def add(self, key: StoredKey) -> bool:
        with self._lock:
            return self._keys.setdefault(key.id, key) is key

    def get(self, key_id: str) -> StoredKey | None:
        with self._lock:
            return self._keys.get(key_id)

    def all(self) -> list[StoredKey]:
        with self._lock:
            return list(self._keys.values())

    def revoke(self, key_id: str) -> bool:
        with self._lock:
            key = self._keys.get(key_id)
            if key is None or key.revoked:
                return False
            self._keys[key_id] = msgspec.structs.replace(key, revoked=True)
            return True
