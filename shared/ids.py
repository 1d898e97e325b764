"""Ids and tokens: derived by HMAC from the server's key, so that nothing usable is stored."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import zlib

from shared.store import PARTITIONS


def derive(key: bytes, purpose: str, *parts: str, length: int) -> str:
    """`length` base32 lower-case characters from HMAC-SHA256 over purpose and parts."""
    message = "\x00".join((purpose, *parts)).encode()
    digest = hmac.digest(key, message, "sha256")
    return base64.b32encode(digest).decode("ascii").lower()[:length]


def match_id(key: bytes, owner: str, idempotency_key: str | None) -> str:
    """`m_` + 26 characters: the same for a repeated create, otherwise new."""
    nonce = secrets.token_hex(16) if idempotency_key is None else idempotency_key
    kind = "fresh" if idempotency_key is None else "keyed"
    return "m_" + derive(key, "match", kind, owner, nonce, length=26)


def series_id(key: bytes, owner: str, idempotency_key: str | None) -> str:
    """`s_` + 26 characters: the same for a repeated create, otherwise new."""
    nonce = secrets.token_hex(16) if idempotency_key is None else idempotency_key
    kind = "fresh" if idempotency_key is None else "keyed"
    return "s_" + derive(key, "series", kind, owner, nonce, length=26)


def imported_id(key: bytes, owner: str, digest: str) -> str:
    """The id of a match that was imported from a file with this hash: once for each owner."""
    return "m_" + derive(key, "match", "imported", owner, digest, length=26)


def seat_token(key: bytes, match: str, seat: int, epoch: int) -> str:
    """`tys_<seat>_` + 32 characters; void once the seat's epoch is raised."""
    return f"tys_{seat}_" + derive(key, "seat", match, str(seat), str(epoch), length=32)


def epoch_at(version: int) -> int:
    """The epoch of a holder who took the seat with the event of this version.

    It leaves room below for tokens made void by hand, so that no epoch ever comes twice, and a
    repeated join can derive the token of its own time and of no later holder.
    """
    return version << 20


def join_code(key: bytes, match: str, seat: int) -> str:
    """What a join link carries for an open seat."""
    return derive(key, "join", match, str(seat), length=20)


def command_id(credential: str, route: str, idempotency_key: str) -> str:
    """A command's identity: 32 hex digits of SHA-256 over credential, route and key."""
    text = "\x00".join((credential, route, idempotency_key))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def partition(match: str) -> int:
    """The match's partition, fixed for ever: CRC32 of its id modulo 256."""
    return zlib.crc32(match.encode("ascii")) % PARTITIONS


def same(a: str, b: str) -> bool:
    """Equality in constant time."""
    return hmac.compare_digest(a.encode(), b.encode())
