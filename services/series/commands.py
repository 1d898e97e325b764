"""What may be asked of a series: create, pause, resume, cancel, delete."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from services.hosted import Hall
from services.matches.committing import Key
from services.series.documents import SeriesDoc
from services.series.files import Files, folder_of
from services.series.queries import SeriesQueries, unknown_series
from services.series.spec import NewSeries, resolve
from shared import ids
from shared.errors import Conflict, TooMany, Unprocessable
from shared.series_store import NewRecord, SeriesStore, Status
from shared.settings import Settings


class Creation(NamedTuple):
    """A created series; `repeated` where the same command had created it before."""

    doc: SeriesDoc
    repeated: bool


class SeriesCommands:
    """Commands of an API key (`owner`) about its own series.

    Every one but `create` raises `NotFound` (`series.unknown`) for another's or an unknown series.
    """

    def __init__(
        self,
        store: SeriesStore,
        files: Files,
        queries: SeriesQueries,
        hall: Hall,
        settings: Settings,
        clock: Callable[[], int],
    ) -> None:
        self._store = store
        self._files = files
        self._queries = queries
        self._hall = hall
        self._settings = settings
        self._clock = clock

    def create(self, new: NewSeries, owner: str, key: Key | None) -> Creation:
        """Creates a series, which runs from now on.

        Raises:
            Malformed, Unprocessable: it can't be (see `resolve`); or the key came with another
                body before: `request.key-reused`.
            TooMany: `series.too-many` of this owner's series are not over.
        """
        spec = resolve(new, self._hall, self._settings, lambda: secrets.token_bytes(32))
        series_id = ids.series_id(
            self._settings.server_key.encode(), owner, key.given if key else None
        )
        record = NewRecord(
            id=series_id,
            owner=owner,
            body=key.body if key else "",
            spec=msgspec.json.encode(spec),
            chunks=spec.chunks,
            at_once=spec.at_once,
            created_at=self._clock(),
        )
        repeated = self._store.get(series_id) is not None
        stored = self._store.create(record, limit=self._settings.series_limit)
        if stored is None:
            raise TooMany(
                "series.too-many",
                f"{self._settings.series_limit} series of this API key are not over; end some.",
            )
        if stored.body != record.body:
            raise Unprocessable(
                "request.key-reused", "This Idempotency-Key was used with another body."
            )
        return Creation(self._queries.doc(stored), repeated)

    def pause(self, series: str, owner: str) -> SeriesDoc:
        """No chunk is taken any more until `resume`. Raises `Conflict` (`series.over`)."""
        return self._to(series, owner, before=("running",), after="paused")

    def resume(self, series: str, owner: str) -> SeriesDoc:
        """Goes on after a pause. Raises `Conflict` (`series.over`)."""
        return self._to(series, owner, before=("paused",), after="running")

    def cancel(self, series: str, owner: str) -> SeriesDoc:
        """Ends it for good; the results so far stay. Raises `Conflict` (`series.over`)."""
        return self._to(series, owner, before=("running", "paused"), after="cancelled")

    def delete(self, series: str, owner: str) -> None:
        """Forgets a series in any status, with its results and files.

        Raises:
            Unavailable: the files are away; a cancelled series is left, to be deleted again.
        """
        record = self._queries.owned(series, owner)
        self._store.set_status(series, before=("running", "paused"), after="cancelled")
        self._files.remove(folder_of(series, record.born))
        # Whoever still played it may write until later: `cleaning.py` comes back to that.
        self._store.delete(series)

    def _to(
        self, series: str, owner: str, *, before: tuple[Status, ...], after: Status
    ) -> SeriesDoc:
        self._queries.owned(series, owner)
        record = self._store.set_status(series, before=before, after=after)
        if record is None:
            raise unknown_series()
        if record.status != after:  # a repeat finds it there and changes nothing
            raise Conflict("series.over", f"The series is {record.status} for good.")
        return self._queries.doc(record)
