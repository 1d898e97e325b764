"""When the store is asked to write its files anew."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.erasing.files import Rewriter
from shared.settings import Settings
from shared.store_files import FilesState, MemoryFiles, Rewriting

MINUTE = 60_000


class Minutes:
    """A rewriter whose time the test moves."""

    def __init__(self, every: int = 10) -> None:
        self.now = 10**12
        self.files = MemoryFiles()
        settings = Settings(rewrite_minutes=every)
        self.rewriter = Rewriter(self.files, settings, lambda: self.now)

    def after(self, minutes: int) -> Rewriting | None:
        self.now += minutes * MINUTE
        return self.rewriter.work()

    def becomes(self, **changes: int | bool) -> None:
        self.files.state = replace(self.files.state, **changes)  # type: ignore[arg-type]


@pytest.fixture
def minutes() -> Minutes:
    return Minutes()


def test_nothing_is_asked_where_nothing_was_erased(minutes: Minutes) -> None:
    assert not minutes.rewriter.is_due()
    assert minutes.after(100) is None
    assert minutes.files.state.asked_at == 0


def test_one_rewrite_is_enough_for_all_that_was_erased_before(minutes: Minutes) -> None:
    minutes.files.note()
    minutes.files.note()
    assert minutes.rewriter.is_due()
    assert minutes.after(0) is Rewriting.BEGUN
    assert minutes.rewriter.is_due(), "it is not known to be finished"
    assert minutes.after(1) is None
    assert not minutes.rewriter.is_due()
    assert minutes.after(60) is None


def test_what_is_erased_while_it_is_written_waits_for_the_next(minutes: Minutes) -> None:
    minutes.files.note()
    minutes.after(0)
    minutes.files.note()
    assert minutes.after(1) is None
    assert minutes.rewriter.is_due()
    assert minutes.after(8) is None
    assert minutes.after(1) is Rewriting.BEGUN
    minutes.after(1)
    assert not minutes.rewriter.is_due()


@pytest.mark.parametrize(
    "trouble", [{"failed": True}, {"up_ms": 5 * MINUTE}], ids=["failed", "restarted"]
)
def test_what_was_not_finished_is_begun_again(minutes: Minutes, trouble: dict[str, int]) -> None:
    minutes.files.note()
    minutes.after(0)
    minutes.becomes(**trouble)
    assert minutes.after(6) is None
    assert minutes.rewriter.is_due()
    minutes.becomes(failed=False, up_ms=10**15)
    minutes.becomes(**({"failed": True} if "failed" in trouble else {"up_ms": 9 * MINUTE}))
    assert minutes.after(4) is Rewriting.BEGUN
    minutes.becomes(failed=False, up_ms=10 * MINUTE)
    assert minutes.after(1) is None
    assert not minutes.rewriter.is_due()


def test_a_server_that_is_at_it_is_left_alone(minutes: Minutes) -> None:
    minutes.files.note()
    minutes.becomes(busy=True)
    assert minutes.after(100) is None
    assert minutes.files.state == FilesState(noted=1, busy=True, up_ms=10**15)
    minutes.becomes(busy=False)
    minutes.files.answer = Rewriting.BUSY
    assert minutes.after(1) is Rewriting.BUSY
    minutes.files.answer = Rewriting.BEGUN
    assert minutes.after(1) is Rewriting.BEGUN


def test_a_server_that_refuses_is_asked_again_after_a_while(minutes: Minutes) -> None:
    minutes.files.note()
    minutes.files.answer = Rewriting.REFUSED
    assert minutes.after(0) is Rewriting.REFUSED
    assert minutes.after(9) is None
    assert minutes.after(1) is Rewriting.REFUSED
    assert minutes.rewriter.is_due()


def test_it_can_be_left_to_the_host() -> None:
    never = Minutes(every=0)
    never.files.note()
    assert not never.rewriter.is_due()
    assert never.after(1_000) is None
    assert never.files.state.asked_at == 0
