"""What a sweep hands out, how much of it, and what becomes of what got lost."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from shared.ids import partition
from shared.memory_series import MemorySeries
from shared.memory_store import MemoryStore
from shared.store import Append
from shared.tasks import ADVANCE, TIME_OUT, Unsent
from worker.sweeping import BATCH, OFFER_MS, QUEUED, Sweeper


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
        self.sweeper = Sweeper(self.store, self.series, self.sender, clock=lambda: self.now)

    def mark(self, count: int) -> list[str]:
        matches = [f"m_{number}" for number in range(count)]
        for match in matches:
            self.store.mark(match)
        return matches

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
