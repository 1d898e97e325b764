"""Series without a server: played by the same code, on all cores of this machine."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

import click
import msgspec

from api.cli.client import Json
from api.cli.output import REFUSED, Output
from shared.errors import Refused
from shared.settings import Settings, SettingsError, from_env

if TYPE_CHECKING:
    from services.hosted import Hall
    from services.series.again import Again

Bar = Callable[[int], AbstractContextManager[Callable[[Json], None]]]
"""Shows how far so many matches are: takes a series' `progress`."""


def play(body: Json, folder: str | None, out: Output, bar: Bar) -> Json:
    """Plays a whole series; its document as a server would give it.

    Args:
        body: as for `POST /v1/series`.
        folder: where kept transcripts go; needed to keep any.
    """
    # Every game: 0.2 s that no other command should wait.
    from services.series.local import run_local
    from services.series.spec import NewSeries, resolve

    keep = body.get("keep", "results")
    if (keep != "results") != (folder is not None):
        raise click.UsageError("--keep sample or all and --folder go together here.")
    levels = tuple(bot["level"] for bot in body["bots"])
    with _reported(out):
        settings = from_env(os.environ)
        _check_folder(folder)
        new = msgspec.convert({**body, "bots": levels}, NewSeries)
        spec = resolve(new, _hall(settings), settings, lambda: os.urandom(32))
        with bar(spec.matches) as tell:
            found = run_local(
                spec,
                settings,
                now=time.time_ns() // 1_000_000,
                tell=lambda progress: tell(msgspec.to_builtins(progress)),
                folder=folder,
            )
    return msgspec.to_builtins(found.doc)


def _check_folder(folder: str | None) -> None:
    from services.series.files import Files

    if folder is None:
        return
    try:
        Files(folder)
    except SettingsError as wrong:
        raise click.BadParameter(f"{folder!r} is no address of files.") from wrong


def again(document: Json, number: int, out: Output) -> Again:
    """A match of a series, played once more from the series' document."""
    from services.series.again import play_again, spec_of
    from services.series.documents import SeriesDoc

    if number >= document["matches"]:
        raise click.BadParameter(f"The series has {document['matches']} matches, from 0 on.")
    with _reported(out):
        hall = _hall(from_env(os.environ))
        return play_again(spec_of(msgspec.convert(document, SeriesDoc), hall), number, hall)


def _hall(settings: Settings) -> Hall:
    from services.hosted import Hall
    from services.registry import games

    return Hall(games(settings))


@contextmanager
def _reported(out: Output) -> Iterator[None]:
    try:
        yield
    except Refused as refused:
        out.problem({"code": refused.code, "detail": refused.detail, **refused.extra})
        click.get_current_context().exit(REFUSED)
    except SettingsError as wrong:
        raise click.ClickException(str(wrong)) from wrong
