"""What a new match is asked to be, from the words of a command line."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import msgspec

from api.cli.client import Json
from api.cli.forms import word

DEFAULT_LEVEL = "greedy"
MANY = 16
"""More seats than any game has; a typing error must not build a huge request."""

_BOTS = re.compile(r"([a-z][a-z0-9-]*)(?:[*:]([0-9]{1,2}))?")


class SeatWord(click.ParamType[Json]):
    """`person`, `person:NAME`, `agent`, `agent:NAME`, `open`, `bot` or `bot:LEVEL`."""

    name = "seat"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Json:
        kind, colon, more = str(value).partition(":")
        holders = {
            "open": {"kind": kind},
            "bot": {"kind": kind, "level": more or DEFAULT_LEVEL},
            "person": {"kind": kind, "name": more} if more else {"kind": kind},
            "agent": {"kind": kind, "name": more} if more else {"kind": kind},
        }
        if kind not in holders or bool(colon) != bool(more) or (kind == "open" and colon):
            self.fail(
                f"{value!r} is none of person[:NAME], agent[:NAME], open, bot[:LEVEL].", param, ctx
            )
        return holders[kind]


class BotsWord(click.ParamType[list[Json]]):
    """Levels with commas between them: `greedy,random`, `greedy*3`, `search-100*2`.

    `greedy:3` means the same: some shells expand a star. `search-100` is the level `search` with
    100 iterations for a move, `search-250ms` the one with 250 ms.
    """

    name = "bots"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> list[Json]:
        seats: list[Json] = []
        for bots in str(value).split(","):
            found = _BOTS.fullmatch(bots)
            if found is None:
                self.fail(f"{bots!r} is neither LEVEL nor LEVEL*N nor LEVEL:N.", param, ctx)
            seats += [{"kind": "bot", "level": found[1]}] * int(found[2] or 1)
        if not 0 < len(seats) <= MANY:
            self.fail(f"1 to {MANY} bots, not {len(seats)}.", param, ctx)
        return seats


class OptionWord(click.ParamType[tuple[str, Json]]):
    """`name=value`; the value is JSON, or else a text."""

    name = "option"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Json]:
        name, equals, given = str(value).partition("=")
        if not name or not equals:
            self.fail(f"{value!r} is not NAME=VALUE.", param, ctx)
        return name, word(given)


def read_chance(
    context: click.Context, parameter: click.Parameter, file: Path | None
) -> Json | None:
    """A custom match's script: a JSON object of results by label."""
    if file is None:
        return None
    try:
        script = msgspec.json.decode(file.read_bytes())
    except (OSError, msgspec.DecodeError, RecursionError) as wrong:
        raise click.BadParameter(f"{file} can't be read: {wrong}.") from wrong
    if not isinstance(script, dict):
        raise click.BadParameter(f"{file} must hold a JSON object: label -> result.")
    return script


game_options = click.option(
    "--option",
    "options",
    type=OptionWord(),
    multiple=True,
    metavar="NAME=VALUE",
    help="One of the game's options.",
)
"""For every command that names a game to play."""


def table_options(function: Callable[..., None]) -> Callable[..., None]:
    """Options of every command that creates a match; they arrive as `about`'s arguments."""
    for option in (
        click.option(
            "--chance",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            callback=read_chance,
            help="JSON file of results by label; makes the match a custom one.",
        ),
        click.option("--private", "visibility", flag_value="private", help="Hidden from others."),
        click.option("--public", "visibility", flag_value="public", help="Listed for everybody."),
        click.option("--pace", type=int, metavar="MS", help="Pause before a bot's move."),
        click.option("--clock", type=int, metavar="S", help="Seconds for one move."),
        game_options,
    ):
        function = option(function)
    return function


def about(
    game: str,
    seats: list[Json],
    *,
    options: tuple[tuple[str, Json], ...],
    clock: int | None,
    pace: int | None,
    visibility: str | None,
    chance: Json | None,
) -> Json:
    """The body of `POST /v1/matches`. What was not given is left to the server."""
    given = {
        "pace_ms": pace,
        "clock": None if clock is None else {"per_move_s": clock},
        "visibility": visibility,
        "chance": chance,
        "options": dict(options) or None,
    }
    wanted = {name: value for name, value in given.items() if value is not None}
    return {"game": game, "seats": seats, **wanted}
