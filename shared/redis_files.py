"""The files of the store's servers: Redis's append-only file, on each node of a cluster."""

from __future__ import annotations

from typing import Any

from redis.exceptions import ResponseError

from shared.redis_client import Client, refusals, servers
from shared.redis_keys import FILES
from shared.store_files import FilesState, Rewriting

_COUNTS = ("noted", "begun", "done", "asked_at")


class RedisFiles:
    """`StoreFiles` over one client. Every method may raise `Unavailable`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @refusals()
    def note(self) -> None:
        self._client.hincrby(FILES, "noted", 1)

    @refusals()
    def look(self) -> FilesState:
        noted, begun, done, asked_at = map(_number, self._client.hmget(FILES, _COUNTS))
        told = [(node.info("persistence"), node.info("server")) for node in servers(self._client)]
        return FilesState(
            noted=noted,
            begun=begun,
            done=done,
            asked_at=asked_at,
            busy=any(map(_is_busy, (files for files, _ in told))),
            failed=any(files["aof_last_bgrewrite_status"] != "ok" for files, _ in told),
            up_ms=min(server["uptime_in_seconds"] for _, server in told) * 1000,
        )

    @refusals()
    def rewrite(self, noted: int, now: int) -> Rewriting:
        answer = Rewriting.BEGUN
        try:
            for node in servers(self._client):
                if node.info("persistence")["aof_enabled"]:
                    node.bgrewriteaof()
                # It keeps the arguments of slow commands, names among them.
                node.slowlog_reset()
        except ResponseError as refused:
            if "in progress" in str(refused):
                return Rewriting.BUSY
            answer = Rewriting.REFUSED
        self._client.hset(FILES, "asked_at", str(now))
        if answer is Rewriting.BEGUN:
            self._client.hset(FILES, "begun", str(noted))
        return answer

    @refusals()
    def finish(self, begun: int) -> None:
        self._client.hset(FILES, "done", str(begun))


def _number(stored: bytes | None) -> int:
    return int(stored or 0)


def _is_busy(files: dict[str, Any]) -> bool:
    return bool(files["aof_rewrite_in_progress"] or files["aof_rewrite_scheduled"])
