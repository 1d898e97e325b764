"""A cluster as one client, which sends nothing twice.

The library's own has two habits that a store of events can't have: it must find the cluster when it
is made, and its pipelines send again, one by one, what a broken connection left unanswered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import Any

import redis
from redis.cluster import ClusterNode, PipelineCommand, RedisCluster
from redis.exceptions import (
    AskError,
    MovedError,
    RedisClusterException,
    RedisError,
    TryAgainError,
)

REDIRECTIONS = 5
"""So often a command is sent on; a slot moves once, and a failover moves it once more."""

NOBODY_THERE = "Redis Cluster cannot be connected"
AWAY = (NOBODY_THERE, "All slots are not covered", "startup_nodes could not agree")
"""What the library says when no node answers, or those that do know of no whole cluster."""

_LOST = (redis.ConnectionError, redis.TimeoutError)
_NOT_DONE = (AskError, TryAgainError)
"""Answers (`MovedError` among them) of a node that did nothing: another one has the slot."""


class Cluster:
    """The library's client of a cluster, looked up when it is first asked.

    Every command for one key is the library's own: it follows a slot that moved. A cluster that no
    known node answers for is looked up anew, at its address too: a name may lead elsewhere by then.

    Args:
        url: the address of any node; better, a name that leads to one which is there.
        settings: what every client of the library is made with.
    """

    def __init__(self, url: str, settings: Mapping[str, Any]) -> None:
        self._url = url
        self._settings = settings
        self._lock = Lock()
        self._cluster: Any = None
        self._known: list[tuple[str, int]] = []
        self._nobody = redis.Redis()  # never asked: its pipelines only note commands

    def __getattr__(self, name: str) -> Any:
        def call(*args: Any, **options: Any) -> Any:
            with self.found() as cluster:
                return getattr(cluster, name)(*args, **options)

        return call

    def info(self, section: str) -> Any:
        """The same of every primary, by its name."""
        with self.found() as cluster:
            return cluster.info(section, target_nodes=RedisCluster.PRIMARIES)

    def nodes(self) -> list[Any]:
        """A client of each node that is there now; nobody tells us of a replica that is gone."""
        with self.found() as cluster:
            cluster.nodes_manager.initialize()
            return [cluster.get_redis_connection(node) for node in cluster.get_nodes()]

    def pipeline(self, *, transaction: bool) -> Any:
        """Commands that are sent together, each to its node; never as one step."""
        if transaction:
            raise ValueError("no transaction spans the nodes of a cluster")
        return Pipeline(self, self._nobody.pipeline(transaction=False))

    def close(self) -> None:
        """Ends all connections; it can be used again."""
        with self._lock:
            if self._cluster is not None:
                self._cluster.close()
            self._cluster = None

    @contextmanager
    def found(self) -> Iterator[Any]:
        """The library's client, for as long as one command takes."""
        cluster = self._look_up()
        try:
            yield cluster
        except RedisClusterException as lost:
            if str(lost).startswith(NOBODY_THERE):
                self._forget(cluster)
            raise

    def on_one_connection(self, key: str, queue: Callable[[Any], object]) -> list[Any]:
        """Sends what `queue` puts into a pipeline to the node of a key's slot.

        All of it over one connection, and to one node: where the first command is sent on to
        another one, so are the rest. What a server refuses stands among the answers.
        """
        with self.found() as cluster:
            node, asking = cluster.get_node_from_key(key), False
            for _ in range(REDIRECTIONS):
                answers = _sent(cluster, node, queue, asking)
                elsewhere = answers[0]
                if not isinstance(elsewhere, AskError):
                    break
                asking = not isinstance(elsewhere, MovedError)
                node = _sent_on(cluster, elsewhere, asking)
            return answers

    def _look_up(self) -> Any:
        if (cluster := self._cluster) is not None:
            return cluster
        # Nobody waits for those before him, each of whom may wait for every node in turn.
        if not self._lock.acquire(timeout=self._settings["socket_timeout"]):
            raise redis.ConnectionError("The cluster is being looked for.")
        try:
            if self._cluster is None:
                known = [_node(host, port) for host, port in self._known]
                self._cluster = RedisCluster.from_url(
                    self._url, startup_nodes=known, **self._settings
                )
            return self._cluster
        finally:
            self._lock.release()

    def _forget(self, cluster: Any) -> None:
        with self._lock:
            if self._cluster is cluster:
                self._known = [(node.host, node.port) for node in cluster.get_nodes()]
                self._cluster = None


class Pipeline:
    """Commands that are sent together; what was not answered is not sent again."""

    def __init__(self, cluster: Cluster, noted: Any) -> None:
        self._cluster = cluster
        self._noted = noted

    def __getattr__(self, name: str) -> Any:
        return getattr(self._noted, name)

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        """The answers in order.

        Raises:
            ConnectionError, TimeoutError: some may have been carried out, and some not.
        """
        commands = [
            PipelineCommand(args, options, place)  # type: ignore[no-untyped-call]  # it has no types
            for place, (args, options) in enumerate(self._noted.command_stack)
        ]
        self._noted.reset()
        with self._cluster.found() as cluster:
            answers = _answers(cluster, commands)
        for answer in answers:
            if isinstance(answer, _LOST) or (raise_on_error and isinstance(answer, Exception)):
                raise answer
        return answers


def _answers(cluster: Any, commands: list[PipelineCommand]) -> list[Any]:
    answers: list[Any] = cluster.pipeline().send_cluster_commands(
        commands, raise_on_error=False, allow_redirections=False
    )
    if any(isinstance(answer, _LOST) for answer in answers):
        cluster.nodes_manager.initialize()
        return answers
    return [
        _once_more(cluster, command) if isinstance(answer, _NOT_DONE) else answer
        for command, answer in zip(commands, answers, strict=True)
    ]


def _once_more(cluster: Any, command: PipelineCommand) -> Any:
    """Sends a command that a node sent on to another one."""
    try:
        return cluster.execute_command(*command.args, **command.options)
    except RedisError as refused:
        return refused


def _sent(
    cluster: Any, node: ClusterNode, queue: Callable[[Any], object], asking: bool
) -> list[Any]:
    pipeline = cluster.get_redis_connection(node).pipeline(transaction=False)
    if asking:
        pipeline.execute_command("ASKING")
    queue(pipeline)
    try:
        answers = pipeline.execute(raise_on_error=False)
    except _LOST:
        cluster.nodes_manager.initialize(last_failed_node_name=node.name)
        raise
    return list(answers[1:] if asking else answers)


def _sent_on(cluster: Any, elsewhere: AskError, asking: bool) -> ClusterNode:
    """The node that another one named; from now on the slot's, unless it is only being moved."""
    if not asking:
        cluster.nodes_manager.move_slot(elsewhere)
    place = elsewhere.host, elsewhere.port
    return cluster.get_node(*place) or _node(*place)


def _node(host: str, port: int) -> ClusterNode:
    return ClusterNode(host, port)  # type: ignore[no-untyped-call]  # it has no types
