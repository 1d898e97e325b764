"""Bots against bots: how strong `greedy` is, and whether the order of play matters.

`python -m tests.bench.mint_rails_bots [matches]` prints shares with 95 % confidence intervals. A
shared win counts by halves (thirds, ...); the intervals are Wilson's, as for whole wins.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from math import sqrt
from typing import Any

from services.bots.playout import Playout, from_views, playout
from services.bots.random_bot import RANDOM
from services.games.mint_rails import GAME
from services.games.mint_rails.state import Options, State
from shared.game import Policy

GREEDY = GAME.policies["greedy"]
Bot = Policy[Any, Any]


def match(bots: Sequence[Bot], number: int, options: Options | None = None) -> Playout[State]:
    seed = random.Random(number).randbytes(32)
    return playout(GAME, options or Options(), len(bots), seed, from_views(GAME, bots, seed))


def share_of(seat: int, played: Playout[State]) -> float:
    best = played.outcome.ranking[0]
    return 1 / len(best) if seat in best else 0


def interval(wins: float, matches: int) -> str:
    share, z = wins / matches, 1.96
    middle = (share + z * z / (2 * matches)) / (1 + z * z / matches)
    spread = share * (1 - share) / matches + z * z / (4 * matches * matches)
    half = z * sqrt(spread) / (1 + z * z / matches)
    low, high = max(middle - half, 0.0), min(middle + half, 1.0)
    return f"{share:.1%} [{low:.1%}, {high:.1%}]"


def strength(seats: int, matches: int) -> None:
    wins = 0.0
    for number in range(matches):
        me = number % seats
        bots = [GREEDY if seat == me else RANDOM for seat in range(seats)]
        wins += share_of(me, match(bots, number))
    print(f"greedy among {seats - 1} random: {interval(wins, matches)} (even: {1 / seats:.1%})")


def solo(level: Any, matches: int) -> None:
    for name, bot in (("greedy", GREEDY), ("random", RANDOM)):
        played = [match([bot], number, Options(rival=level)) for number in range(matches)]
        won = sum(p.outcome.ranking == ((0,), ()) for p in played)
        drawn = sum(p.outcome.ranking == ((0,),) for p in played)
        print(f"{name} against the Rival, {level}: won {interval(won, matches)}, drawn {drawn}")


def balance(name: str, bot: Bot, seats: int, matches: int) -> None:
    wins = [0.0] * seats
    for number in range(matches):
        played = match([bot] * seats, number)
        for seat in range(seats):
            wins[(seat - (played.state.start or 0)) % seats] += share_of(seat, played)
    shares = ", ".join(interval(won, matches) for won in wins)
    print(f"{seats} x {name}, from first to last in turn order: {shares}", flush=True)


def main(matches: int = 1_000) -> None:
    for seats in (2, 3, 4):
        strength(seats, matches)
    for level in ("easy", "normal"):
        solo(level, matches)
    for seats in (2, 3, 4):
        balance("greedy", GREEDY, seats, matches)
        balance("random", RANDOM, seats, matches)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
