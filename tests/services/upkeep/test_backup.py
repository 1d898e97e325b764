"""A backup and its way back, over memory stores and over a real server."""

from __future__ import annotations

import dataclasses
import gzip
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import msgspec
import pytest

from services.bootstrap import redis_stores
from services.matches.committing import Done
from services.upkeep.backup import Truth, back_up, check_value
from services.upkeep.files import FileTrouble, Place
from services.upkeep.form import FORMAT, Damaged, Header, KeyLine, MatchLine, Reader, Writer
from services.upkeep.restoring import Restored, restore
from shared.errors import Unavailable
from shared.ids import partition
from shared.keystore import MemoryKeys, StoredKey
from shared.memory_series import MemorySeries
from shared.memory_store import MemoryStore
from shared.memory_wholes import MemoryWholes
from shared.redis_client import connect
from shared.redis_keystore import RedisKeys
from shared.series_store import Counts, NewRecord
from shared.settings import Settings
from shared.store import PARTITIONS, Append, CommandRecord
from shared.whole_store import REMOVED
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


@pytest.fixture
def real(real_redis: Any, redis_url: str) -> Iterator[Truth]:
    stores = redis_stores(Settings(events_url=redis_url))
    client = connect(redis_url, timeout_ms=5_000)
    yield Truth(stores.events, stores.wholes, stores.series, RedisKeys(client))
    client.close()


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


def test_a_restored_match_goes_on_and_knows_its_commands() -> None:
    world = World()
    match = world.create(PERSON, PERSON)
    (seat,) = world.active(match)
    first = place(world, match, 4, key=key("m"))
    lines = written(truth_of(world))

    other = World()
    put_back(truth_of(other), lines)
    again = other.move(match, seat, {"type": "place", "at": 4}, key=key("m"))
    assert again.replayed
    assert (again.first, again.envelopes) == (first.first, first.envelopes)
    assert other.log(match) == world.log(match)
    place(other, match, 0)
    assert other.match(match).version == world.match(match).version + 1


def test_restoring_again_changes_nothing(real: Truth) -> None:
    _, truth = a_busy_world()
    lines = written(truth)
    for elsewhere in (truth, real):
        put_back(elsewhere, lines)
        before = all_of(elsewhere)
        found = put_back(elsewhere, lines)
        assert found.restored == {"deleted": 1}, "which is known already"
        assert found.there == {"match": 5, "series": 2, "key": 2}
        assert found.differing == []
        assert all_of(elsewhere) == before


def test_what_was_stopped_half_way_is_done_by_doing_it_again() -> None:
    _, truth = a_busy_world()
    lines, elsewhere = written(truth), empty()

    class Killed(Exception):
        pass

    def killed(done: int, total: int) -> None:
        if done == 3:
            raise Killed

    with pytest.raises(Killed):
        restore(elsewhere, Reader(lines), 9, killed)
    found = put_back(elsewhere, lines)
    assert found.there == {"match": 3}
    assert {**all_of(elsewhere), "deleted": []} == {**all_of(truth), "deleted": []}


def test_a_match_that_went_on_is_left_and_one_that_went_elsewhere_is_told_of() -> None:
    world, here = World(), World()
    grown, other, behind, absent = (world.create(PERSON, PERSON) for _ in range(4))
    for match in (grown, other, behind):
        whole = world.stores.wholes.whole(match)
        assert whole is not None
        here.stores.wholes.put_back(whole)
    for match in (other, behind):
        place(world, match, 0)
    place(here, grown, 0)
    place(here, other, 8)
    before = all_of(truth_of(here))

    found = put_back(truth_of(here), written(truth_of(world)))

    assert (found.there, found.restored) == ({"match": 1}, {"match": 1})
    assert sorted(found.differing) == sorted([("match", other), ("match", behind)])
    after = all_of(truth_of(here))
    assert after == {**before, absent: after[absent]}


def test_what_was_removed_or_archived_meanwhile_stays_so() -> None:
    world = World()
    truth = truth_of(world)
    for _ in range(2):
        world.advance(world.create(bot(), bot()))
    lines = written(truth)
    gone, filed = [m for number in range(PARTITIONS) for m in truth.events.matches(number)]
    truth.wholes.remove(gone)
    truth.wholes.archive(filed, world.match(filed).version, "there")
    before = all_of(truth)
    assert put_back(truth, lines).there == {"match": 2}
    assert all_of(truth) == before


def test_a_series_that_has_the_id_of_another_one_is_told_of() -> None:
    _, truth = a_busy_world()
    lines, elsewhere = written(truth), empty()
    new = NewRecord(id="s_runs", owner="o", body="", spec=b"", chunks=1, at_once=1, created_at=1)
    for name in ("s_1", "s_2", "s_3"):
        elsewhere.series.create(dataclasses.replace(new, id=name), limit=9)
    elsewhere.series.create(new, limit=9)
    found = put_back(elsewhere, lines)
    assert found.differing == [("series", "s_runs")]
    kept = elsewhere.series.get("s_runs")
    assert kept is not None
    assert kept.owner == "o"


def test_a_key_that_was_revoked_does_not_come_back_to_life() -> None:
    _, truth = a_busy_world()
    lines, elsewhere = written(truth), empty()
    # The server has started on an empty store, and made the key of its settings.
    elsewhere.keys.add(msgspec.structs.replace(HOST, id="other", created_at=2))
    # And one of the same id that is another key.
    elsewhere.keys.add(msgspec.structs.replace(HOST, hash="x" * 64))
    found = put_back(elsewhere, lines)
    assert found.there == {"key": 1}
    assert found.differing == [("key", "host")]
    revoked, other = elsewhere.keys.get("other"), elsewhere.keys.get("host")
    assert revoked is not None
    assert revoked.revoked
    assert other is not None
    assert other.hash == "x" * 64


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


@pytest.mark.parametrize("at", [0, 1, 4, -2, -1])
def test_a_changed_byte_is_known_before_anything_is_written(at: int) -> None:
    _, truth = a_busy_world()
    lines = written(truth)
    for position in range(3, len(lines[at]) - 1, 97):
        changed = bytearray(lines[at])
        changed[position] ^= 1
        damaged = [*lines]
        damaged[at] = bytes(changed)
        if at == 0 and lines[0] == damaged[0]:
            continue
        with pytest.raises(Damaged):
            list(Reader(damaged).lines())


@pytest.mark.parametrize(
    "damage",
    [
        lambda lines: lines[:-1],
        lambda lines: lines[1:],
        lambda lines: [*lines[:2], *lines[3:]],
        lambda lines: [lines[0], lines[2], lines[1], *lines[3:]],
        lambda lines: [*lines, lines[1]],
        lambda lines: [*lines[:2], lines[0], *lines[2:]],
        lambda lines: [],
        lambda lines: [b"{}\n"],
        lambda lines: [*lines[:-1], lines[-1][:-9]],
    ],
)
def test_what_is_not_a_whole_backup_is_refused(damage: Any) -> None:
    _, truth = a_busy_world()
    lines = written(truth)
    assert len(list(Reader(lines).lines())) == len(lines) - 2
    with pytest.raises(Damaged):
        list(Reader(damage(lines)).lines())


def test_a_backup_of_another_release_is_told_apart() -> None:
    _, truth = a_busy_world()
    header, *others = written(truth)
    newer = header.replace(b"tycoon-backup/1", b"tycoon-backup/2")
    with pytest.raises(Damaged, match=r"^It has the form tycoon-backup/2; this build reads"):
        Reader([newer, *others])


# -- files ---------------------------------------------------------------------------------------


def write(url: str, *lines: bytes) -> None:
    with Place(url).writing() as put:
        for line in lines:
            put(line)


def read(url: str) -> list[bytes]:
    with Place(url).reading(quiet) as lines:
        return list(lines)


def write_and_fail(url: str, error: BaseException) -> None:
    with Place(url).writing() as put:
        put(b"three\n" * 99_999)
        raise error


@pytest.mark.parametrize("scheme", ["", "file://", "memory:/"])
def test_a_file_is_there_whole_or_not_at_all(tmp_path: Path, scheme: str) -> None:
    url = f"{scheme}{tmp_path}/a.jsonl.gz"
    write(url, b"one\n", b"two\n")
    assert read(url) == [b"one\n", b"two\n"]
    for error in (Unavailable("store.unavailable", ""), KeyboardInterrupt()):
        with pytest.raises(type(error)):
            write_and_fail(url, error)
        assert read(url) == [b"one\n", b"two\n"], "the one before is kept"
    fs, path = fsspec.url_to_fs(str(Path(url).parent) if not scheme else url.rpartition("/")[0])
    assert [name.rpartition("/")[2] for name in fs.ls(path, detail=False)] == ["a.jsonl.gz"]


def test_only_its_owner_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    with Place(str(path)).writing() as put:
        put(b"one\n")
        drafts = list(tmp_path.iterdir())
        assert [stat.S_IMODE(draft.stat().st_mode) for draft in drafts] == [0o600]
        assert not path.exists()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


FULL = """
import resource, signal, sys
from services.upkeep.files import FileTrouble, Place
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), -1))
with Place(sys.argv[1]).writing() as put:
    put(b"one" * 9)
"""


@pytest.mark.parametrize("room", [0, 20])
def test_a_full_disk_is_told_and_leaves_the_backup_before(tmp_path: Path, room: int) -> None:
    path = tmp_path / "a.gz"
    write(str(path), b"before\n")
    done = subprocess.run(
        [sys.executable, "-c", FULL, path, str(room)], capture_output=True, text=True
    )
    said = f"services.upkeep.files.FileTrouble: {path} can't be used: File too large."
    assert done.stderr.splitlines()[-1] == said
    assert read(str(path)) == [b"before\n"]
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_no_file_is_not_written_over_and_a_link_stays(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "a.gz")
    with pytest.raises(FileTrouble, match="is no file"):
        write(str(tmp_path / "pipe"), b"one\n")
    assert (tmp_path / "pipe").is_fifo()
    write(str(tmp_path / "link"), b"one\n")
    assert (tmp_path / "link").is_symlink()
    assert read(str(tmp_path / "a.gz")) == [b"one\n"]


def test_an_old_draft_of_a_killed_process_is_removed(tmp_path: Path) -> None:
    old, young, other = (tmp_path / f".{n}.unfinished" for n in ("a.gz.1", "a.gz.2", "b.gz.1"))
    for draft in (old, young, other):
        draft.touch()
    os.utime(old, (1, 1))
    os.utime(other, (1, 1))
    write(str(tmp_path / "a.gz"), b"one\n")
    assert sorted(tmp_path.iterdir()) == sorted([young, other, tmp_path / "a.gz"])


def test_what_can_not_be_read_or_written_is_a_sentence(tmp_path: Path) -> None:
    for url in (f"{tmp_path}/no/folder/a.gz", "nosuch://a", str(tmp_path)):
        with pytest.raises(FileTrouble):
            write(url, b"one\n")
        with pytest.raises(FileTrouble):
            read(url)
    with pytest.raises(FileTrouble, match="is not there"):
        read(f"{tmp_path}/a.gz")


def test_a_file_that_is_cut_or_no_gzip_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    write(str(path), *(b"%d\n" % n for n in range(999)))
    packed = path.read_bytes()
    for damaged in (packed[:-1], packed[:200], b"plain text", b"\x1f\x8b\x08\x00" + b"\xff" * 99):
        path.write_bytes(damaged)
        with pytest.raises(Damaged):
            read(str(path))
    path.write_bytes(gzip.compress(b"one\n"))
    assert read(str(path)) == [b"one\n"]


def test_reading_tells_how_far_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    write(str(path), b"one\n")
    told: list[tuple[int, int]] = []
    with Place(str(path)).reading(lambda done, size: told.append((done, size))) as lines:
        assert list(lines) == [b"one\n"]
    assert told[-1] == (path.stat().st_size,) * 2
