"""`tycoon erase`: forgets names and references of people. No event changes."""

from __future__ import annotations

from typing import TextIO

import click

from api.cli.client import Client, Json
from api.cli.output import REFUSED, Output, online

AGAIN = 20
"""So often it is asked again where nothing gets less, before it is given up."""
PAUSE_S = 0.5
"""Pause before that, in seconds: a row that is still to be written follows within moments."""


@click.group("erase")
def group() -> None:
    """Erase the names of people."""


@group.command("player")
@click.argument("ref", required=False)
@click.option(
    "--from",
    "file",
    type=click.File(),
    metavar="FILE",
    help="Read the reference from a file, or from - : so that no shell keeps it.",
)
@online()
def player(ref: str | None, file: TextIO | None, client: Client, out: Output) -> None:
    """Forget the player REF of your API key in all its matches.

    Ends with 1 where some are left after many tries; the same command goes on then.
    """
    if (ref is None) == (file is None):
        raise click.UsageError("Give the reference, or the file that it stands in.")
    wanted = ref if file is None else file.read().rstrip("\r\n")
    done = until_nothing_is_left(client, out, {"player": wanted})
    out.note(done, f"Erased in {_matches(done['erased'])}, {done['left']} left.")
    if done["left"]:
        click.get_current_context().exit(REFUSED)


@group.command("seat")
@click.argument("match_id", metavar="ID")
@click.argument("seat", type=click.IntRange(0))
@click.option("--token", envvar="TYCOON_TOKEN", help="The seat's own token. [TYCOON_TOKEN]")
@online()
def seat(match_id: str, seat: int, token: str | None, client: Client, out: Output) -> None:
    """Forget who sits at one SEAT of a match."""
    if token:
        client = client.holding(token)
    done = client.post("/v1/erasures", {"match": match_id, "seat": seat})
    out.note(done, "Erased." if done["erased"] else "There was no name.")


def until_nothing_is_left(client: Client, out: Output, body: Json) -> Json:
    """What was erased by all requests together; a person sees meanwhile how far it is."""
    bar = out.bar("matches")
    erased, left, stuck = 0, None, 0
    with bar:
        task = bar.add_task("", total=None)
        while True:
            done = client.post("/v1/erasures", body)
            erased += done["erased"]
            bar.update(task, completed=erased, total=erased + done["left"])
            gets_on = left is None or done["left"] < left
            left, stuck = done["left"], 0 if gets_on else stuck + 1
            if not left or stuck == AGAIN:
                return {"erased": erased, "left": left}
            if not gets_on:
                client.pause(PAUSE_S)


def _matches(count: int) -> str:
    return "1 match" if count == 1 else f"{count} matches"
