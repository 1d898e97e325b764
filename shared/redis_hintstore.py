"""Hints on Redis: a hash for each seat that asked, under its match's hash tag."""

from __future__ import annotations

from shared.hintstore import KEEP_MS, Hint, HintInWork, HintLease
from shared.redis_client import Client, refusals, script
from shared.redis_keys import hint_key


class RedisHints:
    """`HintStore` over one client. Every method may raise `Unavailable`."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._ask = script(client, "hint_ask", after="marks")
        self._take = script(client, "hint_take", after="marks")
        self._settle = script(client, "hint_settle")

    @refusals()
    def ask(self, match: str, seat: int, wanted: Hint, *, lease_ms: int) -> tuple[Hint, bool]:
        args = [wanted.version, wanted.epoch, wanted.level, lease_ms * 1000, KEEP_MS]
        what, level, answer = self._ask(keys=[hint_key(match, seat)], args=args)
        if what == b"busy":
            raise HintInWork
        hint = Hint(wanted.version, wanted.epoch, level.decode(), answer or None)
        return hint, what == b"sent"

    @refusals()
    def look(self, match: str, seat: int) -> Hint | None:
        fields = ["version", "epoch", "level", "answer"]
        version, epoch, level, answer = self._client.hmget(hint_key(match, seat), fields)
        return None if version is None else Hint(int(version), int(epoch), level.decode(), answer)

    @refusals()
    def take(self, match: str, seat: int, version: int, *, lease_ms: int) -> HintLease | None:
        taken = self._take(keys=[hint_key(match, seat)], args=[version, lease_ms * 1000])
        if taken is None:
            return None
        token, epoch, level = taken
        return HintLease(match, seat, int(token), Hint(version, int(epoch), level.decode()))

    def answer(self, lease: HintLease, answer: bytes) -> bool:
        return self._settled(lease, answer)

    def drop(self, lease: HintLease) -> bool:
        return self._settled(lease, b"")

    @refusals()
    def _settled(self, lease: HintLease, answer: bytes) -> bool:
        keys, args = [hint_key(lease.match, lease.seat)], [lease.token, answer, KEEP_MS]
        return bool(self._settle(keys=keys, args=args))
