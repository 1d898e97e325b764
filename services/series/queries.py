"""What can be seen of series: documents, pages, result rows, transcripts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal

import msgspec

from services.hosted import Hall
from services.matches.documents import instant
from services.projections.lists import read_cursor, write_cursor
from services.series import reporting, rows
from services.series.documents import SeriesDoc, SeriesPage, SeriesRowDoc
from services.series.files import Files, folder_of
from services.series.part import Part
from services.series.rows import Row
from services.series.spec import Spec
from services.series.tally import ChunkSums, Sums
from shared.errors import NotFound
from shared.series_store import Record, SeriesStore

Format = Literal["jsonl", "csv"]


class SeriesQueries:
    """Queries of an API key (`owner`) about its own series.

    Every one about a single series raises `NotFound` (`series.unknown`) for another's or an
    unknown one.
    """

    def __init__(
        self, store: SeriesStore, files: Files, hall: Hall, clock: Callable[[], int]
    ) -> None:
        self._store = store
        self._files = files
        self._hall = hall
        self._clock = clock

    def get(self, series: str, owner: str) -> SeriesDoc:
        """A series with its results so far."""
        return self.doc(self.owned(series, owner))

    def page(self, owner: str, *, cursor: str | None, limit: int) -> SeriesPage:
        """An owner's series, the oldest first. Raises `Malformed` for a bad cursor."""
        after = None if cursor is None else read_cursor(cursor)
        found = self._store.page(owner, after=after, limit=limit + 1)
        shown = found[:limit]
        more = write_cursor(shown[-1].created_at, shown[-1].id) if len(found) > limit else None
        items = tuple(_row_doc(record) for record in shown)
        return SeriesPage(items=items, next=more, as_of=instant(self._clock()))

    def results(self, series: str, owner: str, form: Format) -> Iterator[bytes]:
        """The rows of the matches that are counted, in their order.

        Lines with their ends: JSON objects, or CSV with a header line. Whether the series is the
        owner's is checked before the first line is asked for.
        """
        record = self.owned(series, owner)
        spec = read_spec(record)
        found = self._rows(record, spec)
        return rows.csv_lines(spec, found) if form == "csv" else rows.json_lines(found)

    def transcript(self, series: str, owner: str, match: int) -> Iterator[bytes]:
        """The lines of a kept transcript (`tycoon-match/1`).

        Raises:
            NotFound: `series.no-match` where the series has no such match, or has not played it
                yet; `series.not-kept` where its transcript was not kept, or it failed.
        """
        record = self.owned(series, owner)
        row = self._row(record, read_spec(record), match)
        if row is None:
            raise NotFound("series.no-match", f"The series has played no match {match} yet.")
        if row.digest is None:
            raise NotFound(
                "series.not-kept", f"Match {match} failed ({row.failed}): it has no transcript."
            )
        try:
            return iter(self._files.transcript(_folder(record), match, row.digest))
        except FileNotFoundError as missing:
            raise NotFound(
                "series.not-kept",
                f"The transcript of match {match} was not kept; make it again with "
                f"`tycoon series match {series} {match}`.",
            ) from missing

    def doc(self, record: Record) -> SeriesDoc:
        """The document of a series."""
        spec = read_spec(record)
        sums = Sums()
        for _, _, data in self._store.sums(record.id):
            sums.add(ChunkSums.read(data).sums)
        return reporting.series_doc(record, spec, sums, self._hall[spec.game])

    def owned(self, series: str, owner: str) -> Record:
        """An owner's series. Raises `NotFound`."""
        record = self._store.get(series)
        if record is None or record.owner != owner:
            raise unknown_series()
        return record

    def _rows(self, record: Record, spec: Spec) -> Iterator[Row]:
        files = self._row_files(record.id)
        for chunk in range(spec.chunks):
            yield from self._chunk_rows(record, chunk, files)

    def _chunk_rows(self, record: Record, chunk: int, files: Mapping[int, str]) -> Iterable[Row]:
        if chunk in files:
            return self._files.rows(_folder(record), files[chunk])
        part = self._store.part(record.id, chunk)
        if part is not None:
            return Part.read(part).rows
        # It was not begun, or has been finished since.
        name = self._row_files(record.id).get(chunk)
        return () if name is None else self._files.rows(_folder(record), name)

    def _row_files(self, series: str) -> dict[int, str]:
        found = self._store.sums(series)
        return {chunk: ChunkSums.read(data).rows for chunk, finished, data in found if finished}

    def _row(self, record: Record, spec: Spec, match: int) -> Row | None:
        if not 0 <= match < spec.matches:
            return None
        files = self._row_files(record.id)
        found = self._chunk_rows(record, match // spec.chunk_size, files)
        return next((row for row in found if row.match == match), None)


def unknown_series() -> NotFound:
    """The refusal for what is not there or is not to be known."""
    return NotFound("series.unknown", "There is no such series.")


def read_spec(record: Record) -> Spec:
    """What a stored series is."""
    return msgspec.json.decode(record.spec, type=Spec)


def _folder(record: Record) -> str:
    return folder_of(record.id, record.born)


def _row_doc(record: Record) -> SeriesRowDoc:
    spec = read_spec(record)
    return SeriesRowDoc(
        id=record.id,
        status=record.status,
        game=spec.game,
        bots=spec.bots,
        matches=spec.matches,
        done=record.counts.done,
        failed=record.counts.failed,
        created_at=instant(record.created_at),
        started_at=None if record.started_at is None else instant(record.started_at),
        ended_at=None if record.ended_at is None else instant(record.ended_at),
    )
