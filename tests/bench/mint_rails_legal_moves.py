"""Time of `legal_moves`, of previews of all of them and of `view` over positions; the worst board.

`alone` has nothing kept but the measured board, as in a process that meets the position first.

`python -m tests.bench.mint_rails_legal_moves [matches]` prints p50, p99 and the maximum in µs.
"""

from __future__ import annotations

import gc
import itertools
import random
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from services.games.mint_rails import GAME
from services.games.mint_rails.board import Board, board
from services.games.mint_rails.cards import STANDARD
from services.games.mint_rails.lays import lays_for
from services.games.mint_rails.state import Options, State
from shared.chance import Chance

MOST_CUBES = (13, 13, 13, 13)
"""Every share of the market bought and nothing laid."""


def positions(matches: int) -> Iterator[State]:
    rnd = random.Random(2)
    for number in range(matches):
        chance = Chance(rnd.randbytes(32))
        state = GAME.initial(Options(), 2 + number % 3)
        events = GAME.open(state, chance)
        while True:
            for event in events:
                state = GAME.evolve(state, event)
            if GAME.outcome(state) is not None:
                break
            if state.phase == "play":
                yield state
            seat = min(GAME.active_seats(state))
            events = GAME.decide(state, seat, rnd.choice(GAME.legal_moves(state, seat)), chance)


def timed(work: Callable[[], Any]) -> float:
    """CPU time in µs, so that waiting for a busy machine does not count."""
    begun = time.thread_time()
    work()
    return (time.thread_time() - begun) * 1e6


def report(name: str, times: list[float]) -> None:
    times = sorted(times)
    p50, p99 = times[len(times) // 2], times[len(times) * 99 // 100]
    print(f"{name}: p50 {p50:.0f} µs, p99 {p99:.0f} µs, most {times[-1]:.0f} µs ({len(times)})")


def previews(state: State, seat: int) -> None:
    view = GAME.view(state, seat)
    for move in GAME.legal_moves(state, seat):
        GAME.preview(view, move)


def main(matches: int = 200) -> None:
    gc.disable()  # its pauses tell of all that the benchmark keeps, not of this work
    names = ("legal_moves alone", "legal_moves again", "view", "moves with previews")
    times: dict[str, list[float]] = {name: [] for name in names}
    counts = []
    for state in positions(matches):
        seat = state.turn or 0
        lays_for.cache_clear()
        times["legal_moves alone"].append(timed(lambda: GAME.legal_moves(state, seat)))  # noqa: B023 - used at once
        counts.append(len(GAME.legal_moves(state, seat)))
        times["legal_moves again"].append(timed(lambda: GAME.legal_moves(state, seat)))  # noqa: B023 - the same
        times["view"].append(timed(lambda: GAME.view(state, seat)))  # noqa: B023 - the same
        times["moves with previews"].append(timed(lambda: previews(state, seat)))  # noqa: B023 - the same
    for name, measured in times.items():
        report(name, measured)
    print(f"moves listed: mean {sum(counts) / len(counts):.0f}, most {max(counts)}")

    rows = [itertools.permutations(row) for row in (STANDARD.north, STANDARD.south)]
    boards = [*itertools.product(*rows)]
    report("a board measured", [timed(lambda: Board(STANDARD, *cards)) for cards in boards])  # noqa: B023 - used at once
    first = []
    empty = replace(GAME.initial(Options(), 2), phase="play", start=0, turn=0, asset=MOST_CUBES)
    for north, south in boards:
        board.cache_clear()
        lays_for.cache_clear()
        state = replace(empty, north=north, south=south)
        first.append(timed(lambda: GAME.legal_moves(state, 0)))  # noqa: B023 - the same
    report("first legal_moves on a board, most cubes, board measured anew", first)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
