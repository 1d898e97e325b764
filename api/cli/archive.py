"""`tycoon archive`: the operator looks after matches that are over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice

import click

from api.cli import render
from api.cli.client import Client, Json
from api.cli.output import REFUSED, Output, online
from api.cli.words import Words

AT_ONCE = 20
"""Matches in one request: few enough that it is answered soon."""

TRIES, PAUSE_S = 5, 0.5
"""So often matches that are `busy` are asked for again."""

DONE = ("archived", "restored", "already")


@click.group("archive")
def group() -> None:
    """Archive and restore matches that are over (for the operator)."""


@group.command("show")
@online("operator_key")
def show(client: Client, out: Output) -> None:
    """Show how many matches lie in the store and in the archive."""
    found = client.get("/v1/admin/archive")
    facts = [{"what": name, "value": value} for name, value in found.items()]
    out.show(found, lambda: render.rows(("what", "value"), facts, Words(out.lang)))


@group.command("now")
@click.argument("matches", metavar="MATCH...", nargs=-1, required=True)
@online("operator_key")
def now(matches: tuple[str, ...], client: Client, out: Output) -> None:
    """Archive matches at once, however old they are.

    Ends with 1 where one is not in the archive then.
    """
    _tell(out, _all(client, out, "/v1/admin/archive", matches))


@group.command("restore")
@click.argument("matches", metavar="MATCH...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="All that lie in the archive.")
@online("operator_key")
def restore(matches: tuple[str, ...], everything: bool, client: Client, out: Output) -> None:
    """Put archived matches back into the store: those that are named, or all.

    Ends with 1 where one is not in the store then.
    """
    if everything == bool(matches):
        raise click.UsageError("Name matches, or say --all.")
    named = _archived(client) if everything else matches
    _tell(out, _all(client, out, "/v1/admin/archive/restore", named))


def _archived(client: Client) -> list[str]:
    """The ids of all archived matches."""
    found: list[str] = []
    cursor = None
    while True:
        page = client.get("/v1/admin/archive/matches", cursor=cursor)
        found += page["items"]
        cursor = page["next"]
        if cursor is None:
            return found


def _all(client: Client, out: Output, where: str, matches: Sequence[str]) -> list[Json]:
    """Asks for some at a time; a person sees meanwhile how far it is."""
    named = list(dict.fromkeys(matches))
    waiting = iter(named)
    found: list[Json] = []
    bar = out.bar("matches", shown=len(named) > AT_ONCE)
    with bar:
        task = bar.add_task("", total=len(named))
        while some := list(islice(waiting, AT_ONCE)):
            found += _some(client, where, some)
            bar.update(task, completed=len(found))
    return found


def _some(client: Client, where: str, matches: list[str]) -> list[Json]:
    """What was just played has to be folded first, which takes a moment."""
    told = {item["match"]: item for item in client.post(where, {"matches": matches})["items"]}
    for _ in range(TRIES):
        busy = [match for match, item in told.items() if item["outcome"] == "busy"]
        if not busy:
            break
        client.pause(PAUSE_S)
        again = client.post(where, {"matches": busy})["items"]
        told |= {item["match"]: item for item in again}
    return [told[match] for match in matches]


def _tell(out: Output, items: list[Json]) -> None:
    told = Counter(item["outcome"] for item in items)
    left = [item for item in items if item["outcome"] not in DONE]
    lines = [f"{item['match']}: {item['outcome']}" for item in left]
    counts = [f"{count} {outcome}" for outcome, count in sorted(told.items())]
    lines.append((", ".join(counts) or "Nothing lies there") + ".")
    out.note({"items": items}, "\n".join(lines))
    if left:
        click.get_current_context().exit(REFUSED)
