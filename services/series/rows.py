"""One row a match: what came of it, and all that is needed to play it again and compare."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import get_args

import msgspec

from services.matches.events import Fault
from services.series.spec import Spec


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A match of a series.

    Attributes:
        match, deal, rotation: its number; which deal it played, with the line-up how many seats
            further.
        seed: 64 hex digits that its draws and its bots follow from.
        digest: SHA-256 over its stored events, each followed by a line end, 64 hex digits;
            `None` where it failed.
        bots: the level at each seat.
        ranking: groups of seats, best first, and `scores` by seat; `None` without an outcome.
        reason: `completed:<the game's reason>`, or why else it ended; `None` where it failed.
        moves, faults: by seat; `fault_kinds` has for each seat how many there were of which kind.
        failed: the type of the error that broke it off; such a match counts in no result.
    """

    match: int
    deal: int
    rotation: int
    seed: str
    digest: str | None
    bots: tuple[str, ...]
    ranking: tuple[tuple[int, ...], ...] | None
    scores: tuple[int, ...] | None
    reason: str | None
    moves: tuple[int, ...]
    faults: tuple[int, ...]
    events: int
    fault_kinds: tuple[dict[str, int], ...]
    failed: str | None = None


def failed_row(spec: Spec, match: int, error: str) -> Row:
    """The row of a match that a defect broke off."""
    nothing = (0,) * spec.seats
    return Row(
        match=match,
        deal=spec.deal(match),
        rotation=spec.turn(match),
        seed=spec.match_seed(match).hex(),
        digest=None,
        bots=spec.seating(match),
        ranking=None,
        scores=None,
        reason=None,
        moves=nothing,
        faults=nothing,
        events=0,
        fault_kinds=({},) * spec.seats,
        failed=error,
    )


def double_places(ranking: tuple[tuple[int, ...], ...]) -> dict[int, int]:
    """Each seat's place, doubled: who share a place have the mean of the places they share.

    An empty group is a place that a player without a seat takes.
    """
    places: dict[int, int] = {}
    first = 1
    for group in ranking:
        size = max(len(group), 1)
        places |= dict.fromkeys(group, 2 * first + size - 1)
        first += size
    return places


def json_lines(rows: Iterable[Row]) -> Iterator[bytes]:
    """Each row as a JSON object and a line end."""
    return (msgspec.json.encode(row) + b"\n" for row in rows)


def csv_lines(spec: Spec, rows: Iterable[Row]) -> Iterator[bytes]:
    """A header, then each row (RFC 4180); what is by seat has a column for each seat."""
    kinds = get_args(Fault)
    by_seat = ("bot", "place", "score", "moves", "faults", *kinds)
    plain = ("match", "deal", "rotation", "seed", "digest", "reason", "events", "failed")
    yield _csv([*plain, *(f"{name}_{seat}" for seat in range(spec.seats) for name in by_seat)])
    for row in rows:
        places = double_places(row.ranking or ())
        cells: list[object] = [getattr(row, name) for name in plain]
        for seat, bot in enumerate(row.bots):
            place = f"{places[seat] / 2:g}" if seat in places else None
            score = None if row.scores is None else row.scores[seat]
            cells += [bot, place, score, row.moves[seat], row.faults[seat]]
            cells += [row.fault_kinds[seat].get(kind, 0) for kind in kinds]
        yield _csv(cells)


def _csv(cells: Iterable[object]) -> bytes:
    line = io.StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue().encode()
