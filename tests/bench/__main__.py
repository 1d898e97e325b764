"""`make bench`, or `python -m tests.bench NAME ...` for some of it."""

from __future__ import annotations

import importlib
import sys

from tests.bench.harness import CONSOLE, show

MODULES = (
    *("playouts", "commands", "sizes", "http", "folding", "lengths", "boardgameio"),
    "thinking",
    *("load", "series", "series_priority", "series_memory", "strength"),
)


def main(names: list[str]) -> None:
    for name in names or MODULES:
        if name not in MODULES:
            CONSOLE.print(f"There is no benchmark {name!r}; there are {', '.join(MODULES)}.")
            raise SystemExit(2)
        rows = importlib.import_module(f"tests.bench.{name}").run()
        if rows:
            show(rows, f"python -m tests.bench {name}")


if __name__ == "__main__":
    main(sys.argv[1:])
