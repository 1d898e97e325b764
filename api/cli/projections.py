"""`tycoon projections`: the operator has all projections built anew from the streams."""

from __future__ import annotations

import click

from api.cli.client import Client, Json, path
from api.cli.output import REFUSED, Output, online

POLL_S = 0.5


@click.group("projections")
def group() -> None:
    """Look after projections (for the operator)."""


@group.command("rebuild")
@click.option("--no-wait", is_flag=True, help="Return as soon as it has begun.")
@online("operator_key")
def rebuild(no_wait: bool, client: Client, out: Output) -> None:
    """Build all projections anew while the service goes on.

    Ends with 1 where a match could not be read; all others are rebuilt then too.
    """
    progress = client.post("/v1/admin/rebuilds", {})
    if not no_wait:
        progress = until_finished(client, out, progress)
    out.note(progress, _told(progress))
    if progress["failed"]:
        click.get_current_context().exit(REFUSED)


def until_finished(client: Client, out: Output, progress: Json) -> Json:
    """How a rebuild ended; a person sees meanwhile how far it is."""
    where = path("admin", "rebuilds", str(progress["generation"]))
    bar = out.bar("partitions")
    with bar:
        task = bar.add_task("", total=progress["partitions"])
        while not progress["finished"]:
            client.pause(POLL_S)
            progress = client.get(where)
            bar.update(task, completed=progress["partitions_done"])
    return progress


def _told(progress: Json) -> str:
    state = "finished" if progress["finished"] else "begun"
    return (
        f"Rebuild {progress['generation']} {state}: "
        f"{progress['partitions_done']} of {progress['partitions']} partitions, "
        f"{progress['matches']} matches, {progress['failed']} failed."
    )
