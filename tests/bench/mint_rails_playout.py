"""Random playouts of Mint Rails beside python-chess, alternated in one run.

`python -m tests.bench.mint_rails_playout [seconds] [rounds]` prints moves a second of both and the
median of the paired ratios, for each number of seats.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable

import chess

from services.bots.playout import at_random, playout
from services.games.mint_rails import GAME
from services.games.mint_rails.state import Options


def chess_game(rnd: random.Random) -> int:
    board, moves = chess.Board(), 0
    while moves < 300:
        legal = list(board.legal_moves)
        if not legal:
            break
        board.push(rnd.choice(legal))
        moves += 1
    return moves


def mint_rails_game(seats: int) -> Callable[[random.Random], int]:
    def one(rnd: random.Random) -> int:
        seed = rnd.randbytes(32)
        return len(playout(GAME, Options(), seats, seed, at_random(seed)).moves)

    return one


def moves_a_second(
    one: Callable[[random.Random], int], rnd: random.Random, seconds: float
) -> float:
    moves, begun = 0, time.perf_counter()
    while (passed := time.perf_counter() - begun) < seconds:
        moves += one(rnd)
    return moves / passed


def main(seconds: float = 2, rounds: int = 7) -> None:
    for seats in GAME.seats:
        rnd, ours, control = random.Random(1), mint_rails_game(seats), chess_game
        ours(rnd), control(rnd)
        pairs = [
            (moves_a_second(ours, rnd, seconds), moves_a_second(control, rnd, seconds))
            for _ in range(rounds)
        ]
        mine, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
        ratio = statistics.median(a / b for a, b in pairs)
        print(f"{seats} seats: {mine:.0f} moves/s, chess {theirs:.0f}, ratio {ratio:.2f}")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:2]), *map(int, sys.argv[2:3]))
