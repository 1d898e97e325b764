"""`tycoon play`: a person at the terminal, through the API alone."""

from __future__ import annotations

from typing import Any

import click

from api.cli.client import Client, Json, Unreachable, path
from api.cli.creating import DEFAULT_LEVEL, BotsWord, about, table_options
from api.cli.output import Output, online
from api.cli.session import Left, Session
from api.cli.words import Words


@click.command("play")
@click.argument("game", required=False)
@click.option(
    "--bots", type=BotsWord(), metavar="LEVELS", help="Whom to play: greedy,random or greedy:3."
)
@click.option(
    "--seats", type=click.IntRange(1), help="Seats in all; more bots fill them. [default: fewest]"
)
@click.option("--name", help="What the others call you.")
@table_options
@click.option("--match", "match_id", metavar="ID", help="Go on with a match, with --token.")
@click.option("--token", envvar="TYCOON_TOKEN", help="The token of your seat. [TYCOON_TOKEN]")
@online()
def command(
    game: str | None,
    bots: list[Json] | None,
    seats: int | None,
    name: str | None,
    match_id: str | None,
    token: str | None,
    client: Client,
    out: Output,
    **table: Any,
) -> None:
    """Play GAME against bots, or go on with a match that you have a seat at.

    Type help at the prompt to see what it understands. With --json every message is a line of
    JSON, and lines of input are taken just the same.
    """
    if (game is None) == (match_id is None):
        raise click.UsageError("Name a GAME, or give --match and --token.")
    told = 0
    if match_id is not None:
        if not token:
            raise click.UsageError("--match needs the --token of your seat.")
        match = client.holding(token).get(path("matches", match_id))
        game, told = match["game"], match["version"]
    catalogue = client.get(path("games", str(game)))
    if match_id is None or token is None:
        holders = _holders(catalogue, bots or [], seats, name)
        created = client.post("/v1/matches", about(catalogue["slug"], holders, **table))
        match_id, token = created["match"]["id"], created["tokens"][0]["token"]
        out.note({"match_id": match_id, "token": token}, f"{match_id}")
    words = Words(out.lang, catalogue["texts"], catalogue["name"])
    session = Session(client.holding(token), out, words, catalogue["moves"], match_id, told)
    line = f"tycoon play --match {match_id} --token {token}"
    try:
        session.play()
    except (Left, KeyboardInterrupt):
        out.note({"go_on": line}, f"To go on: {line}")
    except Unreachable:
        out.note({"go_on": line}, f"To go on: {line}")
        raise


def _holders(catalogue: Json, bots: list[Json], seats: int | None, name: str | None) -> list[Json]:
    """The person in seat 0, then bots."""
    wanted = seats or max(catalogue["seats"]["min"], 1 + len(bots))
    if wanted < 1 + len(bots):
        raise click.UsageError(f"{wanted} seats are too few for you and {len(bots)} bots.")
    person = {"kind": "person", "name": name} if name else {"kind": "person"}
    more = wanted - 1 - len(bots)
    return [person, *bots, *[{"kind": "bot", "level": DEFAULT_LEVEL}] * more]
