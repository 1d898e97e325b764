"""What a search thinks: hints for a seat while it plays, and bots' thoughts after the match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import click
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from api.cli import render
from api.cli.client import Client, Json, path
from api.cli.output import Output, encoded, online
from api.cli.words import Words

POLL_S = 0.25
"""Pause before the server is asked again for a hint, in seconds."""

PAGE = 200


@click.command("hint")
@click.argument("match_id", metavar="ID")
@click.option("--level", help="A level of search, such as search-500 or search-1000ms.")
@click.option(
    "--token", envvar="TYCOON_TOKEN", required=True, help="Your seat's token. [TYCOON_TOKEN]"
)
@online()
def hint(match_id: str, level: str | None, token: str, client: Client, out: Output) -> None:
    """Ask what a search would do in your place."""
    client = client.holding(token)
    match = client.get(path("matches", match_id))
    words = out.words(client, match["game"])
    given = ask(client, match_id, level)
    out.show(given, lambda: advice(given, words))


def ask(client: Client, match_id: str, level: str | None = None) -> Json:
    """A hint for the seat whose token the client holds, when it is there.

    It is asked for again and again: so one whose task got lost is thought in the end.
    """
    where, body = path("matches", match_id, "hint"), {"level": level} if level else {}
    while (given := client.post(where, body))["status"] != "ready":
        client.pause(POLL_S)
    return given


def advice(given: Json, words: Words) -> RenderableType:
    """A hint: the move, and what else was looked at."""
    head = f"{render.move(given['move'], words)}  ({given['level']})"
    return Group(Text(head), reasons(given["leading"], words))


@click.command("thoughts")
@click.argument("match_id", metavar="ID")
@click.option("--token", envvar="TYCOON_TOKEN", help="A seat's token. [TYCOON_TOKEN]")
@online()
def thoughts(match_id: str, token: str | None, client: Client, out: Output) -> None:
    """Print how the bots of a match that is over came to their moves."""
    if token:
        client = client.holding(token)
    match = client.get(path("matches", match_id))
    words = out.words(client, match["game"])
    items = _thoughts(client, match_id)
    if out.as_json:
        click.echo(encoded({"items": list(items), "next": None, "as_of": match["version"]}))
        return
    for item in items:
        out.show(item, partial(_thought, item, words))


def _thoughts(client: Client, match_id: str) -> Iterator[Json]:
    cursor = None
    while True:
        page = client.get(path("matches", match_id, "thoughts"), cursor=cursor, limit=PAGE)
        yield from page["items"]
        if page["next"] is None:
            return
        cursor = page["next"]


def _thought(item: Json, words: Words) -> RenderableType:
    spent = f"{item['took_ms']:.1f} ms"
    if "iterations" in item:
        spent += f"  {item['iterations']}x"
    head = Text.assemble(
        (f"{item['version']:>5}  ", "dim"),
        f"{words.our('seat')} {item['seat']}  {item['level']}  {spent}",
    )
    return Group(head, reasons(item["leading"], words)) if item["leading"] else head


def reasons(leading: Sequence[Json], words: Words) -> Table:
    """The moves that were looked at most: how often, and their value from 0 to 1000."""
    table = Table(box=None, show_header=False, padding=(0, 1, 0, 6))
    for one in leading:
        told = render.move(one["move"], words)
        table.add_row(f"{one['visits']}x", str(one["value"]), Text(told))
    return table
