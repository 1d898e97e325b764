"""`python -m tests.bench.load`: our own API's traffic, with 100, 1,000 and 10,000 open matches.

`--url` and `--key` send it to a Tycoon that runs elsewhere: then its rates and latencies are told,
and nothing of its processes. It creates matches there and leaves them open; the key's limits
(`TYCOON_RATE_PER_KEY`, `TYCOON_OPEN_MATCHES_LIMIT`) must allow that.
"""

from __future__ import annotations

import argparse
import sys

from tests.bench.capacity import constants
from tests.bench.harness import CONSOLE
from tests.bench.load import SIZES, here
from tests.bench.load.client import Site
from tests.bench.load.report import show
from tests.bench.load.sizes import Plan, Size, Target, measure
from tests.bench.load.traffic import GivenUp

UNSYNCED = 1_000
"""Open matches of the run that is synced each second only."""


def main(arguments: list[str]) -> int:
    asked = _parser().parse_args(arguments)
    plan = Plan(
        connections=asked.connections,
        warm_s=asked.warm,
        seconds=asked.seconds,
        set_up_moves=asked.set_up_moves,
        seed=asked.seed,
    )
    if bool(asked.url) != bool(asked.key):
        CONSOLE.print("--url and --key go together.")
        return 2
    if asked.write and asked.url:
        CONSOLE.print("Only what was measured here can be kept.")
        return 2
    found: list[Size] = []
    when = constants.now()
    try:
        for count in asked.sizes or SIZES:
            if asked.url:
                found.append(measure(Target(Site.of(asked.url), asked.key), count, plan))
            else:
                found.append(here(count, plan))
            show(found[-1])
    except (GivenUp, OSError) as failed:
        CONSOLE.print(f"[red]Given up: {failed}")
        return 1
    if any(size.failures for size in found):
        return 1
    if asked.write:
        # What the store's work costs apart from syncs: the more is going on, the more share one.
        unsynced = here(UNSYNCED, plan, fsync="everysec")
        show(unsynced)
        constants.keep_load(found, unsynced, when)
        CONSOLE.print("Kept. Next: python -m tests.bench.capacity page --write")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.load",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add, plan = parser.add_argument, Plan()
    add("sizes", nargs="*", type=int, help="open matches (by default all three)")
    add("--connections", type=int, default=plan.connections, help="each waits for its answer")
    add("--seconds", type=float, default=plan.seconds, help="measured for each size")
    add("--warm", type=float, default=plan.warm_s, help="seconds before that")
    add("--set-up-moves", type=int, default=plan.set_up_moves, help="played before, at most about")
    add("--seed", type=int, default=plan.seed, help="of the choices of moves")
    add("--url", help="a Tycoon elsewhere, such as https://play.example.com")
    add("--key", help="an API key of it")
    add("--write", action="store_true", help="keep the figures for CAPACITY.md and README.md")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
