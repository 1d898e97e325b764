"""Series with real processes: kill -9 in the middle, and still every match counts once."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import psutil
import pytest

from services.bootstrap import Tycoon, build, redis_stores
from services.series.documents import SeriesDoc
from services.series.local import run_local
from services.series.rows import Row
from services.series.spec import NewSeries, Spec, resolve
from shared.errors import Unavailable
from shared.settings import from_env
from tests.e2e.campaign import SEED
from tests.e2e.harness import Running, environment, eventually, running

pytestmark = pytest.mark.e2e
OWNER = "host"
DAIFUGO = NewSeries(
    game="daifugo", bots=("greedy", *["random"] * 4), matches=60, seed="5e" * 32, keep="all"
)


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    print(f"TYCOON_FAULT_SEED={SEED}")
    with running(tmp_path_factory.mktemp("series")) as tycoon:
        yield tycoon


def services(system: Running) -> Tycoon:
    """The services of a process of its own beside those of the system."""
    settings = system.system.settings
    return build(
        settings,
        redis_stores(settings),
        clock=lambda: time.time_ns() // 1_000_000,
        wake=lambda match: None,
        think=lambda match, version: None,
        report=lambda match, broken: None,
    )


def followed(tycoon: Tycoon, series: str) -> SeriesDoc | None:
    """The series as far as the store can be asked."""
    try:
        return tycoon.series_queries.get(series, OWNER)
    except Unavailable:
        return None


def undisturbed(tycoon: Tycoon, new: NewSeries) -> tuple[str, tuple[Row, ...]]:
    spec: Spec = resolve(new, tycoon.hall, tycoon.settings, lambda: b"")
    settings = from_env(environment(Path(tycoon.settings.data_dir)))
    local = run_local(spec, settings, now=0, tell=lambda progress: None)
    return local.doc.results.digest, local.rows


def over(tycoon: Tycoon, series: str) -> SeriesDoc | None:
    found = followed(tycoon, series)
    return found if found is not None and found.status == "done" else None


def done_at_least(tycoon: Tycoon, series: str, matches: int) -> bool:
    found = followed(tycoon, series)
    return found is not None and found.progress.done >= matches


def test_worker_and_events_store_are_killed_in_the_middle_of_a_series(system: Running) -> None:
    tycoon = services(system)
    series = tycoon.series.create(DAIFUGO, OWNER, None).doc.id
    moments = sorted(random.Random(SEED).sample(range(5, 40), 3))
    for moment, victim in zip(moments, ("series", "events", "series"), strict=True):
        eventually(lambda moment=moment: done_at_least(tycoon, series, moment), 90)
        system.restart(victim)
    doc = eventually(lambda: over(tycoon, series), 120)
    rows = tuple(
        msgspec.json.decode(line, type=Row)
        for line in tycoon.series_queries.results(series, OWNER, "jsonl")
    )
    digest, wanted = undisturbed(tycoon, DAIFUGO)
    assert (doc.progress.done, doc.progress.failed) == (60, 0)
    assert doc.results.digest == digest
    assert rows == wanted
    for bot in doc.results.bots:
        assert bot.matches == 60 * DAIFUGO.bots.count(bot.level)
    for row in (rows[0], rows[59]):
        lines = list(tycoon.series_queries.transcript(series, OWNER, row.match))
        assert len(lines) == row.events + 2


def test_its_worker_stands_back_and_ends_quickly_with_its_work_brought_back(
    system: Running,
) -> None:
    tycoon = services(system)
    own = psutil.Process().nice()
    assert {process.nice() for process in system.tree("series")} == {min(own + 10, 19)}
    assert {process.nice() for process in system.tree("worker")} == {own}
    new = msgspec.structs.replace(DAIFUGO, matches=5_000, keep="results")
    series = tycoon.series.create(new, OWNER, None).doc.id
    eventually(lambda: tycoon.series_queries.get(series, OWNER).progress.running, 30)
    began = time.monotonic()
    system.stop("series", 20)
    assert time.monotonic() - began < 6, "it ends within the time that it is given"
    doc = tycoon.series_queries.get(series, OWNER)
    assert doc.status == "running"
    assert doc.progress.running == 0, "it gave its chunk back"
