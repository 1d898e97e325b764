"""A backup of all that is kept and can't be made again, taken while everything goes on.

Each match, and each series, is taken by one script, at one moment: that is the unit of
consistency, and it suffices, as nothing that is stored speaks of two of them. A match does speak of
the API key that it belongs to, and keys are never removed: so they are taken last, and every key
that a match of the backup needs is in it. Of files that a match or series names (archive, rows),
all were there before it was taken: whoever copies them after the backup has them.

Left out is what can be made again (projections, marks), and what counts for moments only (hints,
leases, rates).
"""

from __future__ import annotations

from dataclasses import dataclass

from services.upkeep import Tell
from services.upkeep.form import DeletedLine, KeyLine, MatchLine, SeriesLine, Writer
from shared import ids
from shared.errors import Corrupt
from shared.keystore import KeyStore
from shared.series_store import SeriesStore
from shared.store import PARTITIONS, EventStore
from shared.whole_store import WholeStore

FOR_EVER = 10**15
EVERYTHING = 1_000_000


@dataclass(frozen=True, slots=True)
class Truth:
    """The stores of what can't be made again."""

    events: EventStore
    wholes: WholeStore
    series: SeriesStore
    keys: KeyStore


def check_value(server_key: str) -> str:
    """Tells whether two servers have the same key; the key can't be had from it."""
    return ids.derive(server_key.encode(), "backup", length=26)


def back_up(truth: Truth, writer: Writer, tell: Tell) -> list[str]:
    """Writes everything; the matches that are left out, as a part of them can't be read.

    Raises:
        Unavailable: the store is away; what was written is no backup.
    """
    total = sum(len(truth.events.matches(number)) for number in range(PARTITIONS))
    done, damaged = 0, []
    for number in range(PARTITIONS):
        for match_id in truth.events.matches(number):
            try:
                whole = truth.wholes.whole(match_id)
            except Corrupt:
                damaged.append(match_id)
            else:
                if whole is not None:
                    writer.add(MatchLine.of(whole))
            done += 1
            tell(done, max(total, done))  # new ones may come meanwhile
    for series_id in truth.series.ids():
        if (series := truth.series.whole(series_id)) is not None:
            writer.add(SeriesLine(series=series))
    for series_id, born in truth.series.deleted(before=FOR_EVER, limit=EVERYTHING):
        writer.add(DeletedLine(series=series_id, born=born))
    for key in truth.keys.all():
        writer.add(KeyLine(key=key))
    writer.end()
    return damaged
