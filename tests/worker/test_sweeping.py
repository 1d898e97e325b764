"""What a sweep hands out, how much of it, and what becomes of what got lost."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from services.series.cleaning import LATE_MS
from shared.ids import partition
from shared.memory_series import MemorySeries
from shared.memory_store import MemoryStore
from shared.series_store import NewRecord
from shared.store import Append
from shared.tasks import ADVANCE, CLEAN, ERASE, RETAIN, SERIES, TIME_OUT, Unsent
from worker.sweeping import (
    BATCH,
    CLEAN_EVERY_MS,
    OFFER_MS,
    QUEUED,
    RETAIN_EVERY_MS,
    SERIES_EVERY_MS,
    SERIES_QUEUED,
    Sweeper,
)


@dataclass
class FakeSender:
    """A broker that nobody takes tasks from."""

    sent: list[tuple[str, list[str]]] = field(default_factory=list)
    waiting: dict[str, int] = field(default_factory=dict)
    away: bool = False
    asked: int = 0

    def send(self, task: str, ids: list[str]) -> None:
        if self.away:
            raise Unsent("away")
        self.sent.append((task, ids))

    def series(self, series: str) -> None:
        self.send(SERIES, [series])

    def clean(self) -> None:
        self.send(CLEAN, [])

    def retain(self, until: int) -> None:
        self.send(RETAIN, [str(until)])

    def erase(self) -> None:
        self.send(ERASE, [])

    def queued(self, queue: str) -> int:
        self.asked += 1
        return self.waiting.get(queue, 0)

    def ids(self, task: str) -> list[str]:
        return [match for sent, ids in self.sent if sent == task for match in ids]


class World:
    """A store, a broker and a clock that all stand still."""

    def __init__(self) -> None:
        self.now = 1_000_000
        self.store = MemoryStore(clock=lambda: self.now)
        self.series = MemorySeries(clock=lambda: self.now)
        self.sender = FakeSender()
        self.retention_is_due = False
        self.erasing_is_due = False
        self.sweeper = Sweeper(
            self.store,
            self.series,
            self.sender,
            clock=lambda: self.now,
            retention_is_due=lambda: self.retention_is_due,
            erasing_is_due=lambda: self.erasing_is_due,
        )

    def mark(self, count: int) -> list[str]:
        matches = [f"m_{number}" for number in range(count)]
        for match in matches:
            self.store.mark(match)
        return matches

    def a_series(self, name: str, chunks: int, at_once: int = 16) -> None:
        record = NewRecord(
            id=name,
            owner="host",
            body="",
            spec=b"{}",
            chunks=chunks,
            at_once=at_once,
            created_at=len(name),
        )
        assert self.series.create(record, limit=99) is not None

    def match_due(self, match: str, at: int) -> None:
        self.store.append(
            Append(match=match, expected=0, events=[b"1"], game="g", status="waiting", due=at)
        )
        lease = self.store.take(match, lease_ms=1)
        assert lease is not None
        self.store.release(lease, done_at=1)


@pytest.fixture
def world() -> World:
    return World()


def test_everything_that_is_ready_is_handed_out_once(world: World) -> None:
    marked = world.mark(120)
    swept = world.sweeper.sweep()
    assert (swept.advance, swept.time_out) == (120, 0)
    assert sorted(world.sender.ids(ADVANCE)) == sorted(marked)
    assert world.sweeper.sweep().advance == 0


def test_matches_of_many_partitions_share_a_task(world: World) -> None:
    marked = world.mark(120)
    assert len({partition(match) for match in marked}) > BATCH
    world.sweeper.sweep()
    assert [len(ids) for _, ids in world.sender.sent] == [50, 50, 20]


def test_a_full_partition_takes_what_room_the_others_leave(world: World) -> None:
    crowd = [match for match in (f"m_{n}" for n in range(30_000)) if partition(match) == 7][:99]
    for match in crowd:
        world.store.mark(match)
    marked = {*world.mark(20), *crowd}
    world.sender.waiting = {"advance": QUEUED - 2}
    assert world.sweeper.sweep().advance == 2 * BATCH
    assert world.sweeper.sweep().advance == len(marked) - 2 * BATCH
    assert sorted(world.sender.ids(ADVANCE)) == sorted(marked)


def test_no_partition_is_passed_over_while_there_is_room(world: World) -> None:
    marked = world.mark(QUEUED * BATCH)
    assert len({partition(match) for match in marked}) > 200
    assert world.sweeper.sweep().advance == len(marked)


def test_what_got_lost_is_handed_out_again_when_its_time_is_over(world: World) -> None:
    [match] = world.mark(1)
    world.sweeper.sweep()
    world.now += OFFER_MS - 1
    assert world.sweeper.sweep().advance == 0
    world.now += 1
    assert world.sweeper.sweep().advance == 1
    assert world.sender.sent == [(ADVANCE, [match])] * 2


def test_a_crash_between_handing_out_and_sending_loses_nothing(world: World) -> None:
    world.mark(3)
    world.sender.away = True
    with pytest.raises(Unsent):
        world.sweeper.sweep()
    world.sender.away = False
    world.now += OFFER_MS
    assert world.sweeper.sweep().advance == 3


def test_a_long_queue_gets_no_longer(world: World) -> None:
    world.mark(120)
    world.sender.waiting = {"advance": QUEUED}
    assert world.sweeper.sweep().advance == 0
    world.sender.waiting = {"advance": QUEUED - 1}
    assert world.sweeper.sweep().advance == BATCH
    world.sender.waiting = {}
    assert world.sweeper.sweep().advance == 120 - BATCH


def test_where_not_everything_fits_no_partition_always_comes_last(world: World) -> None:
    world.mark(300)
    world.sender.waiting = {"advance": QUEUED - 1}
    firsts = set()
    for _ in range(10):
        world.now += 7
        world.sender.sent.clear()
        world.sweeper.sweep()
        firsts.add(partition(world.sender.ids(ADVANCE)[0]))
        world.now += OFFER_MS
    assert len(firsts) > 1


def test_passed_deadlines_become_time_outs(world: World) -> None:
    world.match_due("m_late", at=world.now)
    world.match_due("m_early", at=world.now + 1)
    swept = world.sweeper.sweep()
    assert (swept.advance, swept.time_out) == (0, 1)
    assert world.sender.sent == [(TIME_OUT, ["m_late"])]


def test_a_deadline_that_nobody_acts_on_floods_nothing_and_is_not_forgotten(world: World) -> None:
    world.match_due("m_late", at=world.now)
    for _ in range(10):
        world.sweeper.sweep()
        world.now += OFFER_MS // 10
    assert world.sender.sent == [(TIME_OUT, ["m_late"])]
    world.sweeper.sweep()
    assert world.sender.sent == [(TIME_OUT, ["m_late"])] * 2


def test_a_long_queue_of_chores_gets_no_more_time_outs(world: World) -> None:
    world.match_due("m_late", at=world.now)
    world.sender.waiting = {"ops": QUEUED}
    assert world.sweeper.sweep().time_out == 0
    world.sender.waiting = {}
    assert world.sweeper.sweep().time_out == 1


def test_where_nothing_is_ready_the_broker_is_left_in_peace(world: World) -> None:
    assert world.sweeper.sweep().advance == 0
    assert world.sender.asked == 0


class TestSeries:
    def test_a_task_is_sent_for_each_chunk_that_waits_as_far_as_the_queue_has_room(
        self, world: World
    ) -> None:
        world.a_series("s_a", chunks=2)
        assert world.sweeper.sweep().series == 2
        assert world.sender.sent == [(SERIES, ["s_a"])] * 2
        world.a_series("s_b", chunks=50)
        world.now += SERIES_EVERY_MS
        assert world.sweeper.sweep().series == SERIES_QUEUED
        world.sender.waiting = {"series": SERIES_QUEUED}
        world.now += SERIES_EVERY_MS
        assert world.sweeper.sweep().series == 0

    def test_it_looks_once_a_second(self, world: World) -> None:
        world.a_series("s_a", chunks=1)
        assert world.sweeper.sweep().series == 1
        world.now += SERIES_EVERY_MS - 1
        assert world.sweeper.sweep().series == 0
        world.now += 1
        assert world.sweeper.sweep().series == 1, "what got lost is sent again"

    def test_a_clock_that_was_set_back_holds_nothing_up(self, world: World) -> None:
        world.now += 3_600_000
        assert world.sweeper.sweep().series == 0
        world.now -= 3_600_000
        world.a_series("s_a", chunks=1)
        assert world.sweeper.sweep().series == 1

    def test_one_series_after_the_other_comes_to_its_turn(self, world: World) -> None:
        world.a_series("s_a", chunks=50)
        world.a_series("s_bb", chunks=1)
        world.sweeper.sweep()
        sent = [ids[0] for _, ids in world.sender.sent]
        assert sorted(sent) == ["s_a", "s_a", "s_a", "s_bb"]

    def test_with_more_series_than_room_none_starves(self, world: World) -> None:
        for number in range(9):
            world.a_series("s_" + "x" * number, chunks=50)
        for _ in range(40):
            world.sweeper.sweep()
            world.now += SERIES_EVERY_MS + 1
        assert len({ids[0] for _, ids in world.sender.sent}) == 9

    def test_no_more_than_may_be_at_once(self, world: World) -> None:
        world.a_series("s_a", chunks=50, at_once=2)
        world.series.take("s_a", lease_ms=60_000)
        assert world.sweeper.sweep().series == 1

    def test_where_nothing_runs_the_broker_is_left_in_peace(self, world: World) -> None:
        world.a_series("s_a", chunks=1)
        world.series.set_status("s_a", before=["running"], after="paused")
        assert world.sweeper.sweep().series == 0
        assert world.sender.asked == 0


def test_what_deleted_series_left_is_cleaned_when_nobody_writes_it_any_more() -> None:
    world = World()
    world.a_series("s_a", 3)
    world.series.delete("s_a")
    world.sweeper.sweep()
    assert world.sender.sent == []
    world.now += LATE_MS + 1
    for _ in range(3):
        world.sweeper.sweep()
    assert world.sender.sent == [(CLEAN, [])], "it looks once in a while"
    world.now += CLEAN_EVERY_MS
    world.sweeper.sweep()
    assert world.sender.sent == [(CLEAN, [])] * 2, "it got lost"
    world.now -= CLEAN_EVERY_MS // 2  # by a clock that is set back
    world.sweeper.sweep()
    assert world.sender.sent == [(CLEAN, [])] * 3


def test_what_is_due_for_the_archive_is_asked_for_once_a_minute() -> None:
    world = World()
    world.sweeper.sweep()
    assert world.sender.sent == []
    world.retention_is_due = True
    for _ in range(3):
        world.now += RETAIN_EVERY_MS
        world.sweeper.sweep()
        world.sweeper.sweep()
    until = [str(world.now - back * RETAIN_EVERY_MS) for back in (1, 0, -1)]
    assert world.sender.sent == [(RETAIN, [each]) for each in until]


def test_erasing_is_asked_for_once_in_a_while_where_there_is_any(world: World) -> None:
    world.sweeper.sweep()
    assert world.sender.ids(ERASE) == world.sender.sent == []
    world.erasing_is_due = True
    world.sweeper.sweep()
    assert world.sender.sent == []
    for sent in (1, 2):
        world.now += CLEAN_EVERY_MS
        world.sweeper.sweep()
        world.sweeper.sweep()
        assert world.sender.sent == [(ERASE, [])] * sent
