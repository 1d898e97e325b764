"""Random playouts of each game beside python-chess's, in one process."""

from __future__ import annotations

import random
import time

import chess

from services.registry import GAMES
from shared.chance import Chance
from shared.game import AnyGame, Move
from tests.bench.harness import Row, alternate

SECONDS = 1.5
CHESS_CAP = 300
"""As in peers/playout: a game of chess is cut at 300 plies."""

BUDGETS = {"daifugo": 2.0, "landlords-game": 0.5, "filthy-rich": 0.4, "mint-rails": 0.3}


def playouts(game: AnyGame, seats: int) -> float:
    """Moves a second: opening, chance, legal moves, decision and fold included."""
    choose, options = random.Random(1), game.options_type()
    moves, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < SECONDS:
        seed = choose.randbytes(32)
        state = game.initial(options, seats)
        for event in game.open(state, Chance(seed)):
            state = game.evolve(state, event)
        while active := game.active_seats(state):
            seat = min(active)
            listed = choose.choice(game.legal_moves(state, seat))
            move = (
                listed if isinstance(listed, Move) else listed.sample(Chance(choose.randbytes(32)))
            )
            for event in game.decide(state, seat, move, Chance(seed)):
                state = game.evolve(state, event)
            moves += 1
    return moves / (time.perf_counter() - begun)


def chess_playouts() -> float:
    """Moves a second of python-chess under the same policy."""
    choose = random.Random(1)
    moves, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < SECONDS:
        board = chess.Board()
        for _ in range(CHESS_CAP):
            listed = list(board.legal_moves)
            if not listed:
                break
            board.push(choose.choice(listed))
            moves += 1
    return moves / (time.perf_counter() - begun)


def run() -> list[Row]:
    return [
        alternate(
            f"playouts {slug}, moves/s",
            lambda game=game: playouts(game, min(5, max(game.seats))),
            chess_playouts,
            budget=f">= {BUDGETS[slug]} x python-chess",
        )
        for slug, game in GAMES.items()
    ]
