"""Product and control in turn, in one run: only their ratio is told, with its spread.

The machine is shared and its speed drifts; two rates taken minutes apart say nothing.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass

from rich.console import Console
from rich.progress import track
from rich.table import Table

CONSOLE = Console()


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the report. Rates are per second; `ratios` are of pairs of the same round."""

    what: str
    product: list[float]
    control: list[float]
    budget: str

    @property
    def ratios(self) -> list[float]:
        return [a / b for a, b in zip(self.product, self.control, strict=True)]


def alternate(
    what: str,
    product: Callable[[], float],
    control: Callable[[], float],
    *,
    budget: str,
    rounds: int = 5,
) -> Row:
    """Runs both sides once unmeasured, then A B A B ...; each returns a rate or a size."""
    product(), control()
    pairs = [
        (product(), control())
        for _ in track(range(rounds), description=what, console=CONSOLE, transient=True)
    ]
    return Row(what, [a for a, _ in pairs], [b for _, b in pairs], budget)


def show(rows: list[Row], command: str) -> None:
    """A table of medians with their spread."""
    table = Table(title=command)
    for name in ("what", "product", "control", "ratio, median [min-max]", "budget"):
        table.add_column(name)
    for row in rows:
        middle = statistics.median(row.ratios)
        spread = f"{middle:.2f} [{min(row.ratios):.2f}-{max(row.ratios):.2f}]"
        medians = [f"{statistics.median(side):,.0f}" for side in (row.product, row.control)]
        table.add_row(row.what, *medians, spread, row.budget)
    CONSOLE.print(table)
