"""Series for tests: a spec, a worker over any store, and what must come of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import msgspec

from services.hosted import Hall
from services.registry import games
from services.series.files import Files, folder_of
from services.series.part import Part
from services.series.playing import Course, Played, course, play
from services.series.rows import Row
from services.series.spec import NewSeries, Spec, resolve
from services.series.tally import ChunkSums, Sums, count
from services.series.working import ReportSeries, SeriesWorker, Sliced
from shared.series_store import NewRecord, SeriesStore
from shared.settings import Settings
from tests.toys.breaking import EXTRA_GAMES

SETTINGS = Settings(extra_games=EXTRA_GAMES)
HALL = Hall(games(SETTINGS))
SEED = "5e" * 32
S = "s_test"


def a_spec(*bots: str, game: str = "tictactoe", matches: int = 12, **more: Any) -> Spec:
    new = NewSeries(game=game, bots=bots, matches=matches, **{"seed": SEED, **more})
    return resolve(new, HALL, SETTINGS, lambda: b"?" * 32)


def no_limit(ms: int) -> nullcontext[None]:
    return nullcontext()


def a_course(spec: Spec, limit: Any = no_limit) -> Course:
    return course(spec, HALL, limit)


def played(spec: Spec, number: int, limit: Any = no_limit) -> Played:
    done = play(a_course(spec, limit), number, [], lambda: False)
    assert isinstance(done, Played)
    return done


def all_rows(spec: Spec) -> list[Row]:
    """What must come of a series: each match played alone, in one go."""
    return [played(spec, number).row for number in range(spec.matches)]


def comparable(sums: Sums) -> dict[str, Any]:
    """All that is the same whoever plays."""
    facts = msgspec.to_builtins(sums)
    return {name: value for name, value in facts.items() if name not in ("thinking", "builds")}


def expected(spec: Spec) -> dict[str, Any]:
    return comparable(count(all_rows(spec), {}, {}))


def stored(store: SeriesStore, spec: Spec, series: str = S) -> None:
    record = NewRecord(
        id=series,
        owner="host",
        body="",
        spec=msgspec.json.encode(spec),
        chunks=spec.chunks,
        at_once=spec.at_once,
        created_at=1,
    )
    assert store.create(record, limit=10) is not None


def sums_of(store: SeriesStore, series: str = S) -> dict[str, Any]:
    whole = Sums()
    for _, _, data in store.sums(series):
        whole.add(ChunkSums.read(data).sums)
    return comparable(whole)


def folder(store: SeriesStore, series: str = S) -> str:
    record = store.get(series)
    assert record is not None
    return folder_of(series, record.born)


def rows_of(store: SeriesStore, files: Files, spec: Spec, series: str = S) -> list[Row]:
    found: list[Row] = []
    for chunk, finished, data in store.sums(series):
        name = ChunkSums.read(data).rows
        part = store.part(series, chunk)
        assert finished == (part is None)
        found += files.rows(folder(store, series), name) if part is None else Part.read(part).rows
    return found


def a_worker(
    store: SeriesStore,
    files: Files,
    *,
    stopping: Callable[[], bool] = lambda: False,
    limit: Any = no_limit,
    clock: Callable[[], int] = lambda: 0,
    wait: Callable[[int], None] = lambda ms: None,
    sliced: Sliced = lambda game, answer, played: None,
    report: ReportSeries = lambda series, match, broken: None,
    hall: Hall = HALL,
) -> SeriesWorker:
    return SeriesWorker(
        store=store,
        files=files,
        hall=hall,
        limit=limit,
        hold=nullcontext,
        wait=wait,
        stopwatch=clock,
        stopping=stopping,
        sliced=sliced,
        report=report,
    )


def every(moves: int) -> Callable[[], bool]:
    """Asks for a stop at every so many looks: slices are short then."""
    looks = iter(range(10**9))
    return lambda: next(looks) % moves == moves - 1
