"""API keys: who may create matches. A key is shown once, when it is made; its hash is kept."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable
from threading import Lock

from shared import ids
from shared.clocks import ahead
from shared.errors import Conflict, NotFound, Unauthenticated, Unprocessable
from shared.keystore import KeyStore, StoredKey
from shared.settings import SettingsError

FRESH_MS = 2_000
"""So long a process may believe what it last saw: a revoked key works no longer than this."""

REMEMBERED = 10_000
"""So many lookups one process keeps; then it starts over."""

_FORM = re.compile(r"tyk_([a-z0-9]{4,32})_[A-Za-z0-9]{20,128}")


class Keys:
    """Makes, checks and revokes API keys (`tyk_<id>_<secret>`).

    Args:
        store: where the hashes are.
        server_key: makes a key that is asked for twice the same key.
        clock: ms since 1970.
    """

    def __init__(self, store: KeyStore, server_key: bytes, clock: Callable[[], int]) -> None:
        self._store = store
        self._server_key = server_key
        self._clock = clock
        self._seen: dict[str, tuple[int, StoredKey | None]] = {}
        self._lock = Lock()

    def owner(self, key: str) -> str:
        """The id of a valid key. Raises `Unauthenticated` for every other text."""
        form = _FORM.fullmatch(key)
        found = self._look_up(form[1]) if form else None
        if found is None or found.revoked or not ids.same(found.hash, _hash(key)):
            raise Unauthenticated("auth.bad-key", "This API key is not valid.")
        return found.id

    def create(self, name: str, idempotency_key: str | None = None) -> tuple[StoredKey, str]:
        """A new key: its record, and the key itself, which is never to be had again.

        Raises:
            Unprocessable: the idempotency key made a key of another name before.
            Conflict: the key that it made has been revoked.
        """
        nonce = secrets.token_hex(16) if idempotency_key is None else idempotency_key
        kind = "fresh" if idempotency_key is None else "keyed"
        text = ids.derive(self._server_key, "api-key", kind, nonce, length=48)
        key = f"tyk_{text[:8]}_{text[8:]}"
        record = self._add(key, name)
        if record.name != name:
            raise Unprocessable(
                "request.key-reused", "This Idempotency-Key was used with another body."
            )
        if record.revoked:
            raise Conflict(
                "auth.key-revoked",
                "This Idempotency-Key made an API key that has been revoked; take another.",
            )
        return record, key

    def ensure(self, key: str) -> bool:
        """Stores a key that a setting names, unless it is there; whether it is valid.

        One that was revoked stays so.

        Raises:
            SettingsError: it has not the form of an API key, or its id is another key's.
        """
        if not _FORM.fullmatch(key):
            raise SettingsError(
                "TYCOON_BOOTSTRAP_API_KEY must look like tyk_<id>_<secret>, with 4 to 32 lower-case"
                " letters or digits and 20 to 128 letters or digits."
            )
        record = self._add(key, "bootstrap")
        if record.hash != _hash(key):
            raise SettingsError("TYCOON_BOOTSTRAP_API_KEY has the id of another API key.")
        return not record.revoked

    def all(self) -> list[StoredKey]:
        """Every valid key by the time it was made, then id."""
        valid = (key for key in self._store.all() if not key.revoked)
        return sorted(valid, key=lambda key: (key.created_at, key.id))

    def revoke(self, key_id: str) -> None:
        """Makes a key void for good; elsewhere within `FRESH_MS`. Raises `NotFound`."""
        if not self._store.revoke(key_id):
            raise NotFound("auth.unknown-key", "There is no API key with this id.")
        with self._lock:
            self._seen.pop(key_id, None)

    def _add(self, key: str, name: str) -> StoredKey:
        key_id = key.split("_")[1]
        record = StoredKey(id=key_id, hash=_hash(key), name=name, created_at=self._clock())
        if not self._store.add(record):
            record = self._store.get(key_id) or record
        with self._lock:
            self._seen.pop(key_id, None)
        return record

    def _look_up(self, key_id: str) -> StoredKey | None:
        now = self._clock()
        with self._lock:
            until, found = self._seen.get(key_id, (now, None))
        if ahead(until, now, FRESH_MS):
            return found
        found = self._store.get(key_id)
        with self._lock:
            if len(self._seen) >= REMEMBERED:
                self._seen.clear()
            self._seen[key_id] = (now + FRESH_MS, found)
        return found


def _hash(key: str) -> str:
    # A key has more than 100 bits from a random source: a slow hash would add nothing.
    return hashlib.sha256(key.encode()).hexdigest()
