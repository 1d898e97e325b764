"""What only a cluster can get wrong: redirections, failovers, lost answers, scripts of one node."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest
from redis.crc import key_slot

from shared.errors import Unavailable
from shared.ids import partition
from shared.list_store import Entry
from shared.redis_client import Client, connect, memory, patience, refusals
from shared.redis_cluster import Cluster as ClusterClient
from shared.redis_files import RedisFiles
from shared.redis_keys import match_keys
from shared.store import Appended, Look, Snapshot, Written
from shared.store_files import Rewriting
from tests.cluster import Cluster, Node, eventually
from tests.shared.conftest import TIMEOUT_MS, Stores, an_append, over
from tests.shared.deaf import Deaf

MATCHES = [f"m_{number}" for number in range(12)]
"""They lie on all primaries."""


@pytest.fixture
def stores(client: Client) -> Stores:
    return over(client)


def home(whole: Cluster, match: str) -> Node:
    return whole.primary_of(match_keys(match).events)


def test_the_matches_lie_on_all_primaries(hurt: Cluster) -> None:
    assert {home(hurt, match).port for match in MATCHES} == {n.port for n in hurt.primaries()}


def test_a_client_follows_a_slot_to_the_node_that_took_it_over(
    hurt: Cluster, stores: Stores
) -> None:
    for match in MATCHES:
        stores.events.append(an_append(match, 0))
    hurt.hand_over(home(hurt, MATCHES[0]))

    # In one round trip to all nodes, and one by one; the new primary has none of the scripts.
    loaded = stores.events.load_many([Look(match) for match in MATCHES])
    assert [found.head.version for found in loaded] == [1] * len(MATCHES)  # type: ignore[union-attr]
    assert len(stores.work.take_many(MATCHES, lease_ms=60_000)) == len(MATCHES)
    for match in MATCHES:
        assert stores.events.append(an_append(match, 1)) == Appended(2)
    assert stores.work.oldest() == 0


def test_where_some_nodes_forgot_a_script_every_call_is_carried_out_once(
    hurt: Cluster, stores: Stores, client: Any
) -> None:
    for match in MATCHES:
        stores.events.append(an_append(match, 0))
    assert stores.work.take_many(MATCHES[:1], lease_ms=0)
    for match in MATCHES:
        stores.work.mark(match)
    home(hurt, MATCHES[0]).client.script_flush()

    leases = stores.work.take_many(MATCHES[1:], lease_ms=60_000)

    assert [lease.match for lease in leases] == MATCHES[1:], "none was taken from itself"
    assert {client.hget(match_keys(match).meta, "tries") for match in MATCHES[1:]} == {b"1"}
    saved = [(match, Snapshot(1, 1, b"s")) for match in MATCHES]
    assert set(stores.events.save_snapshots(saved)) == {Written.YES}


def test_what_was_not_answered_is_not_sent_again(hurt: Cluster, stores: Stores) -> None:
    far = home(hurt, MATCHES[0])
    with (
        Deaf(far.port, b"appended") as way,
        closing(through(hurt, far, way)) as client,
        pytest.raises(Unavailable) as refused,
    ):
        over(client).events.append(an_append(MATCHES[0], 0))
    assert refused.value.code == "store.unavailable"
    assert stores.events.events(MATCHES[0]) == [b"1"]


def test_nor_is_what_was_sent_together(hurt: Cluster, stores: Stores, client: Any) -> None:
    far = home(hurt, MATCHES[0])
    keys = [match_keys(match).meta for match in MATCHES]
    with Deaf(far.port, b"1234567") as way, closing(through(hurt, far, way)) as deaf:
        pipeline: Any = deaf.pipeline(transaction=False)
        for key in keys:
            pipeline.hincrby(key, "tries", 1234567)
        with pytest.raises(Unavailable), refusals():
            pipeline.execute()
    assert {client.hget(key, "tries") for key in keys} == {b"1234567"}


def through(whole: Cluster, node: Node, way: Deaf) -> Client:
    """A client that comes to one of the nodes only by a way on which answers get lost."""

    def remap(address: tuple[str, int]) -> tuple[str, int]:
        host, port = address
        return host, way.port if port == node.port else port

    made: Any = ClusterClient(whole.url, {**patience(TIMEOUT_MS), "address_remap": remap})
    return made  # type: ignore[no-any-return]  # it has the library's methods


def test_a_slot_that_is_being_moved_is_refused_and_then_followed(
    hurt: Cluster, stores: Stores
) -> None:
    match = MATCHES[0]
    stores.events.append(an_append(match, 0))
    slot = key_slot(match_keys("m_new").events.encode())
    source = home(hurt, "m_new")
    target = next(node for node in hurt.primaries() if node is not source)
    target.client.execute_command("CLUSTER SETSLOT", slot, "IMPORTING", source.id)
    source.client.execute_command("CLUSTER SETSLOT", slot, "MIGRATING", target.id)

    with pytest.raises(Unavailable) as refused:
        stores.events.append(an_append("m_new", 0))
    assert refused.value.code == "store.unavailable"
    assert stores.events.load("m_new") is None, "nothing was written; a look is sent on"

    for node in hurt.primaries():
        node.client.execute_command("CLUSTER SETSLOT", slot, "NODE", target.id)
    assert stores.events.append(an_append("m_new", 0)) == Appended(1)
    assert home(hurt, "m_new") is target


def test_a_rebuild_deletes_what_lies_on_all_nodes(hurt: Cluster, stores: Stores) -> None:
    games = ["daifugo", "landlords-game", "mint-rails", "filthy-rich"]
    entry = Entry(match="m_a", version=1, created_at=1, data=b"d", lists=frozenset({"l"}))
    for game in games:
        stores.lists.upsert("lobby", game, 1, entry)
    begun = stores.lists.begin_rebuild()
    stores.lists.note_rebuild(begun, partition("m_a"), 1, 0)
    stores.lists.finish_rebuild(begun)
    left = {key for node in hurt.primaries() for key in node.client.scan_iter()}
    assert left == {b"{lists}:generations", b"{lists}:known", b"{lists}:rebuild:2"}
    assert stores.lists.counts([("lobby", game, "l") for game in games]) == [0] * len(games)


def test_the_memory_is_that_of_the_fullest_primary(hurt: Cluster, client: Client) -> None:
    fullest = hurt.primaries()[1]
    fullest.client.config_set("maxmemory", 1 << 30)
    try:
        assert memory(client).bound == 1 << 30
    finally:
        fullest.client.config_set("maxmemory", 0)
    assert memory(client).bound == 0


def test_a_primary_that_dies_costs_refusals_until_its_replica_serves(
    hurt: Cluster, stores: Stores
) -> None:
    for match in MATCHES:
        stores.events.append(an_append(match, 0))
    killed = home(hurt, MATCHES[0])
    killed.kill()
    with pytest.raises(Unavailable) as refused:
        stores.events.append(an_append(MATCHES[0], 1))
    assert refused.value.code == "store.unavailable"

    hurt.wait_without(killed)
    with pytest.raises(Unavailable):  # it still looks where it found it last
        stores.events.append(an_append(MATCHES[0], 1))
    assert stores.events.append(an_append(MATCHES[0], 1)) == Appended(2)
    assert [len(stores.events.events(match)) for match in MATCHES] == [2] + [1] * 11
    hurt.replace(killed)
    assert hurt.replica_of(home(hurt, MATCHES[0])) is killed
    assert stores.events.append(an_append(MATCHES[0], 2)) == Appended(3)


def test_a_replica_that_is_gone_is_asked_nothing(hurt: Cluster, client: Client) -> None:
    files = RedisFiles(client)
    assert not files.look().failed
    gone = hurt.replica_of(home(hurt, MATCHES[0]))
    gone.kill()
    eventually(lambda: hurt.has_lost(gone), "nobody noticed")
    assert not files.look().failed
    assert files.rewrite(0, now=1) is Rewriting.BEGUN
    hurt.replace(gone)


def test_a_cluster_that_is_away_is_found_when_it_is_there(hurt: Cluster, stores: Stores) -> None:
    stores.events.append(an_append("m_a", 0))
    for node in hurt.nodes:
        node.kill()
    with closing(connect(hurt.url, timeout_ms=TIMEOUT_MS)) as fresh:
        for client_stores in (stores, over(fresh)):
            with pytest.raises(Unavailable) as refused:
                client_stores.events.load("m_a")
            assert refused.value.code == "store.unavailable"
        for node in hurt.nodes:
            node.start()
        hurt.wait()
        for client_stores in (stores, over(fresh)):
            assert client_stores.events.events("m_a") == [b"1"]
