"""`tycoon match`: create, show, follow, export and verify matches."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import IO, Any

import click
from rich.console import Group, RenderableType
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from api.cli import render, thinking, verify
from api.cli.client import Client, Json, Problem, path
from api.cli.creating import BotsWord, SeatWord, about, table_options
from api.cli.output import Output, encoded, online
from api.cli.words import Words

POLL_S = 0.5
"""Pause before a server is asked again for what it did not have yet, in seconds."""

PAGE = 200


@click.group("match")
def group() -> None:
    """Create, show, follow, export and verify matches."""


group.add_command(verify.command)
group.add_command(thinking.thoughts)
group.add_command(thinking.hint)


@group.command("new")
@click.argument("game")
@click.option(
    "--seat",
    "seats",
    type=SeatWord(),
    multiple=True,
    metavar="SEAT",
    help="person[:NAME], agent[:NAME], open or bot[:LEVEL]; one for each seat.",
)
@click.option(
    "--bots",
    type=BotsWord(),
    default=None,
    metavar="LEVELS",
    help="Further seats for bots: greedy:3, or greedy,random.",
)
@table_options
@click.option("--wait", is_flag=True, help="Return when the match is over.")
@online()
def new(
    game: str,
    seats: tuple[Json, ...],
    bots: list[Json] | None,
    wait: bool,
    client: Client,
    out: Output,
    **table: Any,
) -> None:
    """Create a match of GAME."""
    every = [*seats, *(bots or ())]
    if not every:
        raise click.UsageError("Say who plays: --seat for each seat, or --bots.")
    created = client.post("/v1/matches", about(game, every, **table))
    if wait:
        created = {**created, "match": until_over(client, out, created["match"])}
    words = out.words(client, game)
    out.show(created, lambda: _created(created, words))


def _created(created: Json, words: Words) -> RenderableType:
    match = created["match"]
    lines = [
        f"{words.our('seat')} {held['seat']}  token {held['token']}" for held in created["tokens"]
    ]
    lines += [
        f"{words.our('seat')} {link['seat']}  join {link['url']}" for link in created["links"]
    ]
    lines.append(f"commitment {match['commitment']}")
    return Group(render.match(match, words), *map(Text, lines))


def until_over(client: Client, out: Output, match: Json) -> Json:
    """The match when it is over; a person sees meanwhile how far it is."""
    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        console=out.errors,
        transient=True,
        disable=out.as_json,
    )
    with bar:
        task = bar.add_task("", total=None)
        while match["status"] != "ended":
            bar.update(task, description=f"version {match['version']}")
            match = newer(client, match)
    return match


def newer(client: Client, match: Json) -> Json:
    """The match at a later version; returns as soon as there is one."""
    where, wanted = path("matches", match["id"]), match["version"] + 1
    while True:
        try:
            return client.get(where, min_version=wanted)
        except Problem as problem:
            if problem.code != "match.version-not-reached":
                raise
        client.pause(POLL_S)


@group.command("show")
@click.argument("match_id", metavar="ID")
@click.option("--version", type=click.IntRange(1), help="As it was at this version.")
@click.option("--seat", type=click.IntRange(0), help="As this seat sees it, once it is over.")
@click.option("--token", envvar="TYCOON_TOKEN", help="A seat's token. [TYCOON_TOKEN]")
@online()
def show(
    match_id: str,
    version: int | None,
    seat: int | None,
    token: str | None,
    client: Client,
    out: Output,
) -> None:
    """Show a match as the key or token may see it."""
    if token:
        client = client.holding(token)
    match = client.get(path("matches", match_id), version=version, seat=seat)
    words = out.words(client, match["game"])
    out.show(match, lambda: render.match(match, words))


@group.command("log")
@click.argument("match_id", metavar="ID")
@click.option("--after", type=click.IntRange(0), default=0, help="Begin after this version.")
@click.option("--follow", is_flag=True, help="Go on until the match is over.")
@click.option("--token", envvar="TYCOON_TOKEN", help="A seat's token. [TYCOON_TOKEN]")
@online()
def log(
    match_id: str, after: int, follow: bool, token: str | None, client: Client, out: Output
) -> None:
    """Print a match's events. With --json --follow: one event a line."""
    if token:
        client = client.holding(token)
    words = out.words(client, client.get(path("matches", match_id))["game"])
    read = following if follow else events
    items = read(client, match_id, after)
    if out.as_json and not follow:
        found = list(items)
        as_of = found[-1]["version"] if found else after
        click.echo(encoded({"items": found, "next": None, "as_of": as_of}))
        return
    for item in items:
        out.show(item, partial(render.event, item, words))


def events(client: Client, match_id: str, after: int) -> Iterator[Json]:
    """Every event after a version that is there now, page by page."""
    where = path("matches", match_id, "events")
    while True:
        page = client.get(where, after=after, limit=PAGE)
        yield from page["items"]
        if page["next"] is None:
            return
        after = int(page["next"])


def following(client: Client, match_id: str, after: int) -> Iterator[Json]:
    """Every event after a version, those to come included, until the match is over."""
    while True:
        for item in events(client, match_id, after):
            yield item
            after = item["version"]
        if client.get(path("matches", match_id))["status"] == "ended":
            yield from events(client, match_id, after)
            return
        client.pause(POLL_S)


@group.command("export")
@click.argument("match_id", metavar="ID")
@click.option(
    "-o", "--output", type=click.File("wb", lazy=True), default="-", help="Instead of printing it."
)
@online()
def export(match_id: str, output: IO[bytes], client: Client, out: Output) -> None:
    """Write the transcript of a match that is over (JSON lines)."""
    transcript = client.raw(path("matches", match_id, "export"))
    output.write(transcript)
    if output.name not in ("-", "<stdout>"):
        document = {"file": output.name, "bytes": len(transcript)}
        out.note(document, f"{output.name}: {len(transcript)} bytes")
