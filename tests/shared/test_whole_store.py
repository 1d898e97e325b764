"""What a store of whole matches promises, held by every adapter."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from shared.errors import Corrupt
from shared.ids import partition
from shared.redis_keys import match_keys
from shared.store import (
    CommandRecord,
    Person,
)
from shared.whole_store import Shelf, Whole
from tests.shared.conftest import Stores, an_append, eventually, over
from tests.shared.whole_matches import ANN, SECRET, ended


def test_a_whole_match_is_all_that_was_appended(stores: Stores) -> None:
    assert stores.wholes.whole("m_a") is None
    assert ended(stores) == Whole(
        match="m_a",
        game="tic-tac-toe",
        status="ended",
        head=3,
        epochs={0: 7},
        events=(b"one", b"two", b"three"),
        commands={"k": CommandRecord("body", 201, 1, 1)},
        secret=SECRET,
        people={0: ANN, 2: Person("Bob")},
        thoughts=(b"[1,0,5]",),
        ended_at=1_000,
    )


def test_a_running_match_keeps_its_deadline(stores: Stores) -> None:
    stores.events.append(an_append("m_a", 0, due=1_700_000_000_123))
    whole = stores.wholes.whole("m_a")
    assert whole is not None
    assert (whole.due, whole.ended_at, whole.status) == (1_700_000_000_123, None, "running")


def test_what_is_put_back_elsewhere_is_the_same_match(stores: Stores) -> None:
    running = an_append("m_b", 0, b"one", key="k", due=5, people={1: ANN}, epochs={1: 3})
    stores.events.append(running)
    for whole in (ended(stores), stores.wholes.whole("m_b")):
        assert whole is not None
        assert not stores.wholes.put_back(whole), "it is here"
        there = msgspec.structs.replace(whole, match=whole.match + "2")
        assert stores.wholes.put_back(there)
        assert stores.wholes.whole(there.match) == there
        loaded = stores.events.load(there.match, command="k")
        assert loaded is not None
        assert loaded.record == CommandRecord("body", 201, 1, 1)
        assert stores.work.take(there.match, lease_ms=1), "a mark asks for its projections"
        assert there.match in stores.events.matches(partition(there.match))
    assert stores.work.overdue([partition("m_b2")], 6, limit=9, lease_ms=1)[0] == ["m_b2"]
    assert stores.wholes.aged(Shelf.ENDED, before=1_001, limit=9).count("m_a2") == 1


def test_a_long_match_is_taken_out_and_put_back_whole(stores: Stores) -> None:
    """Longer than what Lua's stack holds."""
    events = [b"%d" % n for n in range(20_000)]
    thoughts = [b"[%d,0,1]" % n for n in range(9_000)]
    stores.events.append(an_append("m_a", 0, *events, thoughts=thoughts))
    whole = stores.wholes.whole("m_a")
    assert whole is not None
    assert (list(whole.events), list(whole.thoughts)) == (events, thoughts)
    there = msgspec.structs.replace(whole, match="m_b")
    assert stores.wholes.put_back(there)
    assert stores.wholes.whole("m_b") == there
    assert stores.events.events("m_b") == events


def test_a_whole_that_cannot_be_read_is_corrupt(any_redis: Any) -> None:
    stores, keys = over(any_redis), match_keys("m_a")
    ended(stores)
    any_redis.hset(keys.people, "0", "{")
    with pytest.raises(Corrupt):
        stores.wholes.whole("m_a")
    any_redis.hdel(keys.people, "0")
    any_redis.hset(keys.meta, "head", 4)
    with pytest.raises(Corrupt):
        stores.wholes.whole("m_a")


def test_a_store_has_a_time_of_its_own(stores: Stores) -> None:
    first = stores.wholes.now()
    eventually(lambda: stores.wholes.now() > first)
