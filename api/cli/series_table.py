"""Series on paper: a line for a list, the tables of results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from api.cli.client import Json

HEAD = ("matches", "wins", "win rate, %", "rank", "score")
"""What is behind a value is its 95 % interval: both ends, or how far it goes to both sides."""


def row(series: Json) -> Text:
    """A series in a list."""
    over = series["done"] + series["failed"]
    return Text(
        f"{series['id']}  {series['status']:<9}  {series['game']}  "
        f"{over}/{series['matches']}  {line_up(series['bots'])}"
    )


def line_up(bots: Sequence[str]) -> str:
    """`greedy,random*4` for one greedy bot and four that play at random."""
    words: list[tuple[str, int]] = []
    for bot in bots:
        if words and words[-1][0] == bot:
            words[-1] = (bot, words[-1][1] + 1)
        else:
            words.append((bot, 1))
    return ",".join(bot if count == 1 else f"{bot}*{count}" for bot, count in words)


def rates(progress: Json) -> str:
    """How fast it goes, and how long it takes."""
    if progress["matches_per_s"] is None:
        return "waiting for a worker"
    told = f"{progress['matches_per_s']:.1f} matches/s  {progress['moves_per_s']:.0f} moves/s"
    left = progress["left_s"]
    return told if left is None else f"{told}  {round(left)} s left"


def whole(series: Json) -> RenderableType:
    """A series with its results."""
    results, progress = series["results"], series["progress"]
    head = f"{series['id']}  {series['status']}  {series['game']}  {line_up(series['bots'])}"
    told = [
        head,
        f"{progress['done']} of {series['matches']} matches, {progress['failed']} failed; "
        f"{rates(progress)}",
        f"seed {series['seed']}",
        f"build {series['made_by']['build']}, rules {series['made_by']['rules']}",
        f"digest {results['digest']}",
    ]
    bots = _table("bot", [(bot["level"], bot) for bot in results["bots"]])
    seats = _table("seat", [(str(seat["seat"]), seat) for seat in results["seats"]])
    ends = [f"{count}x {reason}" for reason, count in sorted(results["reasons"].items())]
    ends += [f"{count}x failed: {error}" for error, count in sorted(results["errors"].items())]
    ends += [_thinking(bot) for bot in results["bots"] if bot["thinking_ms"] is not None]
    ends += [f"{bot['level']}: {bot['faults']} faults" for bot in results["bots"] if bot["faults"]]
    lengths = results["lengths"]
    if lengths is not None:
        ends.append(f"{lengths['min']} to {lengths['max']} moves, {lengths['mean']:.1f} on average")
    return Group(*map(Text, told), bots, seats, *map(Text, ends))


def _table(name: str, tallies: Iterable[tuple[str, Json]]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(name, no_wrap=True)
    for title in HEAD:
        table.add_column(title, justify="right", no_wrap=True)
    for who, tally in tallies:
        table.add_row(
            who,
            str(tally["matches"]),
            str(tally["wins"]),
            _share(tally["win_rate"]),
            "-" if tally["mean_rank"] is None else f"{tally['mean_rank']:.3f}",
            _mean(tally["mean_score"]),
        )
    return table


def _share(estimate: Json | None) -> str:
    """`76.5 (72.1-80.4)`, in per cent."""
    if estimate is None:
        return "-"
    value, low, high = (100 * estimate[name] for name in ("value", "low", "high"))
    return f"{value:.1f} ({low:.1f}-{high:.1f})"


def _mean(estimate: Json | None) -> str:
    """`1.234 ± 0.012`, with about four digits that count."""
    if estimate is None:
        return "-"
    value, high = estimate["value"], estimate["high"]
    digits = sum(abs(value) < bound for bound in (10, 100, 1000))
    told = f"{value:.{digits}f}"
    return told if high is None else f"{told} ± {high - value:.{digits}f}"


def _thinking(bot: Json) -> str:
    times = bot["thinking_ms"]
    return (
        f"{bot['level']} thinks {times['p50']:.2f} ms (median), {times['p99']:.2f} ms (p99) a move"
    )
