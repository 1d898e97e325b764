"""`tycoon refold --check`: would this build make the same of everything that is stored?"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click
import msgspec
from rich.table import Table

from api.cli.direct import bar, reported, tycoon_of
from api.cli.output import EXIT_CODES, REFUSED, Output, encoded, spoken

if TYPE_CHECKING:
    from services.upkeep.refolding import Difference

SHOWN = 100
"""So many differing matches stand in the table; with `--json` all are told."""


@click.command("refold", epilog=EXIT_CODES)
@click.option("--check", is_flag=True, required=True, help="Compare; nothing is ever written.")
@click.option("--game", help="Matches of this game alone.")
@click.option("--match", "matches", multiple=True, help="This match alone; may be repeated.")
@spoken
def command(check: bool, game: str | None, matches: tuple[str, ...], out: Output) -> None:
    """Fold every stored and archived match with this build, beside the running service.

    Tells each match whose projection, rows or outcome this build sees otherwise, and each log
    that it can't read: run it with a new build before an upgrade. Ends with 1 where there is one,
    and where what was asked for is not there.
    With --json: a line for each, then one with the counts.
    """
    from services.bootstrap import redis_stores
    from services.upkeep.refolding import Refolded

    found = Refolded()
    with reported(out) as settings:
        tycoon = tycoon_of(settings, redis_stores(settings))
        began = time.monotonic()
        with bar(out, "matches") as tell:
            differing = list(tycoon.refolding.check(found, tell, game=game, only=matches))
        seconds = time.monotonic() - began
    counts = {
        "matches": found.matches,
        "archived": found.archived,
        "passed_over": found.passed_over,
        "differing": len(differing),
        "seconds": round(seconds, 3),
    }
    if out.as_json:
        for each in differing:
            click.echo(encoded(msgspec.to_builtins(each)))
    elif differing:
        out.console.print(_table(differing))
    out.note(counts, _told(counts))
    missing = (game or matches) and found.matches < max(len(set(matches)), 1)
    if missing:  # a name that was misspelt must not say: go
        detail = "Not every match that was asked for is there, or none of that game is."
        out.problem({"code": "refold.missing", "detail": detail})
    if differing or missing:
        click.get_current_context().exit(REFUSED)


def _table(differing: list[Difference]) -> Table:
    table = Table("match", "game", "version", "differs")
    for each in differing[:SHOWN]:
        table.add_row(each.match, each.game, str(each.version or ""), "\n".join(each.what))
    return table


def _told(counts: dict[str, float]) -> str:
    rate = counts["matches"] / max(counts["seconds"], 0.001)
    more = counts["differing"] - SHOWN
    return (
        (f"... and {more} more: --json tells all.\n" if more > 0 else "")
        + f"{counts['matches']} matches ({counts['archived']} of them archived) folded, "
        f"{rate:.0f} a second; {counts['differing']} differ. Not compared, as they are of another "
        f"schema or generation: {counts['passed_over']} projections."
    )
