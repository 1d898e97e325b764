"""A real cluster on loopback: three primaries with a replica each, to be hurt by tests."""

from __future__ import annotations

import hashlib
import os
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import redis
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

from api.cli.servers import BY_ROLE, COMMON, HOST, find_server, free_ports

PRIMARIES = 3
FORMED_S = 60.0


@dataclass
class Node:
    """One server of a cluster, with the settings of the events store."""

    program: Path
    folder: Path
    node_timeout_ms: int
    port: int
    bus: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def id(self) -> str:
        return hashlib.sha1(str(self.port).encode(), usedforsecurity=False).hexdigest()

    @property
    def client(self) -> redis.Redis:
        """A client of this server alone."""
        return redis.Redis(host=HOST, port=self.port, socket_timeout=10)

    def start(self) -> None:
        """Starts the server, or starts it again on its data; returns when it answers."""
        options = {
            **COMMON,
            **BY_ROLE["events"],
            "port": self.port,
            "dir": self.folder,
            "logfile": self.folder / "server.log",
            "cluster-enabled": "yes",
            "cluster-port": self.bus,
            "cluster-node-timeout": self.node_timeout_ms,
            "cluster-replica-validity-factor": 0,
            "repl-diskless-sync-delay": 0,
        }
        named = [str(part) for name, value in options.items() for part in (f"--{name}", value)]
        self.process = subprocess.Popen([self.program, *named], stdout=subprocess.DEVNULL)
        eventually(lambda: not self.running or self.client.ping(), f"node {self.port} is silent")
        assert self.running, (self.folder / "server.log").read_text()[-1_000:]

    def kill(self) -> None:
        """Ends the server at once, as a crash would."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def is_primary(self) -> bool:
        return self.running and self.client.role()[0] == b"master"

    def cut_off(self) -> None:
        """Lets no replica follow, though everybody else may speak to it."""
        self.client.execute_command("ACL SETUSER", "default", "-psync", "-sync")
        self.client.execute_command("CLIENT KILL TYPE replica")

    def let_in(self) -> None:
        """Lets replicas follow again."""
        self.client.execute_command("ACL SETUSER", "default", "+psync", "+sync")

    def knows_all(self, nodes: int) -> bool:
        """Whether it sees every slot served, and this many healthy nodes."""
        told = self.client.execute_command("CLUSTER INFO")
        rows = self.client.execute_command("CLUSTER NODES")
        healthy = [row for row in rows.values() if row["connected"] and "fail" not in row["flags"]]
        return told["cluster_state"] == "ok" and len(healthy) == nodes

    def follows(self) -> bool:
        """Whether it is a replica that has all that its primary wrote."""
        role = self.client.role()
        return role[0] == b"slave" and role[3] == b"connected"


@dataclass
class Cluster:
    """Its nodes: the first three began as primaries, each of the others as the replica of one."""

    nodes: list[Node]

    @property
    def url(self) -> str:
        return f"redis://{HOST}:{self.nodes[0].port}/0?cluster=1"

    def primary_of(self, key: str) -> Node:
        """The node that serves a key's slot now."""
        return next(node for node in self.primaries() if _serves(node, key_slot(key.encode())))

    def replica_of(self, primary: Node) -> Node:
        """The node that follows this one."""
        others = [node for node in self.nodes if node.running and not node.is_primary]
        return next(node for node in others if node.client.role()[2] == primary.port)

    def primaries(self) -> list[Node]:
        return [node for node in self.nodes if node.is_primary]

    def wait(self) -> None:
        """Until all nodes that run agree that every slot is served, and every replica follows."""
        running = [node for node in self.nodes if node.running]
        for node in running:
            eventually(
                lambda node=node: (
                    node.knows_all(len(running)) and (node.is_primary or node.follows())
                ),
                f"node {node.port} does not see a whole cluster",
            )

    def fail_over(self, primary: Node) -> Node:
        """Kills a primary; returns when its replica has taken over: that one."""
        replica = self.replica_of(primary)
        primary.kill()
        self.wait_without(primary)
        return replica

    def wait_without(self, killed: Node) -> None:
        """Until the nodes that are left serve every slot."""
        left = [node for node in self.nodes if node is not killed]
        eventually(
            lambda: len(self.primaries()) == PRIMARIES and all(_state(n) == "ok" for n in left),
            "no replica took over",
        )

    def has_lost(self, killed: Node) -> bool:
        """Whether all nodes that are left know that this one is gone."""
        rows = [
            node.client.execute_command("CLUSTER NODES")[f"{HOST}:{killed.port}"]
            for node in self.nodes
            if node is not killed
        ]
        return all("fail" in row["flags"].split(",") for row in rows)  # `fail?` is not sure yet

    def hand_over(self, primary: Node) -> Node:
        """Lets the replica of a primary take its place, both living on; the replica."""
        replica = self.replica_of(primary)
        replica.client.execute_command("CLUSTER FAILOVER")
        eventually(lambda: replica.is_primary, "the replica did not take over")
        self.wait()
        return replica

    def replace(self, node: Node) -> None:
        """Starts a killed node again; returns when it follows the one that took its place."""
        node.start()
        self.wait()

    def forget_everything(self) -> None:
        for node in self.primaries():
            node.client.flushall()


@contextmanager
def cluster(folder: Path, *, node_timeout_ms: int = 1_000) -> Iterator[Cluster]:
    """Three primaries with a replica each; all of it is there when this returns."""
    program = find_server(os.environ).path
    ports = iter(free_ports(4 * PRIMARIES))
    nodes = [
        Node(program, folder / str(number), node_timeout_ms, port=next(ports), bus=next(ports))
        for number in range(2 * PRIMARIES)
    ]
    for node in nodes:
        node.folder.mkdir()
        (node.folder / "nodes.conf").write_text(_known(nodes, node))
    whole = Cluster(nodes)
    try:
        for node in nodes:
            node.start()
        whole.wait()
        yield whole
    finally:
        for node in nodes:
            if node.running:
                node.kill()


def _known(nodes: Sequence[Node], me: Node) -> str:
    """What a node wrote down of a cluster that is formed already: meeting takes them seconds."""
    lines = []
    for number, node in enumerate(nodes):
        myself = "myself," if node is me else ""
        of, primary = number % PRIMARIES, nodes[number % PRIMARIES].id
        role = f"{myself}master -" if number < PRIMARIES else f"{myself}slave {primary}"
        slots = " {}-{}".format(*_slots(of)) if number < PRIMARIES else ""
        at = f"{HOST}:{node.port}@{node.bus}"
        lines.append(f"{node.id} {at} {role} 0 0 {of + 1} connected{slots}")
    return "\n".join([*lines, f"vars currentEpoch {PRIMARIES} lastVoteEpoch 0", ""])


def _slots(number: int) -> tuple[int, int]:
    """First and last slot of a primary."""
    bounds = [n * REDIS_CLUSTER_HASH_SLOTS // PRIMARIES for n in range(PRIMARIES + 1)]
    return bounds[number], bounds[number + 1] - 1


def _serves(node: Node, slot: int) -> bool:
    served = node.client.execute_command("CLUSTER SLOTS")
    return any(
        first <= slot <= last and primary[1] == node.port for first, last, primary, *_ in served
    )


def _state(node: Node) -> Any:
    return node.client.execute_command("CLUSTER INFO")["cluster_state"]


def eventually(true: Callable[[], object], otherwise: str, within_s: float = FORMED_S) -> None:
    """Returns as soon as it is so; a server that does not answer yet is asked again."""
    until = time.monotonic() + within_s
    while True:
        try:
            if true():
                return
        except (redis.ConnectionError, redis.TimeoutError):
            pass
        assert time.monotonic() < until, otherwise
        time.sleep(0.02)
