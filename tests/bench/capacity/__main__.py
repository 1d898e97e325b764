"""`python -m tests.bench.capacity`: what a million open matches and 20,000 moves/s need.

`measure` measures the constants that the load generator does not; `page` writes the tables of
CAPACITY.md and README.md anew from the kept constants (without `--write` they are printed).
"""

from __future__ import annotations

import argparse
import sys

import msgspec

from tests.bench.capacity import constants, measuring, page, servers
from tests.bench.capacity.model import Target
from tests.bench.harness import CONSOLE


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.capacity",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    target = Target()
    parser.add_argument("what", nargs="?", choices=["tables", "measure", "page"], default="tables")
    parser.add_argument("--open", type=int, default=target.open, help="open matches")
    parser.add_argument("--moves", type=int, default=target.moves, help="moves a second")
    parser.add_argument("--write", action="store_true", help="keep what was measured, or the pages")
    asked = parser.parse_args(arguments)
    if asked.what == "measure":
        return _measure(write=asked.write)
    if asked.what == "page" and asked.write:
        page.write(constants.read())
        return 0
    for name, text in page.blocks(constants.read(), Target(asked.open, asked.moves)).items():
        CONSOLE.print(f"\n{name}\n", style="bold")
        print(text)
    return 0


def _measure(*, write: bool) -> int:
    when = constants.now()
    found = constants.Rest(
        matches=measuring.matches(),
        sweeps=servers.sweeps(),
        lists=servers.lists(),
        fsync_us=servers.fsync_us(),
    )
    CONSOLE.print_json(data=msgspec.to_builtins(found))
    if write:
        constants.keep_rest(found, when)
        CONSOLE.print("Kept. Next: python -m tests.bench.capacity page --write")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
