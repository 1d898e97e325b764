"""Nothing is acknowledged before as many replicas have it as a setting says.

A replica that takes a primary's place has what it had received, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from redis.exceptions import NoScriptError

from shared.errors import Unavailable
from shared.redis_client import Client, Pipeline, Script, script
from shared.redis_cluster import Cluster


@dataclass(frozen=True, slots=True)
class Replicas:
    """How many must have a write, and how long that may take; 0 waits for none."""

    count: int = 0
    patience_ms: int = 0

    @classmethod
    def within(cls, timeout_ms: int, count: int) -> Replicas:
        """So many, for clients that wait so long for an answer: this must come before."""
        return cls(count, timeout_ms // 2)


NOBODY = Replicas()


class Waiting:
    """Writes over one client that replicas have when they are told of.

    Every method may raise `Unavailable` (`store.not-replicated`): it was carried out, and may be
    lost yet. Who repeats it must wait again.
    """

    def __init__(self, client: Client, replicas: Replicas) -> None:
        self._client = client
        self._replicas = replicas
        self._confirm = script(client, "confirm")

    def run(self, script: Script, keys: Sequence[str], args: Sequence[Any]) -> Any:
        """A script's answer, with what it wrote at the replicas."""
        if not self._replicas.count:
            return script(keys=keys, args=args)
        try:
            return self._sent(keys, lambda to: to.evalsha(script.sha, len(keys), *keys, *args))
        except NoScriptError:
            return self._sent(keys, lambda to: to.eval(script.text, len(keys), *keys, *args))

    def confirm(self, key: str, field: str, seen: bytes) -> None:
        """Waits for a field of a hash that was seen to have this value, whoever wrote it."""
        if self._replicas.count and not self.run(self._confirm, [key], [field, seen]):
            raise _not_replicated()

    def _sent(self, keys: Sequence[str], write: Callable[[Pipeline], object]) -> Any:
        def queue(pipeline: Pipeline) -> None:
            write(pipeline)
            # Of the connection that wrote: it waits for what was written over its own.
            pipeline.execute_command("WAIT", self._replicas.count, self._replicas.patience_ms)

        answer, reached = _on_one_connection(self._client, keys[0], queue)
        if isinstance(answer, Exception):
            raise answer
        # A primary that turns replica while it waits answers with an error.
        if not isinstance(reached, int) or reached < self._replicas.count:
            raise _not_replicated()
        return answer


def _on_one_connection(
    client: Client, key: str, queue: Callable[[Pipeline], None]
) -> Sequence[Any]:
    if isinstance(client, Cluster):
        return client.on_one_connection(key, queue)
    pipeline = client.pipeline(transaction=False)
    queue(pipeline)
    return pipeline.execute(raise_on_error=False)


def _not_replicated() -> Unavailable:
    return Unavailable(
        "store.not-replicated",
        "The store's replicas did not confirm this in time: it may be lost or stay. Send it again.",
    )
