"""Stores that are backed up, the lines of their backup, and all that they keep."""

from __future__ import annotations

from typing import Any

import msgspec

from services.matches.committing import Done
from services.upkeep.backup import Truth, back_up, check_value
from services.upkeep.form import FORMAT, Header, Reader, Writer
from services.upkeep.restoring import Restored, restore
from shared.keystore import MemoryKeys, StoredKey
from shared.memory_series import MemorySeries
from shared.memory_store import MemoryStore
from shared.memory_wholes import MemoryWholes
from shared.series_store import Counts, NewRecord
from shared.store import PARTITIONS
from tests.services.world import OPEN, PERSON, World, bot, key

HEADER = Header(format=FORMAT, at=1, build="1", server_key=check_value("k" * 40))
HOST = StoredKey(id="host", hash="h" * 64, name="a site", created_at=1)


def quiet(done: int, total: int) -> None:
    pass


def clock() -> int:
    return 1_700_000_000_000


def truth_of(world: World, keys: Any = None) -> Truth:
    stores = world.stores
    return Truth(stores.events, stores.wholes, stores.series, keys or MemoryKeys())


def empty() -> Truth:
    store = MemoryStore(clock)
    return Truth(store, MemoryWholes(store), MemorySeries(clock), MemoryKeys())


def written(truth: Truth) -> list[bytes]:
    """The lines of a backup."""
    parts: list[bytes] = []
    assert back_up(truth, Writer(parts.append, HEADER), quiet) == []
    return parts


def put_back(truth: Truth, lines: list[bytes]) -> Restored:
    return restore(truth, Reader(lines), len(lines) - 2, quiet)


def all_of(truth: Truth) -> dict[str, Any]:
    """Everything that a store keeps for good."""
    matches = [m for number in range(PARTITIONS) for m in truth.events.matches(number)]
    return {
        **{m: truth.wholes.whole(m) for m in matches},
        **{s: truth.series.whole(s) for s in truth.series.ids()},
        "deleted": truth.series.deleted(before=10**15, limit=99),
        "keys": sorted(truth.keys.all(), key=lambda stored: stored.id),
    }


def place(world: World, match: str, at: int, **more: Any) -> Done:
    """Whose turn it is takes a cell."""
    (seat,) = world.active(match)
    return world.move(match, seat, {"type": "place", "at": at}, **more)


def a_busy_world() -> tuple[World, Truth]:
    """Matches that wait, run and are over, archived and removed ones; series; API keys."""
    world = World()
    truth = truth_of(world)
    person = msgspec.structs.replace(PERSON, name="Ann", ref="user-1")
    running = world.created(person, PERSON, key=key("c")).id
    place(world, running, 0, key=key("m"))
    world.create(PERSON, OPEN)
    for fate in ("kept", "archived", "removed"):
        ended = world.create(bot(), bot("random"))
        world.advance(ended)
        if fate == "archived":
            assert truth.wholes.archive(ended, world.match(ended).version, "there")
        if fate == "removed":
            assert truth.wholes.remove(ended)
    for name in ("s_done", "s_runs", "s_gone"):
        truth.series.create(
            NewRecord(
                id=name, owner="host", body="b", spec=b"{}", chunks=2, at_once=2, created_at=5
            ),
            limit=9,
        )
        held = truth.series.take(name, lease_ms=60_000)
        assert held is not None
        truth.series.finish(held, b"sums", Counts(1, 0, 2))
    held = truth.series.take("s_runs", lease_ms=0)
    assert held is not None
    truth.series.save(held, b"\xffpart", b"sums", Counts())
    truth.series.delete("s_gone")
    truth.keys.add(HOST)
    truth.keys.add(msgspec.structs.replace(HOST, id="other"))
    truth.keys.revoke("other")
    return world, truth
