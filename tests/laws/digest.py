"""Law 8: a match is the same bytes in every process, whatever the order of its hash tables.

Run as a program it prints the digest of some matches: `python -m tests.laws.digest MODULE:NAME`.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

from tests.laws.match import Match, code, play

ROOT = Path(__file__).parents[2]
SEEDS = range(2)
TIMEOUT_S = 60


def law_8_hash_order(address: str) -> None:
    """The game at `module:NAME` gives the same digest under different hash seeds."""
    digests = {run(address, hash_seed) for hash_seed in ("1", "2", "3")}
    assert len(digests) == 1, f"{address} depends on the order of a hash table"


def run(address: str, hash_seed: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "tests.laws.digest", address],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    return done.stdout


def digest(match: Match) -> str:
    """Over all that can be seen of the match: events, states, moves, views, sums, draws."""
    game, total = match.game, hashlib.sha256()
    for step, state in zip(match.steps, match.states[1:], strict=True):
        total.update(code((step.seat, step.move, step.events, step.draws, state)))
        total.update(code(list(game.conserved(state).items())))
        for seat in range(match.seats):
            total.update(code(game.legal_moves(state, seat)))
        for seat in match.observers:
            total.update(code(game.view(state, seat)))
            total.update(code([game.redact(event, seat) for event in step.events]))
    return total.hexdigest()


def main(address: str) -> None:
    module, name = address.split(":")
    game = getattr(import_module(module), name)
    for seats in {min(game.seats), max(game.seats)}:
        for seed in SEEDS:
            print(digest(play(game, game.options_type(), seats, seed)))


if __name__ == "__main__":
    main(sys.argv[1])
