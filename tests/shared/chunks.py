"""Series in a store, and their chunks, for its tests. Held by every adapter.

A server's clock can't be set, so leases that must end are short and waited for, and those that
must not end are long.
"""

from __future__ import annotations

from typing import Any

from shared.series_store import Counts, Held, NewRecord, Record, SeriesStore

S = "s_a"
LONG = 60_000
SHORT = 20
LIMIT = 3
ONE = Counts(1, 0, 10)


def new(series: str = S, **more: Any) -> NewRecord:
    given = {"owner": "host", "body": "b", "spec": b"{}", "chunks": 3, "at_once": 2}
    return NewRecord(id=series, **{**given, "created_at": 1_700_000_000_000, **more})


def create(series: SeriesStore, name: str = S, **more: Any) -> Record:
    record = series.create(new(name, **more), limit=LIMIT)
    assert record is not None
    return record


def take(series: SeriesStore, lease_ms: int = LONG) -> Held:
    held = series.take(S, lease_ms=lease_ms)
    assert held is not None
    return held


def finish(series: SeriesStore) -> None:
    assert series.finish(take(series), b"sums", ONE) == "kept"


def found(series: SeriesStore, name: str = S) -> Record:
    record = series.get(name)
    assert record is not None
    return record


def take_again(series: SeriesStore) -> Held:
    create(series)
    return take(series)
