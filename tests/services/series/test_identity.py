"""With a search in real games: the same rows whoever plays, and whatever his hashes are."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from services.series.files import Files
from services.series.local import run_local
from services.series.rows import Row
from services.series.spec import Spec
from shared.redis_client import connect
from shared.redis_series import RedisSeries
from tests.services.series.table import (
    SETTINGS,
    S,
    a_spec,
    a_worker,
    all_rows,
    every,
    expected,
    rows_of,
    stored,
    sums_of,
)

SPAWN = multiprocessing.get_context("spawn")
HASH_SEEDS = ("1", "2")
SEARCHING = a_spec(
    *("search-5", "greedy", "random", "greedy"), game="daifugo", matches=16, options={"rounds": 1}
)


def local(spec: Spec, lanes: int) -> tuple[Row, ...]:
    return run_local(spec, SETTINGS, now=0, tell=lambda progress: None, lanes=lanes).rows


def work(url: str, folder: str, start: Any) -> None:
    """A worker's process: plays until nothing is left, in slices that end within matches."""
    store = RedisSeries(connect(url, timeout_ms=5_000))
    start.wait(60)
    while a_worker(store, Files(folder), stopping=every(20)).work(S):
        pass


@pytest.fixture(scope="module")
def wanted() -> tuple[Row, ...]:
    return tuple(all_rows(SEARCHING))


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_on_any_number_of_workers_a_search_plays_the_same_matches(
    real_redis: Any,
    redis_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    workers: int,
    wanted: tuple[Row, ...],
) -> None:
    store = RedisSeries(connect(redis_url, timeout_ms=5_000))
    stored(store, SEARCHING)
    start = SPAWN.Barrier(workers)
    processes = []
    for number in range(workers):
        monkeypatch.setenv("PYTHONHASHSEED", HASH_SEEDS[number % 2])
        processes.append(SPAWN.Process(target=work, args=(redis_url, str(tmp_path), start)))
        processes[-1].start()
    for process in processes:
        process.join(60)
        assert process.exitcode == 0
    assert sums_of(store) == expected(SEARCHING)
    assert tuple(rows_of(store, Files(str(tmp_path)), SEARCHING)) == wanted
    keys = [key.decode() for key in real_redis.keys("*")]
    assert keys
    assert {key.split("}")[0] for key in keys} == {"{series"}, "a series leaves no match's stream"


@pytest.mark.parametrize("lanes", [1, 2, 4])
def test_without_a_server_too(
    monkeypatch: pytest.MonkeyPatch, lanes: int, wanted: tuple[Row, ...]
) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", HASH_SEEDS[lanes % 2])
    assert local(SEARCHING, lanes) == wanted


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("daifugo", 4, {"rounds": 2}),
        ("landlords-game", 2, {"rounds": 1}),
        ("mint-rails", 2, {}),
        ("filthy-rich", 2, {}),
    ],
)
def test_every_game_is_played_alike_whatever_the_hashes_are(
    monkeypatch: pytest.MonkeyPatch, game: str, seats: int, options: dict[str, Any]
) -> None:
    bots = ("search-3", "greedy", "random", "random")[:seats]
    spec = a_spec(*bots, game=game, matches=2, options=options)
    hashes, found = set(), set()
    for seed in HASH_SEEDS:
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        with ProcessPoolExecutor(1, mp_context=SPAWN) as pool:
            hashes.add(pool.submit(hash, "tycoon").result())
        found.add(tuple(row.digest for row in local(spec, lanes=1)))
    assert len(hashes) == 2, "the processes did have different hashes"
    assert found == {tuple(row.digest for row in all_rows(spec))}
