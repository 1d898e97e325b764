"""What a store of hints promises, held by every adapter."""

from __future__ import annotations

from typing import Any

import pytest

from shared import hintstore
from shared.clocks import LONGEST_MS
from shared.hintstore import Hint, HintInWork
from shared.redis_keys import hint_key, match_keys
from tests.shared.conftest import Stores, eventually, over

LONG = 60_000
WANTED = Hint(version=5, epoch=0, level="search-50")


def test_a_hint_is_asked_for_taken_and_answered(stores: Stores) -> None:
    hints = stores.hints
    assert hints.look("m_a", 1) is None
    assert hints.ask("m_a", 1, WANTED, lease_ms=LONG) == (WANTED, True)
    assert hints.look("m_a", 1) == WANTED
    assert hints.look("m_a", 0) is None
    assert hints.look("m_b", 1) is None

    lease = hints.take("m_a", 1, 5, lease_ms=LONG)
    assert lease is not None
    assert (lease.match, lease.seat, lease.hint) == ("m_a", 1, WANTED)
    assert hints.answer(lease, b'{"move":1}')
    assert hints.look("m_a", 1) == Hint(5, 0, "search-50", b'{"move":1}')


def test_asked_again_it_is_what_is_there_and_no_second_task_is_sent(stores: Stores) -> None:
    hints = stores.hints
    hints.ask("m_a", 1, WANTED, lease_ms=LONG)
    other = Hint(5, 0, "search-800")
    assert hints.ask("m_a", 1, other, lease_ms=LONG) == (WANTED, False)
    lease = hints.take("m_a", 1, 5, lease_ms=LONG)
    assert lease is not None
    assert hints.ask("m_a", 1, other, lease_ms=LONG) == (WANTED, False)
    hints.answer(lease, b"{}")
    answered = Hint(5, 0, "search-50", b"{}")
    assert hints.ask("m_a", 1, WANTED, lease_ms=LONG) == (answered, False)
    assert hints.ask("m_a", 1, other, lease_ms=LONG) == (other, True), (
        "a deeper look is another one"
    )


def test_a_doubled_or_late_task_finds_nothing_to_do(stores: Stores) -> None:
    hints = stores.hints
    assert hints.take("m_a", 1, 5, lease_ms=LONG) is None
    hints.ask("m_a", 1, WANTED, lease_ms=LONG)
    assert hints.take("m_a", 1, 4, lease_ms=LONG) is None
    assert hints.take("m_a", 0, 5, lease_ms=LONG) is None
    lease = hints.take("m_a", 1, 5, lease_ms=LONG)
    assert lease is not None
    assert hints.take("m_a", 1, 5, lease_ms=LONG) is None, "somebody is at it"
    hints.answer(lease, b"{}")
    assert hints.take("m_a", 1, 5, lease_ms=LONG) is None, "it is answered"


def test_a_lost_task_is_sent_again_when_its_lease_is_over(stores: Stores) -> None:
    hints = stores.hints
    hints.ask("m_a", 1, WANTED, lease_ms=1)

    def again() -> bool:
        return hints.ask("m_a", 1, WANTED, lease_ms=LONG)[1]

    assert eventually(again)
    late = hints.take("m_a", 1, 5, lease_ms=1)  # and its worker is gone
    assert late is not None
    assert eventually(again)
    assert not hints.answer(late, b"late"), "it is another worker's by now"
    assert not hints.drop(late)
    lease = hints.take("m_a", 1, 5, lease_ms=LONG)
    assert lease is not None
    assert not hints.answer(late, b"late")
    assert hints.answer(lease, b"{}")


def test_one_in_work_at_a_time(stores: Stores) -> None:
    hints, later = stores.hints, Hint(7, 0, "search-50")
    hints.ask("m_a", 1, WANTED, lease_ms=LONG)
    with pytest.raises(HintInWork):
        hints.ask("m_a", 1, later, lease_ms=LONG)
    assert hints.ask("m_a", 2, later, lease_ms=LONG) == (later, True), "another seat's is its own"
    lease = hints.take("m_a", 1, 5, lease_ms=LONG)
    assert lease is not None
    with pytest.raises(HintInWork):
        hints.ask("m_a", 1, later, lease_ms=LONG)
    assert hints.drop(lease)
    assert hints.look("m_a", 1) is None
    assert hints.ask("m_a", 1, later, lease_ms=LONG) == (later, True)
    answered = hints.take("m_a", 1, 7, lease_ms=LONG)
    assert answered is not None
    hints.answer(answered, b"{}")
    newest = Hint(9, 0, "search-50")
    assert hints.ask("m_a", 1, newest, lease_ms=LONG) == (newest, True), "an old answer goes"


def test_who_takes_over_the_seat_finds_it_free(stores: Stores) -> None:
    hints, heir = stores.hints, Hint(5, 1, "search-50")
    hints.ask("m_a", 1, WANTED, lease_ms=LONG)
    lease = hints.take("m_a", 1, 5, lease_ms=LONG)
    assert lease is not None
    assert hints.ask("m_a", 1, heir, lease_ms=LONG) == (heir, True)
    assert not hints.answer(lease, b"for the one before")
    assert hints.look("m_a", 1) == heir


def test_a_hint_lies_with_its_match_and_goes_after_an_hour(any_redis: Any) -> None:
    hints, key = over(any_redis).hints, hint_key("m_a", 1)
    assert key.partition("}")[0] == match_keys("m_a").events.partition("}")[0]
    hints.ask("m_a", 1, WANTED, lease_ms=LONG)
    assert 0 < any_redis.pttl(key) <= hintstore.KEEP_MS
    any_redis.pexpire(key, 10_000)
    lease = hints.take("m_a", 1, 5, lease_ms=LONG)
    assert lease is not None
    hints.answer(lease, b"{}")
    assert 10_000 < any_redis.pttl(key) <= hintstore.KEEP_MS
    assert hintstore.KEEP_MS == 3_600_000


def test_in_memory_it_goes_after_an_hour_too() -> None:
    now = 0
    hints = hintstore.MemoryHints(lambda: now)
    hints.ask("m_a", 1, WANTED, lease_ms=LONG)
    now = hintstore.KEEP_MS - 1
    assert hints.look("m_a", 1) == WANTED
    now += 1
    assert hints.look("m_a", 1) is None


def test_a_lease_of_a_clock_that_was_set_back_is_over(stores: Stores) -> None:
    hints, far = stores.hints, LONGEST_MS + LONG
    hints.ask("m_a", 1, WANTED, lease_ms=far)
    assert hints.ask("m_a", 1, WANTED, lease_ms=LONG) == (WANTED, True)
    assert hints.take("m_a", 1, 5, lease_ms=far) is not None
    assert hints.take("m_a", 1, 5, lease_ms=LONG) is not None
    assert hints.take("m_a", 1, 5, lease_ms=LONG) is None
