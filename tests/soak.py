"""`make soak`: the searches that are too long for `make test`; a seed repeats a round.

`python -m tests.soak [ROUNDS] [FIRST SEED]`
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

from rich.console import Console
from rich.progress import Progress

FAULT_ROUNDS = "4"
"""So many times as much is played, and as much harm done, as in `make test`."""
LAW_MATCHES = "40"
"""Matches of each game, options and number of seats that the laws are proved on."""


def searches(seed: int) -> list[tuple[str, list[str], dict[str, str]]]:
    """Name, pytest's arguments and environment of each search of a round."""
    return [
        (
            "faults",
            ["tests/e2e/test_faults.py", "tests/e2e/test_cluster.py"],
            {"TYCOON_FAULT_SEED": str(seed), "TYCOON_FAULT_ROUNDS": FAULT_ROUNDS},
        ),
        (
            "rolls",
            ["tests/e2e/test_rolling.py"],
            {"TYCOON_FAULT_SEED": str(seed), "TYCOON_ROLLS": "4"},
        ),
        ("life", ["tests/services/matches/test_state_machine.py", f"--hypothesis-seed={seed}"], {}),
        ("laws", ["tests/laws", f"--hypothesis-seed={seed}"], {"TYCOON_LAW_SEEDS": LAW_MATCHES}),
    ]


def main(rounds: int = 5, first: int | None = None) -> int:
    """Runs everything; stops at the first failure and says how to repeat it."""
    console = Console()
    first = time.time_ns() % 1_000_000 if first is None else first
    with Progress(console=console) as progress:
        task = progress.add_task("soak", total=rounds * len(searches(0)))
        for seed in range(first, first + rounds):
            for name, arguments, env in searches(seed):
                progress.update(task, description=f"{name}, seed {seed}")
                command = [sys.executable, "-m", "pytest", "-q", "--timeout=3600", *arguments]
                done = subprocess.run(
                    command, env={**os.environ, **env}, capture_output=True, text=True
                )
                if done.returncode:
                    console.print(done.stdout[-10_000:], markup=False)
                    console.print(f"Again: python -m tests.soak 1 {seed}")
                    return 1
                progress.advance(task)
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
