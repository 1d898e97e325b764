"""The search of bots: how far it overruns a budget in ms, and its pace beside boardgame.io's.

The control of an overrun is the budget itself, so the ratio is what a thought took of it. By the
wall's clock a busy machine's other work counts too; by CPU time only the search itself does.
Positions are those of matches of `greedy` where a seat has a choice, from the first moves on.
"""

from __future__ import annotations

import hashlib
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from services.bots import search
from services.bots.levels import policy_for
from services.bots.playout import fold, from_views, playout
from services.bots.search import Budget
from services.registry import GAMES
from shared.chance import Chance
from shared.game import AnyGame
from tests.bench.boardgameio import PEER, node
from tests.bench.harness import CONSOLE, Row, alternate
from tests.toys import tictactoe

SAMPLES = {100: 100, 1000: 30}
"""Budget in ms -> thoughts that are measured."""

CLOCKS: dict[str, Callable[[], float]] = {"wall": time.perf_counter, "CPU": time.thread_time}

STRIDE = 7
"""Every so many positions one is thought about."""

ITERATIONS = 100
SECONDS = 2.0
ROUNDS = 5


def positions(game: AnyGame) -> Iterator[tuple[Any, Any]]:
    """Views with more than one legal move, match after match, of every number of seats."""
    number = 0
    while True:
        seats = game.seats[number % len(game.seats)]
        yield from islice(_choices(game, seats, _seed(number)), number % STRIDE, None, STRIDE)
        number += 1


def _choices(game: AnyGame, seats: int, seed: bytes) -> Iterator[tuple[Any, Any]]:
    options = game.options_type()
    policies = [policy_for(game, "greedy")] * seats
    state = game.initial(options, seats)
    for step in playout(game, options, seats, seed, from_views(game, policies, seed)).steps:
        if step.seat is not None and len(moves := game.legal_moves(state, step.seat)) > 1:
            yield game.view(state, step.seat), moves
        state = fold(game, state, step.events)


def _seed(number: int) -> bytes:
    return hashlib.sha256(f"thinking {number}".encode()).digest()


def took(game: AnyGame, ms: int, clock: Callable[[], float]) -> list[float]:
    """How long thoughts took that had so many ms, in ms."""
    found = []
    for number, (view, moves) in enumerate(islice(positions(game), SAMPLES[ms])):
        chance, begun = Chance(_seed(number)), clock()
        search.think(game, view, moves, chance, Budget(ms=ms), clock)
        found.append((clock() - begun) * 1000)
    return found


def overruns(game: AnyGame, ms: int, name_of_clock: str) -> list[Row]:
    times = sorted(took(game, ms, CLOCKS[name_of_clock]))
    shares = {"p50": statistics.median(times), "p99": times[len(times) * 99 // 100]}
    return [
        Row(
            f"search-{ms}ms, {game.slug}, {name} of {len(times)} thoughts, {name_of_clock}, ms",
            [value],
            [float(ms)],
            "<= 1.10" if name == "p99" else "told only",
        )
        for name, value in shares.items()
    ]


def iterations() -> float:
    """Iterations a second of the first move of tic-tac-toe, a hundred for each thought."""
    game, count, begun = tictactoe.GAME, 0, time.perf_counter()
    state = game.initial(tictactoe.Options(), 2)
    for event in game.open(state, Chance(_seed(0))):
        state = game.evolve(state, event)
    seat = min(game.active_seats(state))
    while time.perf_counter() - begun < SECONDS:
        view, moves = game.view(state, seat), game.legal_moves(state, seat)
        search.think(game, view, moves, Chance(_seed(count)), Budget(ITERATIONS))
        count += 1
    return count * ITERATIONS / (time.perf_counter() - begun)


def peer_iterations(folder: Path) -> float:
    return node(folder, ["local.js", "1", "1"], r"MCTSBot.*run1.*iterations/s=(\d+)")


def run() -> list[Row]:
    rows = [
        row
        for game in GAMES.values()
        for ms in SAMPLES
        for clock in CLOCKS
        for row in overruns(game, ms, clock)
    ]
    if not (shutil.which("node") and shutil.which("npm")):
        CONSOLE.print("boardgame.io needs node and npm: not measured.")
        return rows
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "peer"
        shutil.copytree(PEER, folder)
        subprocess.run(["npm", "install", "--silent", "--no-fund"], cwd=folder, check=True)
        return [
            *rows,
            alternate(
                "search on tic-tac-toe, iterations/s, 100 for the first move",
                iterations,
                lambda: peer_iterations(folder),
                budget=">= 4 x boardgame.io's MCTSBot",
                rounds=ROUNDS,
            ),
        ]
