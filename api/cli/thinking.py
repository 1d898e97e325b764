"""How bots thought: after the match for all its moves."""

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

PAGE = 200


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
