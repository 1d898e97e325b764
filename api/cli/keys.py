"""`tycoon keys`: the operator makes, lists and revokes API keys."""

from __future__ import annotations

import click

from api.cli import render
from api.cli.client import Client, path
from api.cli.output import Output, online
from api.cli.words import Words


@click.group("keys")
def group() -> None:
    """Make, list and revoke API keys (for the operator)."""


@group.command("create")
@click.option("--label", default="unnamed", show_default=True, help="What you know it by.")
@online("operator_key")
def create(label: str, client: Client, out: Output) -> None:
    """Make an API key. It is shown this once."""
    made = client.post("/v1/admin/keys", {"name": label})
    out.note(made, made["key"])


@group.command("list")
@online("operator_key")
def list_keys(client: Client, out: Output) -> None:
    """List the API keys, without their secrets."""
    page = client.get("/v1/admin/keys")
    columns = ("id", "name", "created_at")
    out.show(page, lambda: render.rows(columns, page["items"], Words(out.lang)))


@group.command("revoke")
@click.argument("key_id", metavar="ID")
@online("operator_key")
def revoke(key_id: str, client: Client, out: Output) -> None:
    """Make an API key void. Its matches stay."""
    client.delete(path("admin", "keys", key_id))
    out.note({"revoked": key_id}, f"{key_id} is void.")
