"""The life of a work mark: waiting, handed out, held, gone. Held by every adapter.

A server's clock can't be set, so leases that must end are short and waited for, and those that
must not end are long.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from shared.clocks import LONGEST_MS
from shared.ids import partition
from shared.redis_keys import partition_keys
from shared.work_queue import Lease
from tests.shared.conftest import Stores, an_append, eventually, over

M = "m_a"
P = partition(M)
LONG = 60_000
SHORT = 20
SOON = 300
"""Late enough to be seen as not yet due, even on a busy machine."""


def offered(stores: Stores, lease_ms: int = LONG) -> list[str]:
    return stores.work.offer([P], limit=50, lease_ms=lease_ms)[0]


def taken(stores: Stores, lease_ms: int = LONG) -> Lease:
    lease = stores.work.take(M, lease_ms=lease_ms)
    assert lease is not None
    return lease


def test_an_append_makes_a_mark_that_is_handed_out_once(stores: Stores) -> None:
    assert offered(stores) == []
    stores.events.append(an_append(M, 0))
    assert stores.work.offer([(P + 1) % 256], limit=50, lease_ms=LONG)[0] == []
    assert offered(stores) == [M]
    assert offered(stores) == []


def test_a_task_that_was_lost_is_handed_out_again(stores: Stores) -> None:
    stores.work.mark(M)
    assert offered(stores, lease_ms=SHORT) == [M]
    assert eventually(lambda: offered(stores)) == [M]


def test_at_most_so_many_are_handed_out(stores: Stores) -> None:
    here = [f"m_{n}" for n in range(2000) if partition(f"m_{n}") == P][:4]
    for match in here:
        stores.work.mark(match)
    first = stores.work.offer([P], limit=3, lease_ms=LONG)[0]
    assert len(first) == 3
    assert sorted(first + offered(stores)) == sorted(here)


def test_a_mark_waits_for_its_time(stores: Stores) -> None:
    stores.events.append(an_append(M, 0, wake_in_ms=SOON))
    assert offered(stores) == []
    assert eventually(lambda: offered(stores)) == [M]


def test_an_append_brings_a_waiting_mark_forward_but_never_back(stores: Stores) -> None:
    stores.events.append(an_append(M, 0, wake_in_ms=LONG))
    stores.events.append(an_append(M, 1, wake_in_ms=2 * LONG))
    assert offered(stores) == []
    stores.events.append(an_append(M, 2, wake_in_ms=0))
    stores.events.append(an_append(M, 3, wake_in_ms=LONG))
    assert offered(stores) == [M]


def test_an_append_leaves_a_mark_that_is_handed_out(stores: Stores) -> None:
    stores.events.append(an_append(M, 0))
    assert offered(stores) == [M]
    stores.events.append(an_append(M, 1))
    assert offered(stores) == [], "the task on its way will see both events"


def test_an_append_leaves_a_mark_that_is_held(stores: Stores) -> None:
    stores.events.append(an_append(M, 0))
    lease = taken(stores)
    stores.events.append(an_append(M, 1))
    assert offered(stores) == []
    assert stores.work.renew(lease, lease_ms=LONG) is not None


def test_making_sure_of_a_mark_leaves_one_that_is_there(stores: Stores) -> None:
    stores.work.mark(M, in_ms=LONG)
    stores.work.mark(M)
    assert offered(stores) == []
    assert stores.work.release(taken(stores), done_at=0), "a match without a stream is at 0"
    stores.work.mark(M)
    assert offered(stores) == [M]


def test_a_mark_is_taken_once_however_many_tasks_come(stores: Stores) -> None:
    stores.work.mark(M)
    assert offered(stores) == [M]
    with ThreadPoolExecutor(8) as threads:
        leases = list(threads.map(lambda _: stores.work.take(M, lease_ms=LONG), range(8)))
    assert len([lease for lease in leases if lease]) == 1
    assert offered(stores) == []


def test_a_late_task_finds_nothing_when_all_is_done(stores: Stores) -> None:
    assert stores.work.take(M, lease_ms=LONG) is None
    stores.events.append(an_append(M, 0))
    assert stores.work.release(taken(stores), done_at=1)
    assert stores.work.take(M, lease_ms=LONG) is None
    assert offered(stores) == []


def test_a_lease_that_ran_out_is_anybodys(stores: Stores) -> None:
    stores.work.mark(M)
    lost = taken(stores, lease_ms=SHORT)
    found = eventually(lambda: stores.work.take(M, lease_ms=LONG))

    assert stores.work.renew(lost, lease_ms=LONG) is None
    assert not stores.work.release(lost, done_at=0)
    assert stores.work.take(M, lease_ms=LONG) is None, "the second holder has it still"
    assert stores.work.release(found, done_at=0)


def test_a_holder_that_died_is_noticed_by_the_sweeper(stores: Stores) -> None:
    stores.work.mark(M)
    lost = taken(stores, lease_ms=SHORT)
    assert eventually(lambda: offered(stores)) == [M]
    assert stores.work.renew(lost, lease_ms=LONG) is None
    assert not stores.work.release(lost, done_at=0)
    assert stores.work.take(M, lease_ms=LONG) is not None


def test_a_renewed_lease_goes_on_under_a_new_token(stores: Stores) -> None:
    stores.work.mark(M)
    old = taken(stores, lease_ms=LONG)
    new = stores.work.renew(old, lease_ms=2 * LONG)
    assert new is not None
    assert new.tries == old.tries
    assert stores.work.renew(old, lease_ms=LONG) is None
    assert not stores.work.release(old, done_at=0)
    assert stores.work.release(new, done_at=0)


def test_an_append_between_fold_and_release_keeps_the_mark(stores: Stores) -> None:
    stores.events.append(an_append(M, 0))
    lease = taken(stores)
    loaded = stores.events.load(M)
    assert loaded is not None
    stores.events.append(an_append(M, 1))

    assert not stores.work.release(lease, done_at=loaded.head.version)
    assert offered(stores) == [M]
    assert stores.work.release(taken(stores), done_at=2)
    assert offered(stores) == []


def test_a_match_with_more_to_do_is_handed_out_later(stores: Stores) -> None:
    stores.events.append(an_append(M, 0))
    assert not stores.work.release(taken(stores), done_at=None, in_ms=SOON)
    assert offered(stores) == []
    assert eventually(lambda: offered(stores)) == [M]


def lost(stores: Stores) -> int:
    """A take whose process dies: its lease runs out. How often the mark was taken by then."""
    lease: Lease = eventually(lambda: stores.work.take(M, lease_ms=1))
    return lease.tries


def test_tries_are_counted_until_the_mark_is_given_back_or_the_match_moves_on(
    stores: Stores,
) -> None:
    stores.events.append(an_append(M, 0))
    assert [lost(stores) for _ in range(3)] == [1, 2, 3]

    stores.events.append(an_append(M, 1))
    assert [lost(stores) for _ in range(2)] == [1, 2]

    lease = eventually(lambda: stores.work.take(M, lease_ms=LONG))
    stores.work.release(lease, done_at=None)
    assert taken(stores).tries == 1


def test_deadlines_are_set_moved_and_taken_out_by_appends(stores: Stores) -> None:
    stores.events.append(an_append(M, 0, due=1_000))
    assert stores.work.overdue([P], 999, limit=9, lease_ms=1)[0] == []
    assert stores.work.overdue([P], 1_000, limit=9, lease_ms=1)[0] == [M]
    stores.events.append(an_append(M, 1, due=2_000))
    assert stores.work.overdue([P], 1_999, limit=9, lease_ms=1)[0] == []
    assert stores.work.overdue([(P + 1) % 256], 2_000, limit=9, lease_ms=1)[0] == []
    stores.events.append(an_append(M, 2))
    assert stores.work.overdue([P], 9_999, limit=9, lease_ms=1)[0] == []


def test_the_longest_overdue_come_first(stores: Stores) -> None:
    here = [f"m_{n}" for n in range(2000) if partition(f"m_{n}") == P][:3]
    for due, match in zip((30, 10, 20), here, strict=True):
        stores.events.append(an_append(match, 0, due=due))
    assert stores.work.overdue([P], 100, limit=2, lease_ms=1)[0] == [here[1], here[2]]


def test_an_overdue_match_is_named_again_only_if_nobody_acted(stores: Stores) -> None:
    stores.events.append(an_append(M, 0, due=1_000))
    assert stores.work.overdue([P], 5_000, limit=9, lease_ms=100)[0] == [M]
    assert stores.work.overdue([P], 5_099, limit=9, lease_ms=100)[0] == []
    assert stores.work.overdue([P], 5_100, limit=9, lease_ms=100)[0] == [M]
    stores.events.append(an_append(M, 1, due=9_000))
    assert stores.work.overdue([P], 8_999, limit=9, lease_ms=100)[0] == []


def test_busy_partitions_are_those_with_something_ready(stores: Stores) -> None:
    later, due = next((a, b) for a in ["m_b"] for b in ["m_c"] if partition(a) != partition(b))
    assert stores.work.busy(0) == []
    stores.work.mark(M)
    stores.work.mark(later, in_ms=LONG)
    stores.events.append(an_append(due, 0, due=500, wake_in_ms=LONG))
    assert stores.work.busy(499) == [P]
    assert stores.work.busy(500) == sorted([P, partition(due)])
    assert offered(stores) == [M]
    assert stores.work.busy(499) == []


def test_the_oldest_mark_is_one_that_nobody_looks_after(stores: Stores) -> None:
    assert stores.work.oldest() == 0
    stores.work.mark(M)
    assert eventually(stores.work.oldest) > 0
    offered(stores)
    assert stores.work.oldest() == 0
    stores.work.release(taken(stores), done_at=None, in_ms=LONG)
    assert stores.work.oldest() == 0


def test_a_marks_score_says_what_it_is(any_redis: Any) -> None:
    stores, work = over(any_redis), partition_keys(P).work

    def score() -> int:
        return int(any_redis.zscore(work, M))

    stores.events.append(an_append(M, 0))
    assert score() % 4 == 0
    offered(stores)
    assert score() % 4 == 2
    lease = taken(stores)
    assert score() % 4 == 1
    assert score() == lease.token


def test_every_mark_is_told_of_whoever_has_it(stores: Stores) -> None:
    assert stores.work.marked() == []
    for match in ("m_a", "m_b", "m_c"):
        stores.events.append(an_append(match, 0, wake_in_ms=60_000 if match == "m_a" else 0))
    held = stores.work.take("m_b", lease_ms=60_000)
    assert held is not None
    stores.work.offer([partition("m_c")], limit=9, lease_ms=60_000)
    assert sorted(stores.work.marked()) == ["m_a", "m_b", "m_c"]
    stores.work.release(held, done_at=1)
    assert sorted(stores.work.marked()) == ["m_a", "m_c"]


def test_a_mark_of_a_clock_that_was_set_back_has_come(stores: Stores) -> None:
    stores.work.mark(M, in_ms=LONGEST_MS + LONG)
    assert stores.work.busy(0) == [P]
    assert offered(stores) == [M]
    assert taken(stores, lease_ms=LONGEST_MS + LONG)
    assert taken(stores), "nobody holds a mark for so long"
    assert stores.work.busy(0) == []
    assert stores.work.take(M, lease_ms=LONG) is None


def test_a_deadline_is_moved_forward_and_never_back(stores: Stores) -> None:
    stores.work.remind(M, 1)
    stores.events.append(an_append(M, 0, due=5_000))
    stores.work.remind(M, 6_000)
    assert stores.work.overdue([P], 5_000, limit=9, lease_ms=LONG)[0] == [M]
    stores.work.remind(M, 5_500)
    assert stores.work.overdue([P], 5_499, limit=9, lease_ms=LONG)[0] == []
    assert stores.work.overdue([P], 5_500, limit=9, lease_ms=LONG)[0] == [M]
    stores.events.append(an_append(M, 1, due=None))
    stores.work.remind(M, 1)
    assert stores.work.overdue([P], 9_999, limit=9, lease_ms=LONG)[0] == []


def test_many_partitions_are_asked_at_once(stores: Stores) -> None:
    matches = [f"m_{number}" for number in range(40)]
    by_partition: dict[int, list[str]] = {}
    for match in matches:
        by_partition.setdefault(partition(match), []).append(match)
        stores.events.append(an_append(match, 0, due=5))
    asked = [*by_partition, next(p for p in range(256) if p not in by_partition)]
    wanted = [sorted(by_partition.get(number, [])) for number in asked]
    overdue = stores.work.overdue(asked, 5, limit=99, lease_ms=LONG)
    assert [sorted(found) for found in overdue] == wanted
    few = stores.work.offer(asked, limit=1, lease_ms=LONG)
    assert [len(found) for found in few] == [min(1, len(found)) for found in wanted]
    rest = stores.work.offer(asked, limit=99, lease_ms=LONG)
    assert [sorted(a + b) for a, b in zip(few, rest, strict=True)] == wanted
    assert stores.work.offer([], limit=1, lease_ms=LONG) == []
