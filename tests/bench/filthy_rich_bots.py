"""The level `greedy` of Filthy Rich: its share of matches against random seats, seats rotated.

`python -m tests.bench.filthy_rich_bots [MATCHES]`
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter

from rich.progress import track

from services.bots.playout import Playout, at_random, from_views, playout
from services.games.filthy_rich import GAME
from services.games.filthy_rich.state import State
from tests.bench.harness import CONSOLE

MATCHES = 1000


def match(number: int, seats: int) -> Playout[State]:
    """Seat `number` modulo `seats` plays greedily, the others at random."""
    seed = hashlib.sha256(b"bots %d" % number).digest()
    greedy = from_views(GAME, [GAME.policies["greedy"]] * seats, seed)
    random = at_random(seed)

    def choose(state: State, seat: int, moves: object, version: int) -> object:
        plays = greedy if seat == number % seats else random
        return plays(state, seat, moves, version)

    return playout(GAME, GAME.options_type(), seats, seed, choose)


def main(matches: int) -> None:
    for seats in GAME.seats:
        reasons: Counter[str] = Counter()
        wins = turns = 0
        for number in track(range(matches), f"{seats} seats", console=CONSOLE, transient=True):
            played = match(number, seats)
            wins += played.outcome.ranking[0] == (number % seats,)
            turns += played.state.turn
            reasons[played.outcome.reason] += 1
        CONSOLE.print(
            f"{seats} seats: greedy wins {wins} of {matches}, {turns / matches:.1f} turns a match,"
            f" {dict(reasons)}"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES)
