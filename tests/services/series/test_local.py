"""The same series gives the same results on one, two and four processes, and without a server."""

from __future__ import annotations

import multiprocessing
import shutil
import signal
import threading
import time
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest

from services.series.again import play_again, spec_of
from services.series.documents import ProgressDoc
from services.series.files import Files
from services.series.local import LocalSeries, run_local
from services.series.part import DIED
from services.series.spec import Spec
from shared.errors import Unavailable
from shared.redis_client import connect
from shared.redis_series import RedisSeries
from tests.services.series.table import (
    HALL,
    SETTINGS,
    S,
    a_spec,
    a_worker,
    all_rows,
    expected,
    rows_of,
    stored,
    sums_of,
)
from tests.toys.breaking import die

SPEC = a_spec("greedy", "random", matches=240)


def local(spec: Spec, lanes: int | None = None, **more: Any) -> LocalSeries:
    return run_local(spec, SETTINGS, now=0, tell=lambda progress: None, lanes=lanes, **more)


def results(played: LocalSeries) -> Any:
    """All of the results but what was measured: the thinking time."""

    def without(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: without(v) for k, v in value.items() if k != "thinking_ms"}
        return [without(v) for v in value] if isinstance(value, list) else value

    return without(msgspec.json.decode(msgspec.json.encode(played.doc.results)))


@pytest.fixture(scope="module")
def wanted() -> tuple[Any, ...]:
    return tuple(all_rows(SPEC))


@pytest.fixture(scope="module")
def alone() -> LocalSeries:
    return local(SPEC, lanes=1)


def work(url: str, folder: str, start: Any, done: Any) -> None:
    """A worker's process: plays until nothing is left."""
    worker = a_worker(RedisSeries(connect(url, timeout_ms=5_000)), Files(folder))
    start.wait(60)
    slices = 0
    while played := worker.work(S):
        slices += played
    done.put(slices)


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_on_any_number_of_workers_it_is_what_one_process_without_a_server_gets(
    real_redis: Any,
    redis_url: str,
    tmp_path: Path,
    workers: int,
    wanted: tuple[Any, ...],
    alone: LocalSeries,
) -> None:
    store = RedisSeries(connect(redis_url, timeout_ms=5_000))
    stored(store, SPEC)
    context = multiprocessing.get_context("spawn")
    start, done = context.Barrier(workers), context.Queue()
    processes = [
        context.Process(target=work, args=(redis_url, str(tmp_path), start, done))
        for _ in range(workers)
    ]
    for process in processes:
        process.start()
    shares = [done.get(timeout=60) for _ in processes]
    for process in processes:
        process.join()
    assert min(shares) > 0, "every one had its share"
    assert sum(shares) == SPEC.chunks
    assert sums_of(store) == expected(SPEC)
    assert sums_of(store)["digest"] == alone.doc.results.digest
    assert tuple(rows_of(store, Files(str(tmp_path)), SPEC)) == wanted == alone.rows


def test_on_all_lanes_it_is_the_same(alone: LocalSeries) -> None:
    both = local(SPEC, lanes=2)
    assert results(both) == results(alone)
    assert both.rows == alone.rows


def test_another_seed_is_another_series(alone: LocalSeries) -> None:
    other = local(a_spec("greedy", "random", matches=4, seed="00" * 32), lanes=1)
    seeds = {row.seed for row in alone.rows}
    assert not seeds & {row.seed for row in other.rows}


def test_it_tells_how_far_it_is() -> None:
    told: list[ProgressDoc] = []
    spec = a_spec("greedy", "random", matches=20)
    run_local(spec, SETTINGS, now=0, tell=told.append, lanes=2)
    counts = [progress.done for progress in told]
    assert counts == sorted(counts)
    assert counts[-1] == 20
    for progress in told:
        assert progress.queued + progress.running + progress.done + progress.failed == 20
        assert progress.left_s is not None


def test_its_document_is_that_of_a_series_that_is_done(alone: LocalSeries) -> None:
    doc = alone.doc
    assert (doc.id, doc.status, doc.progress.done, doc.reproducible) == ("local", "done", 240, True)
    assert doc.made_by.builds == (doc.made_by.build,)
    assert spec_of(doc, HALL) == SPEC


def test_any_match_can_be_made_again_from_the_document(alone: LocalSeries) -> None:
    for number in (0, 1, 119, 239):
        assert play_again(spec_of(alone.doc, HALL), number, HALL).row == alone.rows[number]


def test_transcripts_are_kept_where_that_was_asked_for(tmp_path: Path) -> None:
    spec = a_spec("greedy", "random", matches=4, keep="all")
    played = local(spec, lanes=1, folder=str(tmp_path))
    files = Files(str(tmp_path))
    for row in played.rows:
        assert row.digest is not None
        lines = files.transcript("local", row.match, row.digest)
        assert tuple(lines) == play_again(spec, row.match, HALL).lines


def test_a_match_that_kills_its_process_costs_nobody_else_anything() -> None:
    spec = a_spec("random", "random", matches=3, game="deadly", paired=False, seed="01" * 32)
    sound = a_spec("random", "random", matches=3, game="raising", paired=False, seed="01" * 32)
    fatal = [row.match for row in all_rows(sound) if row.failed]
    assert fatal == [1]
    played = local(spec, lanes=2)
    assert [row.match for row in played.rows if row.failed == DIED] == fatal
    assert played.doc.results.errors == {DIED: 1}
    assert [row.digest is None for row in played.rows] == [n in fatal for n in range(3)]


def test_a_folder_that_cannot_be_written_ends_it_with_a_refusal(tmp_path: Path) -> None:
    (tmp_path / "series").write_text("in the way")
    spec = a_spec("greedy", "random", matches=4, keep="all")
    with pytest.raises(Unavailable) as refused:
        local(spec, folder=str(tmp_path))
    assert refused.value.code == "series.files-unavailable"


def test_a_folder_that_cannot_be_written_any_more_ends_it_with_a_refusal(tmp_path: Path) -> None:
    spec = a_spec("greedy", "random", matches=300, keep="all")
    kept = tmp_path / "series" / "local" / "matches"
    told: list[ProgressDoc] = []

    def tell(progress: ProgressDoc) -> None:
        told.append(progress)
        if kept.is_dir():
            shutil.rmtree(kept)
            kept.write_text("in the way")

    with pytest.raises(Unavailable):
        run_local(spec, SETTINGS, now=0, tell=tell, lanes=1, folder=str(tmp_path))
    assert 0 < told[-1].done < 300
    assert told[-1].failed == 0


def test_a_thought_is_no_reason_to_go_on_after_ctrl_c() -> None:
    """Another signal comes in the place of Ctrl-C."""
    spec = a_spec("stalls", "stalls", matches=2)
    asked: list[float] = []

    def ctrl_c(number: int, frame: Any) -> None:
        asked.append(time.monotonic())
        raise KeyboardInterrupt

    earlier = signal.signal(signal.SIGUSR1, ctrl_c)
    main = threading.main_thread().ident
    timer = threading.Timer(4, signal.pthread_kill, [main, signal.SIGUSR1])
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            local(spec, lanes=1)
    finally:
        timer.cancel()
        signal.signal(signal.SIGUSR1, earlier)
    assert time.monotonic() - asked[0] < 3


def test_processes_that_cannot_even_start_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.series.local._leave_ctrl_c", die)
    with pytest.raises(BrokenProcessPool):
        local(a_spec("greedy", "random", matches=4), lanes=1)


def test_what_goes_wrong_ends_it_at_once_and_leaves_no_process() -> None:
    def tell(progress: ProgressDoc) -> None:
        raise RuntimeError("nobody listens")

    before = set(psutil.Process().children())
    with pytest.raises(RuntimeError, match="nobody listens"):
        run_local(SPEC, SETTINGS, now=0, tell=tell, lanes=2)
    left = set(psutil.Process().children()) - before
    assert {p for p in left if "resource_tracker" not in " ".join(p.cmdline())} == set()
