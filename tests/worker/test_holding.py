"""A lease that is kept while somebody thinks."""

from __future__ import annotations

import threading
import time
from typing import Any

from shared.errors import Unavailable
from shared.memory_store import MemoryStore
from shared.work_queue import Lease
from tests.shared.conftest import eventually
from worker.holding import Holder


class FakeWork:
    """A queue that answers renewals as it was told to, and `None` from then on."""

    def __init__(self, *answers: Lease | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[Lease] = []

    def renew(self, lease: Lease, *, lease_ms: int) -> Lease | None:
        self.asked.append(lease)
        if not self.answers:
            return None
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def holder(work: Any, every_s: float = 0.005) -> Holder[Lease]:
    return Holder(lambda lease: work.renew(lease, lease_ms=60_000), every_s=every_s)


def a_lease(token: int) -> Lease:
    return Lease("m_a", token, tries=1)


def test_a_lease_is_renewed_until_the_block_ends() -> None:
    work = MemoryStore(clock=lambda: time.monotonic_ns() // 1_000_000)
    work.mark("m_a")
    lease = work.take("m_a", lease_ms=60_000)
    assert lease is not None
    with holder(work)(lease) as newest:
        eventually(lambda: newest() != lease)
    last = newest()
    assert work.renew(lease, lease_ms=1) is None
    assert work.release(last, done_at=0)


def test_who_lost_the_lease_stops_renewing() -> None:
    work = FakeWork(a_lease(2))
    with holder(work)(a_lease(1)) as newest:
        eventually(lambda: len(work.asked) == 2)
        eventually(lambda: not any(t.name == "hold" for t in threading.enumerate()))
        assert newest() == a_lease(2)
    assert work.asked == [a_lease(1), a_lease(2)]


def test_a_store_that_is_away_for_a_moment_is_asked_again() -> None:
    work = FakeWork(Unavailable("store.unavailable", "away"), a_lease(2))
    with holder(work)(a_lease(1)) as newest:
        eventually(lambda: newest() == a_lease(2))
    assert work.asked[:2] == [a_lease(1), a_lease(1)]


def test_a_short_thought_renews_nothing() -> None:
    work = FakeWork()
    with holder(work, every_s=60)(a_lease(1)) as newest:
        pass
    assert newest() == a_lease(1)
    assert work.asked == []
