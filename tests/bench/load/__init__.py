"""A load generator of our own API's traffic; see `__main__`."""

from __future__ import annotations

from tests.bench.harness import Row
from tests.bench.load.sizes import Plan, Size, Target, measure

SIZES = (100, 1_000, 10_000)


def here(count: int, plan: Plan, fsync: str = "always") -> Size:
    """A size measured on a whole system of its own, on this machine."""
    from tests.bench.system import system

    with system(fsync=fsync) as running:
        return measure(Target.own(running), count, plan)


def run() -> list[Row]:
    """As `python -m tests.bench load` runs it."""
    from tests.bench.load.__main__ import main

    if code := main([]):
        raise SystemExit(code)
    return []
