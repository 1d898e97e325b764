"""How strong the levels are: each against a table of the next weaker one, in paired series.

`python -m tests.bench.strength [GAME ...]`. Everything follows from the seeds below, so two builds
play the same deals.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any, NamedTuple

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from services.hosted import Hall
from services.registry import games
from services.series.documents import BotTallyDoc, EstimateDoc, ProgressDoc, ResultsDoc
from services.series.local import run_local
from services.series.spec import NewSeries, resolve
from shared.settings import Settings
from tests.bench.harness import CONSOLE, Row

SETTINGS = Settings()
HALL = Hall(games(SETTINGS))
SEED = "7c" * 32


class Pair(NamedTuple):
    """A level against a table of another one; `matches` is a multiple of the seats, for pairs."""

    strong: str
    weak: str
    matches: int


class Setup(NamedTuple):
    """How a game is played here."""

    seats: int
    options: dict[str, Any]
    pairs: tuple[Pair, ...]


SETUPS = {
    "daifugo": Setup(
        4,
        {"rounds": 1},
        (
            Pair("greedy", "random", 2_000),
            Pair("search-50", "greedy", 800),
            Pair("search-200", "search-50", 300),
        ),
    ),
    "landlords-game": Setup(
        2,
        {"rounds": 2},
        (
            Pair("greedy", "random", 2_000),
            Pair("search-50", "greedy", 1_000),
            Pair("search-20", "search-5", 1_000),
        ),
    ),
    "mint-rails": Setup(
        2,
        {},
        (
            Pair("greedy", "random", 1_000),
            Pair("search-50", "greedy", 200),
            Pair("search-200", "search-50", 40),
        ),
    ),
    "filthy-rich": Setup(
        3,
        {},
        (
            Pair("greedy", "random", 999),
            Pair("search-50", "greedy", 150),
            Pair("search-200", "search-50", 60),
        ),
    ),
}


def play(game: str, pair: Pair, tell: Callable[[ProgressDoc], None]) -> ResultsDoc:
    """One bot of the stronger level, the other seats with the weaker one; seats rotate."""
    setup = SETUPS[game]
    bots = (pair.strong, *[pair.weak] * (setup.seats - 1))
    new = NewSeries(
        game=game, bots=bots, matches=pair.matches, options=setup.options, seed=SEED, paired=True
    )
    spec = resolve(new, HALL, SETTINGS, lambda: b"")
    return run_local(spec, SETTINGS, now=0, tell=tell).doc.results


@contextmanager
def _bar(total: int) -> Any:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=CONSOLE, transient=True) as bar:
        yield bar, bar.add_task("", total=total)


def table(names: list[str]) -> Table:
    """Plays it all; a row a pair."""
    found = Table(title="python -m tests.bench.strength")
    for name in ("game", "seats", "one", "against", "matches"):
        found.add_column(name)
    for name in ("won, %", "by chance", "score", "theirs", "rank", "faults"):
        found.add_column(name, justify="right", no_wrap=True)
    asked = [(game, pair) for game in names for pair in SETUPS[game].pairs]
    with _bar(sum(pair.matches for _, pair in asked)) as (bar, task):
        before = 0
        for game, pair in asked:
            bar.update(task, description=f"{game}: {pair.strong} against {pair.weak}")

            def tell(progress: ProgressDoc, before: int = before) -> None:
                bar.update(task, completed=before + progress.done + progress.failed)

            results = play(game, pair, tell)
            before += pair.matches
            strong, weak = results.bots
            cells = _cells(game, pair, strong, weak)
            bar.print("  ".join(cells))
            found.add_row(*cells)
    return found


def _cells(game: str, pair: Pair, strong: BotTallyDoc, weak: BotTallyDoc) -> list[str]:
    return [
        game,
        str(SETUPS[game].seats),
        pair.strong,
        pair.weak,
        str(strong.matches),
        _interval(strong.win_rate, 100, 1),
        f"{100 / SETUPS[game].seats:.0f}",
        _interval(strong.mean_score, 1, 2),
        _interval(weak.mean_score, 1, 2),
        "-" if strong.mean_rank is None else f"{strong.mean_rank:.2f}",
        str(strong.faults + weak.faults),
    ]


def _interval(estimate: EstimateDoc | None, times: int, digits: int) -> str:
    if estimate is None:
        return "-"
    if estimate.low is None or estimate.high is None:
        return f"{times * estimate.value:.{digits}f}"
    low, high = times * estimate.low, times * estimate.high
    return f"{times * estimate.value:.{digits}f} [{low:.{digits}f}..{high:.{digits}f}]"


def run() -> list[Row]:
    CONSOLE.print(table(list(SETUPS)))
    return []


if __name__ == "__main__":
    CONSOLE.print(table(sys.argv[1:] or list(SETUPS)))
