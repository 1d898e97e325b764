"""What a failover loses, and that nothing of it was acknowledged where replicas are waited for."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
import redis

from api.cli.servers import EmbeddedServer, free_port
from shared.errors import Unavailable
from shared.ids import partition
from shared.keystore import StoredKey
from shared.redis_client import Client, connect
from shared.redis_keys import match_keys, partition_keys
from shared.redis_keystore import RedisKeys
from shared.redis_series import RedisSeries
from shared.redis_store import RedisEvents
from shared.redis_waiting import Replicas
from shared.redis_wholes import RedisWholes
from shared.series_store import NewRecord
from shared.store import Appended, CommandRecord, Person, Repeated, VersionConflict
from shared.whole_store import Whole
from tests.cluster import Cluster, Node
from tests.shared.conftest import TIMEOUT_MS, an_append, eventually

ONE = Replicas(1, patience_ms=5_000)
HASTY = Replicas(1, patience_ms=50)
RECORD = CommandRecord("body", 201, 2, 2)
KEY = StoredKey(id="ann1", hash="h", name="Ann", created_at=1)
SERIES = NewRecord(id="s_a", owner="host", body="b", spec=b"{}", chunks=1, at_once=1, created_at=1)


@pytest.fixture
def alone(redis_url: str, real_redis: redis.Redis) -> Iterator[Client]:
    """A single server that nobody follows."""
    with closing(connect(redis_url, timeout_ms=TIMEOUT_MS)) as client:
        yield client


@pytest.fixture
def follower(tmp_path: Path, redis_server: EmbeddedServer) -> Iterator[EmbeddedServer]:
    """Another server, that can be made a replica of that one."""
    with EmbeddedServer(redis_server.program, free_port(), tmp_path, "events") as server:
        yield server


def follow(follower: EmbeddedServer, followed: EmbeddedServer) -> None:
    with redis.Redis(port=follower.port) as replica, redis.Redis(port=followed.port) as primary:
        primary.config_set("repl-diskless-sync-delay", 0)  # it would wait 5 s for others
        replica.replicaof("127.0.0.1", followed.port)


def home(whole: Cluster) -> Node:
    return whole.primary_of(match_keys("m_a").events)


def not_replicated(call: Callable[[], object]) -> None:
    with pytest.raises(Unavailable) as refused:
        call()
    assert refused.value.code == "store.not-replicated"


def lose(hurt: Cluster, primary: Node) -> None:
    """The primary dies with what its replica has not got, and comes back as a replica."""
    hurt.fail_over(primary)
    hurt.replace(primary)


def sure(call: Callable[[], Any]) -> Any:
    """The answer, when the client has found the new primary."""

    def answered() -> list[Any]:
        try:
            return [call()]
        except Unavailable:
            return []

    return eventually(answered, 20)[0]


def test_without_waiting_a_failover_loses_what_was_acknowledged_last(
    hurt: Cluster, client: Client
) -> None:
    store, primary = RedisEvents(client), home(hurt)
    RedisEvents(client, replicas=ONE).append(an_append("m_a", 0))
    primary.cut_off()
    assert store.append(an_append("m_a", 1, b"a", b"b", key="k")) == Appended(3)

    lose(hurt, primary)

    # Gone as a whole: no gap, nothing half-written, and the match goes on from where it is.
    loaded = sure(lambda: store.load("m_a", command="k"))
    assert (loaded.head.version, list(loaded.tail), loaded.record) == (1, [b"1"], None)
    with pytest.raises(VersionConflict) as refused:
        store.append(an_append("m_a", 3))
    assert refused.value.head == 1
    assert store.append(an_append("m_a", 1, b"a", b"b", key="k")) == Appended(3)
    assert store.events("m_a") == [b"1", b"a", b"b"]


def test_with_waiting_the_same_append_was_never_acknowledged(hurt: Cluster, client: Client) -> None:
    store, primary = RedisEvents(client, replicas=ONE), home(hurt)
    store.append(an_append("m_a", 0))
    primary.cut_off()
    not_replicated(lambda: RedisEvents(client, replicas=HASTY).append(an_append("m_a", 1, key="k")))

    lose(hurt, primary)

    assert sure(lambda: store.append(an_append("m_a", 1, key="k"))) == Appended(2), "it was lost"
    assert store.events("m_a") == [b"1", b"2"]


def test_a_primary_may_be_told_to_write_nothing_that_no_replica_gets(
    hurt: Cluster, client: Client
) -> None:
    store, primary = RedisEvents(client), home(hurt)
    store.append(an_append("m_a", 0))
    primary.client.config_set("min-replicas-to-write", 1)
    try:
        primary.cut_off()
        with pytest.raises(Unavailable) as refused:
            store.append(an_append("m_a", 1))
    finally:
        primary.client.config_set("min-replicas-to-write", 0)
        primary.let_in()
    assert refused.value.code == "store.unavailable"
    assert store.events("m_a") == [b"1"]
    hurt.wait()


def test_what_was_acknowledged_with_waiting_outlives_its_primary(
    hurt: Cluster, client: Client
) -> None:
    store = RedisEvents(client, replicas=ONE)
    for version in range(20):
        assert store.append(an_append("m_a", version, key=f"k{version}")).version == version + 1  # type: ignore[union-attr]
    lose(hurt, home(hurt))
    assert sure(lambda: store.events("m_a")) == [b"%d" % n for n in range(1, 21)]
    assert isinstance(store.append(an_append("m_a", 19, key="k19")), Repeated)


def test_a_repeat_is_acknowledged_no_sooner_than_its_events_are_replicated(
    hurt: Cluster, client: Client
) -> None:
    primary, again = home(hurt), an_append("m_a", 1, key="k")
    RedisEvents(client).append(an_append("m_a", 0))
    primary.cut_off()
    hasty = RedisEvents(client, replicas=HASTY)
    not_replicated(lambda: hasty.append(again))
    # Another process, whose connections have written nothing that WAIT could wait for.
    with closing(connect(hurt.url, timeout_ms=TIMEOUT_MS)) as fresh:
        other = RedisEvents(fresh, replicas=HASTY)
        not_replicated(lambda: other.append(again))
        not_replicated(lambda: other.load("m_a", command="k"))
        assert other.load("m_a") is not None, "only an acknowledgement waits"
        primary.let_in()
        patient = RedisEvents(fresh, replicas=ONE)
        assert patient.append(again) == Repeated(RECORD)
        assert patient.load("m_a", command="k").record == RECORD  # type: ignore[union-attr]
    hurt.wait()


def test_a_script_that_a_primary_has_forgotten_is_waited_for_as_well(
    hurt: Cluster, client: Client
) -> None:
    store = RedisEvents(client, replicas=ONE)
    store.append(an_append("m_a", 0))
    hurt.hand_over(home(hurt))
    assert store.append(an_append("m_a", 1)) == Appended(2)


def test_a_single_server_waits_for_its_replica_too(
    alone: Client, redis_server: EmbeddedServer, follower: EmbeddedServer
) -> None:
    store, again = RedisEvents(alone, replicas=HASTY), an_append("m_a", 0, key="k")
    not_replicated(lambda: store.append(again))
    not_replicated(lambda: store.append(again))
    follow(follower, redis_server)
    patient = RedisEvents(alone, replicas=ONE)
    assert sure(lambda: patient.append(again)) == Repeated(CommandRecord("body", 201, 1, 1))
    follower.kill()
    not_replicated(lambda: store.append(an_append("m_a", 1)))
    assert store.events("m_a") == [b"1", b"2"], "it is there, and may be lost yet"


def test_all_that_a_client_is_told_of_waits(alone: Client) -> None:
    RedisEvents(alone).append(an_append("m_a", 0))
    RedisSeries(alone).create(SERIES, limit=9)
    RedisSeries(alone).create(dataclasses.replace(SERIES, id="s_back"), limit=9)
    RedisKeys(alone).add(KEY)
    ann = Person("Ann")
    RedisEvents(alone).append(an_append("m_over", 0, status="ended", people={0: ann}))
    alone.zrem(partition_keys(partition("m_over")).work, "m_over")  # nobody works on it
    events, keys = RedisEvents(alone, replicas=HASTY), RedisKeys(alone, HASTY)
    series, wholes = RedisSeries(alone, HASTY), RedisWholes(alone, HASTY)

    not_replicated(lambda: events.append(an_append("m_a", 1)))
    not_replicated(lambda: events.raise_epoch("m_a", 0))
    for _ in range(2):  # each time anew
        not_replicated(lambda: series.create(SERIES, limit=9))
        not_replicated(lambda: series.set_status("s_a", before=("running",), after="paused"))
        not_replicated(lambda: keys.add(KEY))
        not_replicated(lambda: keys.revoke("ann1"))
        not_replicated(lambda: wholes.erase("m_over", {0: ann}))
    not_replicated(lambda: series.delete("s_a"))
    not_replicated(lambda: wholes.remove("m_over"))
    elsewhere = Whole(match="m_new", game="g", status="ended", head=1, events=(b"1",))
    not_replicated(lambda: wholes.put_back(elsewhere))
    other = series.whole("s_back")
    assert other is not None
    not_replicated(lambda: series.put_back(msgspec.structs.replace(other, id="s_new")))
    assert keys.get("ann1") == msgspec.structs.replace(KEY, revoked=True)
