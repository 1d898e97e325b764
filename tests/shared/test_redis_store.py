"""What only a server can get wrong: numbers in Lua, memory, slots, scripts, lost answers."""

from __future__ import annotations

import socket
from contextlib import closing
from importlib import resources
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from redis.crc import key_slot

from shared.errors import Corrupt, Unavailable
from shared.hintstore import Hint
from shared.ids import match_id, partition
from shared.list_store import Entry
from shared.redis_client import _split, connect, script
from shared.redis_keys import match_keys
from shared.redis_series import RedisSeries
from shared.series_store import Counts, NewRecord
from shared.store import (
    Appended,
    CommandRecord,
    Person,
    Repeated,
    Secret,
    Snapshot,
    VersionConflict,
)
from shared.whole_store import Shelf
from tests.shared.conftest import Stores, an_append, over
from tests.shared.deaf import Deaf


def test_large_versions_stay_digits(any_redis: Any) -> None:
    head, keys = 10**15, match_keys("m_a")
    any_redis.xadd(keys.events, {"e": "old"}, id=f"0-{head}")
    any_redis.hset(keys.meta, mapping={"head": head, "game": "g", "status": "running"})
    store = over(any_redis).events

    assert store.append(an_append("m_a", head, b"a", b"b")) == Appended(head + 2)
    assert [entry for entry, _ in any_redis.xrange(keys.events)][1:] == [
        b"0-1000000000000001",
        b"0-1000000000000002",
    ]
    assert any_redis.hget(keys.meta, "head") == b"1000000000000002"
    with pytest.raises(VersionConflict) as refused:
        store.append(an_append("m_a", head))
    assert refused.value.head == head + 2
    loaded = store.load("m_a", after=head)
    assert loaded is not None
    assert list(loaded.tail) == [b"a", b"b"]


def test_a_stream_with_a_gap_is_corrupt(any_redis: Any) -> None:
    store, keys = over(any_redis).events, match_keys("m_a")
    store.append(an_append("m_a", 0))
    any_redis.xadd(keys.events, {"e": "late"}, id="0-7")
    any_redis.hset(keys.meta, "head", 7)
    with pytest.raises(Corrupt):
        store.load("m_a")
    with pytest.raises(Corrupt):
        store.events("m_a")


def test_a_stream_that_ends_before_its_head_is_corrupt(any_redis: Any) -> None:
    store, keys = over(any_redis).events, match_keys("m_a")
    store.append(an_append("m_a", 0))
    any_redis.hset(keys.meta, "head", 3)
    with pytest.raises(Corrupt):
        store.load("m_a")


def test_a_command_is_never_torn_by_a_rival(real: Stores) -> None:
    store, head = real.events, 0
    for _ in range(1000):
        late = an_append("m_a", head, b"ours", b"ours", b"ours")
        store.append(an_append("m_a", head, b"rival", b"rival"))
        with pytest.raises(VersionConflict) as refused:
            store.append(late)
        head = refused.value.head
    assert store.events("m_a") == [b"rival"] * 2000


def test_a_full_server_refuses_whole_commands(product_redis: Any) -> None:
    stores = over(product_redis)
    store, match = stores.events, "m_a"
    store.append(an_append(match, 0))
    before = _everything(product_redis)
    beside = {"due": 5, "people": {0: Person("A")}, "thoughts": [b"t"]}
    more = an_append(match, 1, b"x" * 1000, b"y", key="k", **beside)
    product_redis.config_set("maxmemory", 1)
    try:
        with pytest.raises(Unavailable) as refused:
            store.append(more)
        entry = Entry(match="m_a", version=1, created_at=1, data=b"d", lists=frozenset({"l"}))
        with pytest.raises(Unavailable):
            stores.lists.upsert("lobby", "g", 1, entry)
        with pytest.raises(Unavailable):
            store.save_snapshot(match, Snapshot(1, 1, b"s"))
        assert store.load(match) is not None, "it can still be read"
    finally:
        product_redis.config_set("maxmemory", 0)
    assert refused.value.code == "store.full"
    assert _everything(product_redis) == before
    assert store.append(more).version == 3


def test_names_are_erased_from_a_full_server_too(product_redis: Any) -> None:
    stores = over(product_redis)
    people = {0: Person("A"), 1: Person("B")}
    stores.events.append(an_append("m_a", 0, people=people))
    product_redis.config_set("maxmemory", 1)
    try:
        assert stores.wholes.erase("m_a", {0: Person("A")}) == (0,)
    finally:
        product_redis.config_set("maxmemory", 0)
    (seated,) = stores.events.seated_many(["m_a"])
    assert (dict(seated.people), seated.erasures) == ({1: Person("B")}, 1)
    assert stores.wholes.aged(Shelf.ERASED, before=10**15, limit=9) == ["m_a"]


def test_a_server_that_forgot_the_scripts_is_given_them_again(any_redis: Any) -> None:
    stores = over(any_redis)
    stores.events.append(an_append("m_a", 0))
    assert stores.work.oldest() >= 0
    any_redis.script_flush()
    assert stores.events.append(an_append("m_a", 1)) == Appended(2)
    any_redis.script_flush()
    assert stores.work.busy(0) == [partition("m_a")]


def test_nobody_there_is_unavailable() -> None:
    with closing(socket.socket()) as held:
        held.bind(("127.0.0.1", 0))  # bound but not listening: refused
        client = connect(f"redis://127.0.0.1:{held.getsockname()[1]}/0", timeout_ms=500)
        with pytest.raises(Unavailable) as refused:
            over(client).events.load("m_a")
    assert refused.value.code == "store.unavailable"


def test_an_append_whose_answer_was_lost_is_not_sent_again(real: Stores, redis_url: str) -> None:
    once = an_append("m_a", 0)
    keyed = an_append("m_a", 1, key="k")
    port = int(redis_url.rpartition(":")[2].partition("/")[0])
    with Deaf(port, b"appended") as way, closing(connect(way.url, timeout_ms=2000)) as client:
        store = over(client).events
        for command in (once, keyed):
            with pytest.raises(Unavailable):
                store.append(command)

    assert real.events.events("m_a") == [b"1", b"2"], "each was carried out, once"
    assert real.events.append(keyed) == Repeated(CommandRecord("body", 201, 2, 2))


def test_an_address_of_a_cluster_is_told_apart() -> None:
    assert _split("redis://u:p@h:1/0?cluster=1&db=0") == ("redis://u:p@h:1/0?db=0", True)
    assert _split("rediss://h:1/2") == ("rediss://h:1/2", False)


def test_all_keys_of_a_script_lie_in_one_slot(fake_redis: Any) -> None:
    client = Watched(fake_redis)
    stores = over(client)

    @settings(max_examples=15, deadline=None)
    @given(st.binary(min_size=1, max_size=8), st.sampled_from(["daifugo", "mint-rails"]))
    def run_every_script(key: bytes, game: str) -> None:
        match = match_id(key, "owner", None)
        more = {"secret": Secret("ab"), "people": {0: Person("A")}, "due": 1, "thoughts": [b"t"]}
        stores.events.append(an_append(match, 0, key="k", **more))
        stores.events.save_snapshot(match, Snapshot(1, 1, b"s"))
        stores.work.mark(match)
        stores.work.offer([partition(match)], limit=1, lease_ms=60_000)
        stores.work.overdue([partition(match)], 1, limit=1, lease_ms=60_000)
        lease = stores.work.take(match, lease_ms=60_000)
        assert lease is not None
        lease = stores.work.renew(lease, lease_ms=60_000)
        assert lease is not None
        assert stores.work.release(lease, done_at=1)
        stores.hints.ask(match, 0, Hint(1, 0, "search"), lease_ms=60_000)
        hint = stores.hints.take(match, 0, 1, lease_ms=60_000)
        assert hint is not None
        assert stores.hints.answer(hint, b"{}")
        entry = Entry(match=match, version=1, created_at=1, data=b"d", lists=frozenset({"l"}))
        stores.lists.upsert("lobby", game, 1, entry)
        stores.lists.entries([("lobby", game, match)])
        stores.lists.remove("lobby", game, 1, match)
        stores.lists.finish_rebuild(stores.lists.begin_rebuild())
        stores.work.busy(1)
        stores.wholes.archive(match, 1, "place")
        stores.wholes.erase(match, {0: Person("A")})
        stores.wholes.settle(match, before=0)
        stores.wholes.note_ended(match, 1)
        stores.wholes.now()
        whole = stores.wholes.whole(match)
        assert whole is not None
        stores.wholes.put_back(whole)
        stores.events.raise_epoch(match, 0)
        stores.wholes.remove(match)
        stores.wholes.forget(match)
        script(client, "confirm")(keys=[match_keys(match).commands], args=["k", "seen"])

    run_every_script()
    _every_call(RedisSeries(client))
    parts = {"marks.lua", "series.lua"}  # what others begin with
    scripts = [f for f in (resources.files("shared") / "lua").iterdir() if f.name not in parts]
    assert len({text for text, _ in client.calls}) == len(scripts)
    for _, keys in client.calls:
        assert len({key_slot(name.encode()) for name in keys}) == 1


def _every_call(series: RedisSeries) -> None:
    made = {"owner": "host", "body": "b", "spec": b"{}", "chunks": 2, "at_once": 1}
    series.create(NewRecord(id="s_a", created_at=1, **made), limit=1)
    series.get("s_a")
    series.active()
    series.page("host", after=None, limit=1)
    for end in ("save", "release", "finish"):
        held = series.take("s_a", lease_ms=60_000)
        assert held is not None
        assert series.renew(held, lease_ms=60_000)
        if end == "save":
            assert series.save(held, b"part", b"sums", Counts(0, 0, 0)) == "kept"
        elif end == "release":
            series.release(held)
        else:
            assert series.finish(held, b"sums", Counts(1, 0, 1)) == "kept"
    assert series.sums("s_a")
    assert series.part("s_a", 1) is None
    assert series.set_status("s_a", before=("running",), after="paused")
    whole = series.whole("s_a")
    assert whole is not None
    assert not series.put_back(whole)
    series.put_back_deleted("s_a", 1)
    assert series.delete("s_a")


def _everything(client: Any) -> dict[bytes, Any]:
    return {key: client.dump(key) for key in client.scan_iter()}


class Watched:
    """A client that notes the keys of every script, also of those that a pipeline sends."""

    def __init__(self, client: Any, calls: list[tuple[str, list[str]]] | None = None) -> None:
        self._client = client
        self.calls: list[tuple[str, list[str]]] = [] if calls is None else calls

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def pipeline(self, **more: Any) -> Any:
        return Watched(self._client.pipeline(**more), self.calls)

    def evalsha(self, sha: str, count: int, *keys_and_args: Any) -> Any:
        self.calls.append((sha, list(keys_and_args[:count])))
        return self._client.evalsha(sha, count, *keys_and_args)
