"""Matches in a series beside durable ones, where their time goes, and boardgame.io's Simulate.

A series is played here by the local runner on all cores; a durable match goes through API, workers
and store.
"""

from __future__ import annotations

import os
import secrets
import shutil
import time
from typing import Any, NamedTuple

import msgspec

from services.bootstrap import Tycoon
from services.hosted import Hall
from services.registry import games
from services.series.documents import ProgressDoc
from services.series.local import run_local
from services.series.spec import NewSeries, Spec, resolve
from shared.settings import Settings
from tests.bench import profiling
from tests.bench.boardgameio import peer, peer_simulate
from tests.bench.commands import services
from tests.bench.harness import CONSOLE, Row, alternate
from tests.bench.system import System, system

SETTINGS = Settings(extra_games="tests.toys.tictactoe:GAME")
HALL = Hall(games(SETTINGS))


class Line(NamedTuple):
    """A game's line-up and options; how many matches a round has, in a series and durable."""

    bots: tuple[str, ...]
    options: dict[str, Any]
    matches: int
    durable: int


LINES = {
    "tictactoe": Line(("random", "random"), {}, 20_000, 300),
    "daifugo": Line(("greedy", *["random"] * 4), {"rounds": 1}, 2_000, 40),
    "landlords-game": Line(("greedy", "random"), {"rounds": 2}, 1_000, 20),
    "mint-rails": Line(("greedy", "random"), {}, 400, 20),
    "filthy-rich": Line(("greedy", "random", "random"), {}, 500, 10),
}
ROUNDS = 3
SIMULATED = 40_000
"""Matches of tic-tac-toe in a round beside Simulate: starting the processes counts little then."""

PROFILED = {"tictactoe": 3_000, "daifugo": 300}
"""Matches of the profile in a series; a tenth of them durable."""


def spec(game: str, matches: int) -> Spec:
    """A series of a game's line-up with a seed that no other round has."""
    line = LINES[game]
    new = NewSeries(game=game, bots=line.bots, matches=matches, options=line.options)
    return resolve(new, HALL, SETTINGS, lambda: secrets.token_bytes(32))


def in_series(game: str, matches: int) -> ProgressDoc:
    """How fast the local runner was, the start of its processes included."""
    found = run_local(spec(game, matches), SETTINGS, now=0, tell=lambda progress: None)
    assert found.doc.progress.done == matches
    return found.doc.progress


def durable(running: System, tycoon: Tycoon, game: str, matches: int) -> tuple[float, float]:
    """Matches and moves a second through API, workers and store."""
    line = LINES[game]
    seats = [{"kind": "bot", "level": level} for level in line.bots]
    body = {"game": game, "seats": seats, "options": line.options}
    begun = time.perf_counter()
    made = [running.call("POST", "/v1/matches", body)["match"]["id"] for _ in range(matches)]
    for match in made:
        while running.call("GET", f"/v1/matches/{match}")["status"] != "ended":
            time.sleep(0.01)
    spent = time.perf_counter() - begun
    stored = [raw for match in made for raw in tycoon.stores.events.events(match)]
    moves = sum("move" in msgspec.json.decode(raw) for raw in stored)
    return matches / spent, moves / spent


def rates(running: System, tycoon: Tycoon, game: str) -> list[Row]:
    """Two rows of the same rounds: matches a second, moves a second."""
    line = LINES[game]
    moves: tuple[list[float], list[float]] = ([], [])

    def product() -> float:
        found = in_series(game, line.matches)
        moves[0].append(found.moves_per_s or 0)
        return found.matches_per_s or 0

    def control() -> float:
        of_matches, of_moves = durable(running, tycoon, game, line.durable)
        moves[1].append(of_moves)
        return of_matches

    what, budget = f"{game} in a series beside durable", "told only"
    row = alternate(f"{what}, matches/s", product, control, budget=budget, rounds=ROUNDS)
    return [row, Row(f"{what}, moves/s", moves[0][1:], moves[1][1:], budget)]


def beside_simulate() -> list[Row]:
    """Tic-tac-toe of random bots, beside boardgame.io in memory."""
    if not (shutil.which("node") and shutil.which("npm")):
        CONSOLE.print("boardgame.io needs node and npm: not measured.")
        return []
    with peer() as folder:
        return [
            alternate(
                f"tic-tac-toe of random bots in a series, moves/s, {os.cpu_count()} cores",
                lambda: in_series("tictactoe", SIMULATED).moves_per_s or 0,
                lambda: peer_simulate(folder),
                budget=">= 1 x boardgame.io's Simulate",
                rounds=ROUNDS,
            )
        ]


def shares(running: System, tycoon: Tycoon) -> None:
    """Prints where one worker's time goes, in a series and with durable matches."""
    found: dict[str, dict[str, float]] = {}
    for game, matches in PROFILED.items():
        with profiling.worker(running.env, "series,ops") as series:
            line = LINES[game]
            new = NewSeries(game=game, bots=line.bots, matches=matches, options=line.options)
            name = tycoon.series.create(new, "bench", None).doc.id
            while tycoon.series_queries.get(name, "bench").status != "done":
                time.sleep(0.1)
        with profiling.worker(running.env, "advance,ops") as advance:
            durable(running, tycoon, game, matches // 10)
        found[f"{game}, series"], found[f"{game}, durable"] = series(), advance()
    profiling.show(found)


def run() -> list[Row]:
    with system(workers=False, ticker=True) as running:
        shares(running, services(running.events_url))
    with system() as running:
        tycoon = services(running.events_url)
        rows = [row for game in LINES for row in rates(running, tycoon, game)]
    return rows + beside_simulate()
