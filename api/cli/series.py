"""`tycoon series`: bots against bots in bulk, on a server or on this machine alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import IO, TYPE_CHECKING, Any

import click
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from api.cli import series_local, series_table
from api.cli.client import Client, Json, path
from api.cli.creating import BotsWord, game_options
from api.cli.output import REFUSED, Output, online

if TYPE_CHECKING:
    from services.series.again import Again

POLL_S = 0.5
PAGE = 200
INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""


@click.group("series")
def group() -> None:
    """Play many matches of one line-up of bots, and look at the results."""


@group.command("run")
@click.argument("game")
@click.option(
    "--bots",
    type=BotsWord(),
    required=True,
    metavar="LEVELS",
    help="One bot for each seat: greedy,random*4, or search-100,greedy.",
)
@click.option("--matches", type=click.IntRange(1), required=True, help="How many.")
@game_options
@click.option("--seed", metavar="HEX", help="64 hex digits that everything follows from.")
@click.option(
    "--rotation",
    type=click.Choice(["cyclic", "none"]),
    help="Whether each match seats the line-up one seat further. [default: cyclic]",
)
@click.option(
    "--paired/--unpaired",
    default=None,
    help="Play every deal once for each seating. [default: where the seats rotate]",
)
@click.option(
    "--keep",
    type=click.Choice(["results", "sample", "all"]),
    help="Which transcripts are kept. [default: results]",
)
@click.option("--at-once", type=click.IntRange(1), help="Parts that are played at the same time.")
@click.option("--local", is_flag=True, help="Play here, on all cores, without any server.")
@click.option("--folder", metavar="URL", help="With --local: where kept transcripts go.")
@online()
def run(
    client: Client, out: Output, *, local: bool, folder: str | None, bots: list[Json], **asked: Any
) -> None:
    """Play a series of GAME: a bar, then the table of results.

    Ctrl-C leaves a server's series running. It ends with 1 where matches broke off.
    """
    body = _body(bots, **asked)
    if local:
        document = series_local.play(body, folder, out, partial(_bar, out))
    elif folder is not None:
        raise click.UsageError("--folder goes with --local; a server has its own archive.")
    else:
        document = client.post("/v1/series", body)
        # At once: whatever becomes of this command, the series can be found again.
        out.errors.print(f"Series {document['id']}", soft_wrap=True)
        document = _followed(client, out, document)
    out.show(document, lambda: series_table.whole(document))
    if document["progress"]["failed"]:
        click.get_current_context().exit(REFUSED)


def _body(bots: list[Json], *, options: tuple[tuple[str, Json], ...], **asked: Any) -> Json:
    """The body of `POST /v1/series`. What was not given is left to the server."""
    wanted = {name: value for name, value in asked.items() if value is not None}
    line_up = [{"level": bot["level"]} for bot in bots]
    return {**wanted, "bots": line_up, "options": dict(options)}


def _followed(client: Client, out: Output, document: Json) -> Json:
    """The series when it is over, or paused; meanwhile a person sees how far it is."""
    where = path("series", document["id"])
    try:
        with _bar(out, document["matches"]) as tell:
            while document["status"] == "running":
                tell(document["progress"])
                client.pause(POLL_S)
                document = client.get(where)
            tell(document["progress"])
    except KeyboardInterrupt:
        out.errors.print(
            f"The series goes on; look again with: tycoon series show {document['id']} --follow",
            soft_wrap=True,
        )
        click.get_current_context().exit(INTERRUPTED)
    return document


@contextmanager
def _bar(out: Output, matches: int) -> Iterator[Callable[[Json], None]]:
    """A bar on standard error; what it gives takes a series' `progress`."""
    bar = Progress(
        TextColumn("{task.completed}/{task.total} matches"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.description}"),
        console=out.errors,
        transient=True,
        disable=out.as_json or not out.errors.is_terminal,
    )
    with bar:
        task = bar.add_task("", total=matches)

        def tell(progress: Json) -> None:
            over = progress["done"] + progress["failed"]
            bar.update(task, completed=over, description=series_table.rates(progress))

        yield tell


@group.command("list")
@online()
def list_series(client: Client, out: Output) -> None:
    """List your series, the oldest first. With --json: one a line."""
    cursor = None
    while True:
        page = client.get("/v1/series", cursor=cursor, limit=PAGE)
        for row in page["items"]:
            out.show(row, partial(series_table.row, row))
        cursor = page["next"]
        if cursor is None:
            return


@group.command("show")
@click.argument("series_id", metavar="ID")
@click.option("--follow", is_flag=True, help="Return when it is over.")
@online()
def show(series_id: str, follow: bool, client: Client, out: Output) -> None:
    """Show a series with its results so far."""
    document = client.get(path("series", series_id))
    if follow:
        document = _followed(client, out, document)
    out.show(document, lambda: series_table.whole(document))


@group.command("results")
@click.argument("series_id", metavar="ID")
@click.option("--csv", "as_csv", is_flag=True, help="As CSV instead of JSON lines.")
@click.option(
    "-o", "--output", type=click.File("wb", lazy=True), default="-", help="Instead of printing it."
)
@online()
def results(series_id: str, as_csv: bool, output: IO[bytes], client: Client, out: Output) -> None:
    """Write one line for each match that was played."""
    for part in client.stream(path("series", series_id, "results.csv" if as_csv else "results")):
        output.write(part)


@group.command("match")
@click.argument("series_id", metavar="ID")
@click.argument("number", type=click.IntRange(0))
@click.option(
    "-o", "--output", type=click.File("wb", lazy=True), default="-", help="Instead of printing it."
)
@online()
def match(series_id: str, number: int, output: IO[bytes], client: Client, out: Output) -> None:
    """Play match NUMBER of a series again on this machine, and write its transcript.

    It ends with 1 where the events are not those that the series played.
    """
    document = client.get(path("series", series_id))
    played = _row(client, series_id, number)
    again = series_local.again(document, number, out)
    output.write(b"".join(again.lines))
    problem = _difference(number, played, again)
    if problem is not None:
        out.problem(problem, hint="\n".join(problem.get("where", ())))
        click.get_current_context().exit(REFUSED)


def _difference(number: int, played: Json | None, again: Again) -> Json | None:
    """Why the match is not what the series played; a match it has not played yet is."""
    if again.row.failed is not None:
        return {
            "code": "series.match-failed",
            "detail": f"Match {number} breaks off here: {again.row.failed}.",
            "where": list(again.where),
        }
    if played is not None and played["digest"] != again.row.digest:
        code = "series.other-events"
        detail = (
            f"Match {number} has other events here than in the series: "
            "another build, or a bot whose budget is a time."
        )
    else:
        return None
    return {"code": code, "detail": detail}


def _row(client: Client, series_id: str, number: int) -> Json | None:
    lines = client.lines(path("series", series_id, "results"))
    return next((row for row in map(json.loads, lines) if row["match"] == number), None)


@group.command("pause")
@click.argument("series_id", metavar="ID")
@online()
def pause(series_id: str, client: Client, out: Output) -> None:
    """Play nothing more of a series until it is resumed."""
    _told(client.post(path("series", series_id, "pause"), {}), out)


@group.command("resume")
@click.argument("series_id", metavar="ID")
@online()
def resume(series_id: str, client: Client, out: Output) -> None:
    """Go on with a paused series."""
    _told(client.post(path("series", series_id, "resume"), {}), out)


@group.command("cancel")
@click.argument("series_id", metavar="ID")
@online()
def cancel(series_id: str, client: Client, out: Output) -> None:
    """End a series for good; its results so far stay."""
    _told(client.post(path("series", series_id, "cancel"), {}), out)


@group.command("delete")
@click.argument("series_id", metavar="ID")
@online()
def delete(series_id: str, client: Client, out: Output) -> None:
    """Forget a series with its results and files."""
    client.delete(path("series", series_id))
    out.note({"id": series_id, "status": "deleted"}, f"{series_id} is deleted.")


def _told(document: Json, out: Output) -> None:
    out.note(document, f"{document['id']} is {document['status']}.")
