"""A backup has everything byte for byte, and names what is damaged."""

from __future__ import annotations

from typing import Any

import msgspec

from services.upkeep.backup import Truth, back_up
from services.upkeep.form import KeyLine, MatchLine, Reader, Writer
from shared.ids import partition
from shared.store import PARTITIONS, Append, CommandRecord
from shared.whole_store import REMOVED
from tests.services.upkeep.truth import (
    HEADER,
    HOST,
    a_busy_world,
    all_of,
    empty,
    put_back,
    quiet,
    truth_of,
    written,
)
from tests.services.world import PERSON, World


def test_a_backup_comes_back_as_it_was(real: Truth) -> None:
    _, truth = a_busy_world()
    lines = written(truth)
    before = all_of(truth)
    assert [match.status for match in before.values() if hasattr(match, "match")].count(REMOVED)
    for elsewhere in (empty(), real):
        found = put_back(elsewhere, lines)
        assert found.restored == {"match": 5, "series": 2, "deleted": 1, "key": 2}
        assert (found.there, found.differing) == ({}, [])
        after = all_of(elsewhere)
        assert [name for name, _ in after.pop("deleted")] == ["s_gone"]
        assert after == {k: v for k, v in before.items() if k != "deleted"}
        # A backup of what was restored is the same but for the order.
        assert sorted(written(elsewhere)[1:-1]) == sorted(lines[1:-1])


def test_every_match_of_a_backup_has_its_key_though_both_are_made_meanwhile() -> None:
    """Keys come last: one that is made while the matches are taken is in it."""
    world = World()
    truth = truth_of(world)
    last = next(m for m in (f"m_{n}" for n in range(9_999)) if partition(m) == PARTITIONS - 1)

    def meanwhile(done: int, total: int) -> None:
        if truth.keys.get("new") is None:
            truth.keys.add(msgspec.structs.replace(HOST, id="new"))
            world.stores.events.append(
                Append(match=last, expected=0, events=[b"{}"], game="g", status="running")
            )

    world.create(PERSON, PERSON)
    parts: list[bytes] = []
    back_up(truth, Writer(parts.append, HEADER), meanwhile)
    lines = list(Reader(parts).lines())
    assert last in {line.match.match for line in lines if isinstance(line, MatchLine)}
    assert "new" in {line.key.id for line in lines if isinstance(line, KeyLine)}


EVENTS = [
    b'{"a":1}',
    b'{"a": 1 , "b":[]}',
    b"not json",
    b'{"half',
    b'"text"',
    b"\xff\x00",
    b'{"a":\n1}',
    b' {"a":1}',
    b'{"e":"\xc3\xa9"}',
    b"{\xff}",
    b'{"a":"\xff"}',
    b"",
]


def test_events_are_kept_byte_for_byte_whatever_they_are() -> None:
    truth = empty()
    record = CommandRecord("body", 201, 1, len(EVENTS))
    truth.events.append(
        Append(
            match="m_a",
            expected=0,
            events=EVENTS,
            game="g",
            status="running",
            thoughts=[b"[1,0,5]", b"{"],
            command=("k", record),
        )
    )
    lines = written(truth)
    assert b'[{"a":1},{"a": 1 , "b":[]},"' in lines[1], "what can be read is there to be read"
    elsewhere = empty()
    put_back(elsewhere, lines)
    assert elsewhere.events.events("m_a") == EVENTS
    assert elsewhere.events.thoughts("m_a", after=0, limit=9) == [b"[1,0,5]", b"{"]
    assert elsewhere.wholes.whole("m_a") == truth.wholes.whole("m_a")


def test_a_damaged_match_is_named_and_all_others_are_kept(real: Truth, real_redis: Any) -> None:
    _, truth = a_busy_world()
    put_back(real, written(truth))
    match = next(m for number in range(PARTITIONS) for m in real.events.matches(number))
    meta = next(k for k in real_redis.keys("*:meta") if match.encode() in k)
    real_redis.hset(meta, "head", 99)
    real_redis.hset(meta, "status", "running")
    real_redis.hdel(meta, "place")
    parts: list[bytes] = []
    assert back_up(real, Writer(parts.append, HEADER), quiet) == [match]
    assert put_back(empty(), parts).restored["match"] == 4
    assert put_back(real, written(truth)).differing == [("match", match)]
