"""Commands that ask the stores themselves, beside the server or without one."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from api.cli.home import Home
from api.cli.output import REFUSED, UNREACHABLE, Output
from api.cli.servers import SetupError
from api.cli.topology import environment
from shared.errors import Unavailable
from shared.settings import Settings, SettingsError, from_env

if TYPE_CHECKING:
    from services.bootstrap import Stores, Tycoon
    from services.upkeep import Tell


class NotHere(Exception):
    """Nobody says where the store is; the sentence says what to do."""


def settings_of(env: Mapping[str, str]) -> Settings:
    """The environment's settings; where it names no store, those of `tycoon up` in its data folder.

    Raises:
        NotHere: it names no store, and no `tycoon up` runs there.
        SettingsError: a setting that can't be used.
        SetupError: the data folder can't be read.
    """
    asked = from_env(env)
    if {"TYCOON_EVENTS_URL", "TYCOON_EVENTS_URL_FILE"} & env.keys():
        asked.check()
        return asked
    home = Home(Path(asked.data_dir))
    addresses, secrets = home.addresses(), home.kept_secrets()
    if addresses is None or secrets is None:
        raise NotHere(
            f"No `tycoon up` runs in {home.folder}: start it, name its folder in TYCOON_DATA_DIR, "
            "or the store in TYCOON_EVENTS_URL."
        )
    given: dict[str, str | int | Path] = {
        "events_url": addresses.events_url,
        "broker_url": addresses.broker_url,
        "server_key": asked.server_key or secrets.server_key,
        "data_dir": home.folder,
    }
    settings = from_env(environment(env, given))
    settings.check()
    return settings


def now() -> int:
    """Ms since 1970."""
    return time.time_ns() // 1_000_000


def tycoon_of(settings: Settings, stores: Stores) -> Tycoon:
    """The services of a process that serves nobody. Imports every game."""
    from services.bootstrap import build

    return build(
        settings,
        stores,
        clock=now,
        wake=lambda match: None,
        think=lambda match, version: None,
        report=lambda match, broken: None,
        wait=lambda ms: time.sleep(ms / 1_000),
    )


@contextmanager
def reported(out: Output) -> Iterator[Settings]:
    """Gives the settings; what can't be done ends the command with a sentence and its exit code."""
    context = click.get_current_context()
    try:
        yield settings_of(os.environ)
    except NotHere as missing:
        out.problem({"code": "store.not-found", "detail": str(missing)})
        context.exit(UNREACHABLE)
    except Unavailable as away:
        out.problem({"code": away.code, "detail": away.detail})
        context.exit(UNREACHABLE)
    except (SettingsError, SetupError) as wrong:
        out.problem({"code": "settings.invalid", "detail": str(wrong)})
        context.exit(REFUSED)


@contextmanager
def bar(out: Output, of: str) -> Iterator[Tell]:
    """A bar on standard error, for people; what it gives takes how many are done, of how many."""
    with out.bar(of, shown=out.errors.is_terminal) as progress:
        task = progress.add_task("", total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
