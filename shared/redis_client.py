"""How the Redis adapters speak to the server: one connection pool, scripts, and plain refusals.

Works with Redis from 7.0, Valkey from 8, and a cluster (`?cluster=1` in the address).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from typing import Any, Protocol, cast
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import redis
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError
from redis.retry import Retry

from shared import redis_cluster
from shared.errors import Unavailable

_UNREACHABLE = (
    redis.ConnectionError,
    redis.TimeoutError,
    redis.ReadOnlyError,
    redis.exceptions.AskError,  # sent on again and again
    redis.exceptions.ClusterError,
    redis.exceptions.SlotNotCoveredError,
    redis.exceptions.TryAgainError,
)
_REFUSING = ("MISCONF", "NOREPLICAS", "BUSY ")
"""A server that can't write its file, has lost its replicas, or is stuck in somebody's script."""


class Pipeline(Protocol):
    """Commands that are sent together."""

    def hget(self, name: str, key: str) -> object: ...
    def hmget(self, name: str, keys: Sequence[str]) -> object: ...
    def hgetall(self, name: str) -> object: ...
    def xrange(self, name: str, min: str, *, count: int) -> object: ...
    def zcount(self, name: str, min: str, max: str) -> object: ...
    def zlexcount(self, name: str, min: str, max: str) -> object: ...
    def zrange(self, name: str, start: int, end: int) -> object: ...
    def zrangebyscore(self, name: str, min: str, max: str, *, start: int, num: int) -> object: ...
    def eval(self, script: str, numkeys: int, *keys_and_args: Any) -> object: ...
    def evalsha(self, sha: str, numkeys: int, *keys_and_args: Any) -> object: ...
    def execute(self, raise_on_error: bool = True) -> list[Any]: ...
    def execute_command(self, *parts: Any) -> object: ...


class Client(Protocol):
    """The few commands that the adapters need, as a `redis.Redis` that doesn't decode has them."""

    def bgrewriteaof(self) -> object: ...
    def eval(self, script: str, numkeys: int, *keys_and_args: Any) -> Any: ...
    def evalsha(self, sha: str, numkeys: int, *keys_and_args: Any) -> Any: ...
    def get(self, name: str) -> bytes | None: ...
    def hexists(self, name: str, key: str) -> bool: ...
    def hget(self, name: str, key: str) -> bytes | None: ...
    def hgetall(self, name: str) -> dict[bytes, bytes]: ...
    def hset(self, name: str, key: str, value: str) -> int: ...
    def hincrby(self, name: str, key: str, amount: int) -> int: ...
    def hmget(self, name: str, keys: Sequence[str]) -> list[Any]: ...
    def hsetnx(self, name: str, key: str, value: bytes) -> int: ...
    def hvals(self, name: str) -> list[bytes]: ...
    def info(self, section: str) -> dict[str, Any]: ...
    def lrange(self, name: str, start: int, end: int) -> list[bytes]: ...
    def ping(self) -> object: ...
    def sadd(self, name: str, *values: str) -> int: ...
    def slowlog_reset(self) -> object: ...
    def smembers(self, name: str) -> set[bytes]: ...
    def unlink(self, *names: str) -> int: ...
    def xrange(self, name: str, min: str, *, count: int) -> list[Any]: ...
    def zadd(self, name: str, mapping: Mapping[str, int], *, xx: bool, lt: bool) -> int: ...
    def zrange(self, name: str, start: int, end: int) -> list[bytes]: ...
    def zrangebylex(self, name: str, min: str, max: str, start: int, num: int) -> list[bytes]: ...
    def zrangebyscore(
        self, name: str, min: str, max: str, *, start: int, num: int
    ) -> list[bytes]: ...
    def zrem(self, name: str, *values: str) -> int: ...
    def pipeline(self, *, transaction: bool) -> Pipeline: ...
    def close(self) -> None: ...


def connect(url: str, *, timeout_ms: int) -> Client:
    """A client for an address; nothing is sent yet.

    The library's own retries are off. A request whose answer was lost may have been carried out:
    sent again, an append would meet its own events and report a conflict that never was, and a
    taken mark would look like somebody else's. Only who sent it can tell, by its command id or by
    looking again, so a lost answer is `Unavailable`. (A pooled connection that the server closed
    meanwhile is noticed and opened again before anything is sent; that costs no refusal.)
    """
    address, cluster = _split(url)
    settings = patience(timeout_ms)
    if cluster:
        return cast("Client", redis_cluster.Cluster(address, settings))
    return cast("Client", redis.Redis.from_url(address, **settings))


def servers(client: Client) -> list[Client]:
    """A client of every single server that the data lie on, replicas included."""
    if not isinstance(client, redis_cluster.Cluster):
        return [client]
    return [cast("Client", node) for node in client.nodes()]


def patience(timeout_ms: int) -> dict[str, Any]:
    """What every client of the library is made with: it waits for so long, and tries once."""
    return {
        "socket_timeout": timeout_ms / 1000,
        "socket_connect_timeout": timeout_ms / 1000,
        "retry": Retry(NoBackoff(), 0),
        "protocol": 2,  # the same answers from every server we support
    }


@dataclass(frozen=True, slots=True)
class Script:
    """A script that the server runs as one step.

    It is sent by its hash. A server that doesn't know it (it may have started anew, or have taken
    the place of another one) refuses before doing anything and is given the text.
    """

    client: Client
    text: str
    sha: str

    def __call__(self, *, keys: Sequence[str], args: Sequence[Any]) -> Any:
        try:
            return self.client.evalsha(self.sha, len(keys), *keys, *args)
        except NoScriptError:
            return self.client.eval(self.text, len(keys), *keys, *args)


def script(client: Client, name: str, *, after: str | None = None) -> Script:
    """A script of `lua/` by name, with the functions of the script `after` before it."""
    folder = resources.files("shared") / "lua"
    names = (name,) if after is None else (after, name)
    text = "\n".join((folder / f"{name}.lua").read_text("utf-8") for name in names)
    return Script(client, text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest())


Call = tuple[Sequence[str], Sequence[Any]]
"""Keys and arguments of one call of a script."""


def run_many(client: Client, script: Script, calls: Sequence[Call]) -> list[Any]:
    """Many calls of one script in one round trip; each is a step of its own."""
    pipeline = client.pipeline(transaction=False)
    for keys, args in calls:
        pipeline.evalsha(script.sha, len(keys), *keys, *args)
    answers = pipeline.execute(raise_on_error=False) if calls else []
    unknown = [i for i, answer in enumerate(answers) if isinstance(answer, NoScriptError)]
    for i in unknown:  # of a cluster's nodes, some may know it: what those did is done
        keys, args = calls[i]
        pipeline.eval(script.text, len(keys), *keys, *args)
    again = pipeline.execute(raise_on_error=False) if unknown else []
    for i, answer in zip(unknown, again, strict=True):
        answers[i] = answer
    for answer in answers:
        if isinstance(answer, Exception):
            raise answer
    return answers


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes that a server's data take, and that they may take; 0 where it has no bound."""

    used: int
    bound: int


def memory(client: Client) -> Memory:
    """How full a server is; of a cluster, the node that has the least room left.

    Raises:
        Unavailable: it does not answer.
    """
    with refusals():
        told = client.info("memory")
    nodes = list(told.values()) if "used_memory" not in told else [told]
    found = [Memory(node["used_memory"], node.get("maxmemory", 0)) for node in nodes]
    return max(found, key=lambda node: (node.used / node.bound if node.bound else 0, node.used))


@contextmanager
def refusals() -> Iterator[None]:
    """Turns what the server can't do now into a refusal; bugs stay what they are.

    Raises:
        Unavailable: `store.unavailable`, or `store.full` where it has no memory for a write.
    """
    try:
        yield
    except redis.OutOfMemoryError as full:
        raise Unavailable("store.full", "The store is full; nothing was written.") from full
    except _UNREACHABLE as lost:
        raise _unavailable() from lost
    except redis.exceptions.RedisClusterException as lost:
        if not str(lost).startswith(redis_cluster.AWAY):
            raise
        raise _unavailable() from lost
    except redis.ResponseError as refused:
        if str(refused).startswith(_REFUSING):
            raise _unavailable() from refused
        raise


def _unavailable() -> Unavailable:
    return Unavailable("store.unavailable", "The store does not answer; try again in a moment.")


def _split(url: str) -> tuple[str, bool]:
    """The address without our own parameter, and whether it is a cluster's."""
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query))
    cluster = query.pop("cluster", "0") in ("1", "true", "yes")
    return urlunsplit(parts._replace(query=urlencode(query))), cluster
