"""What is counted: whole numbers that add up to the same in any order, on any number of workers."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Self, TypeVar

import msgspec

from services.series.rows import Row, double_places

K = TypeVar("K", int, str)

Histogram = dict[int, int]
"""Class of numbers (see `class_of`) -> how many."""

Thinking = dict[str, Histogram]
"""`bot/<level>/seat/<n>` -> thinking times of moves in us."""

DIGESTS = 1 << 256


class Spread(msgspec.Struct):
    """Sums over deals: of the scores (or wins) y and the number m of a bot's (or seat's) matches.

    The matches of one deal depend on each other, so the deal is the unit of an interval.
    """

    deals: int = 0
    y: int = 0
    m: int = 0
    yy: int = 0
    ym: int = 0
    mm: int = 0

    def note(self, y: int, m: int) -> None:
        """One more deal."""
        self.add(Spread(1, y, m, y * y, y * m, m * m))

    def add(self, other: Spread) -> None:
        """The sums of both."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


class Tally(msgspec.Struct):
    """How a bot, a seat, or a bot at a seat did. `places` is the sum of doubled places."""

    matches: int = 0
    shared_wins: int = 0
    places: int = 0
    moves: int = 0
    faults: int = 0
    wins: Spread = msgspec.field(default_factory=Spread)
    scores: Spread = msgspec.field(default_factory=Spread)

    def add(self, other: Tally) -> None:
        """The sums of both."""
        for name in ("matches", "shared_wins", "places", "moves", "faults"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.wins.add(other.wins)
        self.scores.add(other.scores)


class Sums(msgspec.Struct):
    """All that is counted of some matches.

    `tallies` is by `bot/<level>`, `seat/<n>` and `bot/<level>/seat/<n>`. `digest` is the sum of the
    digests modulo 2^256, as hex digits; `faults` are by kind. `thinking` is measured, and so no
    part of what the same series gives again; all the rest is.
    """

    done: int = 0
    failed: int = 0
    moves: int = 0
    shortest: int | None = None
    longest: int | None = None
    digest: str = "0" * 64
    tallies: dict[str, Tally] = {}
    lengths: Histogram = {}
    reasons: dict[str, int] = {}
    errors: dict[str, int] = {}
    faults: dict[str, int] = {}
    builds: dict[str, int] = {}
    thinking: Thinking = {}

    def add(self, other: Sums) -> None:
        """The sums of both."""
        self.done += other.done
        self.failed += other.failed
        self.moves += other.moves
        ends = [n for n in (self.shortest, other.shortest) if n is not None]
        self.shortest = min(ends, default=None)
        ends = [n for n in (self.longest, other.longest) if n is not None]
        self.longest = max(ends, default=None)
        self.digest = _added(self.digest, other.digest)
        for key, tally in other.tallies.items():
            self.tallies.setdefault(key, Tally()).add(tally)
        add_counts(self.lengths, other.lengths)
        add_counts(self.reasons, other.reasons)
        add_counts(self.errors, other.errors)
        add_counts(self.faults, other.faults)
        add_counts(self.builds, other.builds)
        add_thinking(self.thinking, other.thinking)


class ChunkSums(msgspec.Struct, frozen=True):
    """The sums of a chunk, and the name of the file with its rows once it is finished."""

    sums: Sums
    rows: str = ""

    @classmethod
    def read(cls, data: bytes) -> Self:
        """Sums as `written` wrote them."""
        return msgspec.json.decode(zlib.decompress(data), type=cls)

    def written(self) -> bytes:
        """The sums as they are stored: a third of their JSON, as they are all that stays there."""
        return zlib.compress(msgspec.json.encode(self))


def count(rows: Sequence[Row], thinking: Thinking, builds: dict[str, int]) -> Sums:
    """The sums of matches in the order of their numbers; the matches of a deal must be together."""
    sums = Sums(builds=builds, thinking=thinking)
    for _, deal in groupby(rows, key=lambda row: row.deal):
        _count_deal(sums, deal)
    return sums


def _count_deal(sums: Sums, rows: Iterable[Row]) -> None:
    wins: dict[str, list[int]] = {}
    scores: dict[str, list[int]] = {}
    for row in rows:
        if row.failed is not None:
            add_counts(sums.errors, {row.failed: 1})
            sums.failed += 1
            continue
        assert row.digest is not None, "a match that did not fail has events"
        assert row.reason is not None, "and ended for some reason"
        _count_match(sums, row, row.digest, row.reason)
        places = double_places(row.ranking or ())
        for seat, level in enumerate(row.bots):
            for key in keys(level, seat):
                _count_seat(sums.tallies.setdefault(key, Tally()), row, seat, places)
                if row.ranking and row.scores is not None and seat in places:
                    wins.setdefault(key, []).append(row.ranking[0] == (seat,))
                    scores.setdefault(key, []).append(row.scores[seat])
    for key, found in scores.items():
        sums.tallies[key].wins.note(sum(wins[key]), len(found))
        sums.tallies[key].scores.note(sum(found), len(found))


def _count_match(sums: Sums, row: Row, digest: str, reason: str) -> None:
    moves = sum(row.moves)
    sums.done += 1
    sums.moves += moves
    sums.shortest = moves if sums.shortest is None else min(sums.shortest, moves)
    sums.longest = moves if sums.longest is None else max(sums.longest, moves)
    sums.digest = _added(sums.digest, digest)
    add_counts(sums.lengths, {class_of(moves): 1})
    add_counts(sums.reasons, {reason: 1})
    for kinds in row.fault_kinds:
        add_counts(sums.faults, kinds)


def _count_seat(tally: Tally, row: Row, seat: int, places: Mapping[int, int]) -> None:
    tally.matches += 1
    tally.moves += row.moves[seat]
    tally.faults += row.faults[seat]
    if seat not in places:
        return
    first = (row.ranking or ((),))[0]
    tally.places += places[seat]
    tally.shared_wins += seat in first and len(first) > 1


def keys(level: str, seat: int) -> tuple[str, str, str]:
    """Where a bot at a seat is counted."""
    return f"bot/{level}", f"seat/{seat}", pair(level, seat)


def pair(level: str, seat: int) -> str:
    """The key of a bot at a seat."""
    return f"bot/{level}/seat/{seat}"


def add_thinking(mine: Thinking, theirs: Thinking) -> None:
    """Adds thinking times to others."""
    for key, times in theirs.items():
        add_counts(mine.setdefault(key, {}), times)


def add_counts(mine: dict[K, int], theirs: Mapping[K, int]) -> None:
    """Adds counts to others."""
    for key, number in theirs.items():
        mine[key] = mine.get(key, 0) + number


def class_of(n: int) -> int:
    """The class of a number that is not negative: four classes for each doubling, exactly."""
    return (n**4).bit_length() - 1


def least(number: int) -> int:
    """The least whole number of a class or of any above it."""
    if number < 0:
        return 0
    n = round(2 ** (number / 4))
    n -= n > 1 and class_of(n - 1) >= number
    return n + (class_of(n) < number)


def _added(a: str, b: str) -> str:
    return f"{(int(a, 16) + int(b, 16)) % DIGESTS:064x}"
