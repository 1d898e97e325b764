"""What is counted of series is what their documents count."""

from __future__ import annotations

from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from services.series.files import Files
from services.watching.series import Series
from shared.memory_series import MemorySeries
from shared.series_store import Counts
from tests.services.series.table import S, a_spec, a_worker, every, stored


@pytest.fixture
def registry() -> CollectorRegistry:
    return CollectorRegistry()


def value(registry: CollectorRegistry, name: str, game: str, result: str) -> float:
    return registry.get_sample_value(name, {"game": game, "result": result}) or 0


def test_slices_add_up_to_the_series(registry: CollectorRegistry, tmp_path: Path) -> None:
    spec, store = a_spec("greedy", "random", matches=12), MemorySeries(lambda: 0)
    stored(store, spec)
    counting = Series(registry)
    worker = a_worker(store, Files(str(tmp_path)), stopping=every(7), sliced=counting.sliced)
    for _ in range(1_000):
        if not store.active():
            break
        worker.work(S)
    record = store.get(S)
    assert record is not None
    assert record.counts.done == 12
    assert value(registry, "tycoon_series_matches_total", spec.game, "played") == 12
    assert value(registry, "tycoon_series_matches_total", spec.game, "failed") == 0
    assert value(registry, "tycoon_series_slices_total", spec.game, "kept") > 1


def test_what_was_not_kept_is_no_match(registry: CollectorRegistry) -> None:
    counting = Series(registry)
    counting.sliced("go", "kept", Counts(3, 1, 40))
    counting.sliced("go", "lost", Counts(5, 2, 60))
    counting.sliced("go", "gone", Counts(5, 2, 60))
    found = {
        (name, result): value(registry, f"tycoon_series_{name}_total", "go", result)
        for name, results in (
            ("matches", ("played", "failed")),
            ("slices", ("kept", "lost", "gone")),
        )
        for result in results
    }
    assert found == {
        ("matches", "played"): 3,
        ("matches", "failed"): 1,
        ("slices", "kept"): 1,
        ("slices", "lost"): 1,
        ("slices", "gone"): 1,
    }
