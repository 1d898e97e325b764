"""The Landlord's Game: how long random matches are, and how often the level `greedy` wins.

`python -m tests.bench.landlords_game_matches [lengths] [greedy]`
"""

from __future__ import annotations

import hashlib
import statistics
import sys

from services.bots.playout import at_random, from_views, playout
from services.bots.random_bot import RANDOM
from services.games.landlords_game import GAME
from services.games.landlords_game.state import Options
from tests.bench.harness import CONSOLE

VARIANTS = ("tickets", "no_tickets")
SEATS = 4
LENGTHS, BOTS = 2_000, 1_000


def seed_of(purpose: str, number: int) -> bytes:
    return hashlib.sha256(f"{purpose} {number}".encode()).digest()


def lengths() -> None:
    """Mean and longest match in moves and events, of 2,000 random matches a variant."""
    for variant in VARIANTS:
        moves, events = [], []
        for number in range(LENGTHS):
            seed = seed_of("lengths", number)
            match = playout(GAME, Options(variant=variant), SEATS, seed, at_random(seed))
            moves.append(len(match.moves))
            events.append(len(match.events))
        CONSOLE.print(
            f"{variant}, {SEATS} seats, {LENGTHS} random matches: "
            f"moves {statistics.mean(moves):.1f} mean, {max(moves)} longest; "
            f"events {statistics.mean(events):.1f} mean, {max(events)} longest"
        )


def greedy() -> None:
    """The share of wins of one greedy against three random seats; a shared win counts in part."""
    for variant in VARIANTS:
        wins = 0.0
        for number in range(BOTS):
            me, seed = number % SEATS, seed_of("greedy", number)
            line_up = [GAME.policies["greedy"] if s == me else RANDOM for s in range(SEATS)]
            choose = from_views(GAME, line_up, seed)
            best = playout(GAME, Options(variant=variant), SEATS, seed, choose).outcome.ranking[0]
            wins += (me in best) / len(best)
        low, high = wilson(wins / BOTS, BOTS)
        CONSOLE.print(
            f"{variant}, one greedy against three random seats, {BOTS} matches: "
            f"share {wins / BOTS:.3f}, 95 % interval {low:.3f} to {high:.3f}"
        )


def wilson(share: float, n: int, z: float = 1.96) -> tuple[float, float]:
    """The score interval of a share (Wilson, 1927)."""
    middle = share + z * z / (2 * n)
    spread = z * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
    return (middle - spread) / (1 + z * z / n), (middle + spread) / (1 + z * z / n)


if __name__ == "__main__":
    for name in sys.argv[1:] or ("lengths", "greedy"):
        {"lengths": lengths, "greedy": greedy}[name]()
