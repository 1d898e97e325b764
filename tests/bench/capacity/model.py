"""The arithmetic: from constants and a target to memory, cores, processes, and what gives first."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from shared.store import PARTITIONS
from tests.bench.capacity.constants import Constants, Matches, Sweep
from tests.bench.capacity.shipped import Shipped
from tests.bench.capacity.slots import lists_by_primary, partitions_by_primary
from tests.bench.load.cases import CASES
from tests.bench.load.sizes import Size
from worker.sweeping import BATCH, QUEUED
from worker.ticker import EVERY_S

GIB = 2**30
PLANNED = 0.7
"""Of a core: what the API's autoscaler aims at, and what one thread of a store may be asked for."""
LISTS = ("lobby", "results")


@dataclass(frozen=True, slots=True)
class Target:
    """What is asked for."""

    open: int = 1_000_000
    moves: int = 20_000
    """A second."""


class Primary(NamedTuple):
    """Of so many primaries: the most partitions and cores of one; GiB of the one that needs most,
    without what a rewrite needs."""

    primaries: int
    partitions: int
    matches_gib: float
    lists_gib: float
    cores: float

    @property
    def planned_gib(self) -> float:
        """A rewrite of the log, or a new replica, may copy every page that is written meanwhile."""
        return 2 * (self.matches_gib + self.lists_gib)

    def turn_ms(self, fsync_us: float) -> float:
        """A turn of its loop, which syncs once for all that came in the turn before: the sync, and
        what that many commands take. Infinite where the core does not suffice."""
        return fsync_us / 1_000 / (1 - self.cores) if self.cores < 1 else math.inf


class Model:
    """All tables' numbers. Open matches and moves are spread evenly over the games and partitions;
    a move makes one mark, as each match moves more seldom than a sweep comes."""

    def __init__(self, constants: Constants, target: Target, shipped: Shipped) -> None:
        self.constants = constants
        self.target = target
        self.shipped = shipped

    # -- a move, a match ----------------------------------------------------------------------

    @cached_property
    def size(self) -> Size:
        """The run with the most open matches: there hardly any is in a process's memory."""
        return max(self.constants.load, key=lambda size: size.open)

    @property
    def games(self) -> list[Matches]:
        return self.constants.rest.matches

    def us(self, process: str) -> float:
        """CPU of a process for one move with all requests that belong to it.

        The store's is without syncs: the more is going on, the more commands share one.
        """
        return _us(self.constants.unsynced if process == "events" else self.size, process)

    @property
    def synced_us(self) -> float:
        """The store's with syncs, as few as shared one."""
        return _us(self.size, "events")

    @property
    def requests_a_move(self) -> float:
        return self.size.requests / self.size.moves

    def ends_a_second(self, game: Matches) -> float:
        """Matches of a game that end, and as many begin."""
        return self.target.moves / len(self.games) / game.moves

    @property
    def all_ends(self) -> float:
        return sum(map(self.ends_a_second, self.games))

    # -- memory -------------------------------------------------------------------------------

    def open_bytes(self) -> dict[str, float]:
        """Of the mean open match, by where they lie."""
        return _means([game.open for game in self.games])

    @property
    def open_gib(self) -> float:
        return sum(self.open_bytes().values()) * self.target.open / GIB

    def ended_rate(self, *, lists: bool) -> float:
        """Bytes a second that matches leave when they end: in lists, or under their own names."""
        return sum(
            self.ends_a_second(game)
            * sum(size for name, size in game.ended.items() if (name in LISTS) == lists)
            for game in self.games
        )

    # -- the store ----------------------------------------------------------------------------

    def primary(self, primaries: int) -> Primary:
        """What one of so many must be fit for, as the slots fall."""
        rows = {f"lobby:{g.game}": g.open["lobby"] for g in self.games}
        each = self.target.open / len(self.games)
        own = sum(size for name, size in self.open_bytes().items() if name not in LISTS)
        counts = partitions_by_primary(primaries)
        memory = [
            (
                count / PARTITIONS * self.target.open * own / GIB,
                sum(rows.get(name, 0.0) for name in lists) * each / GIB,
            )
            for count, lists in zip(counts, lists_by_primary(primaries), strict=True)
        ]
        matches_gib, lists_gib = max(memory, key=sum)
        cores = max(counts) / PARTITIONS * (self.cores("events") + self.sweeping_cores)
        return Primary(primaries, max(counts), matches_gib, lists_gib, cores)

    def rows_a_second(self) -> float:
        """Rows of lists that are written at most: for each seat, at start and end, a result."""
        seats = {case.game: case.seats for case in CASES}
        return sum(self.ends_a_second(game) * (seats[game.game] + 3) for game in self.games)

    def lists_cores(self) -> float:
        """Of the store, for rows of lists at the size that was measured last."""
        return self.rows_a_second() * self.constants.rest.lists[-1].write_us / 1e6

    # -- processes ----------------------------------------------------------------------------

    def cores(self, process: str) -> float:
        return self.target.moves * self.us(process) / 1e6

    @property
    def full_sweep(self) -> Sweep:
        """One that hands out as much as a sweep may."""
        return max(self.constants.rest.sweeps, key=lambda sweep: sweep.marks)

    @property
    def sweeps(self) -> float:
        """A second, where each hands out all it may."""
        return self.target.moves / (QUEUED * BATCH)

    @property
    def sweepers(self) -> float:
        """Processes that do nothing but sweep."""
        return self.sweeps * self.full_sweep.ms / 1_000

    @property
    def sweeping_cores(self) -> float:
        """Of the store, or of all primaries together, for being swept."""
        return self.sweeps * self.full_sweep.store_ms / 1_000

    @property
    def tickers(self) -> int:
        return math.ceil(self.sweeps * EVERY_S)

    @property
    def tasks(self) -> float:
        """Messages a second through the broker."""
        return self.target.moves / BATCH + self.sweeps

    @property
    def ticked(self) -> float:
        """Matches a second that are handed out where one ticker asks and no sweep takes long."""
        return QUEUED * BATCH / EVERY_S

    @property
    def swept(self) -> float:
        """The same, where every process that is shipped sweeps all the time."""
        return self.shipped.ops_processes * QUEUED * BATCH / (self.full_sweep.ms / 1_000)

    @property
    def round_s(self) -> float:
        """So often each match comes to its turn, where more is moved than is handed out."""
        return self.target.open / min(self.ticked, self.swept)


def _us(size: Size, process: str) -> float:
    cores = size.used[process].cores - size.idle[process].cores
    return max(0.0, cores) * size.seconds / size.moves * 1e6


def _means(rows: list[dict[str, float]]) -> dict[str, float]:
    return {name: statistics.fmean(row.get(name, 0.0) for row in rows) for name in rows[0]}
