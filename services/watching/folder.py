"""The folder through which the processes of one service add up what they count.

A parent calls `prepare` or `prepare_own` before it starts its children and before anything is
counted.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Mapping, MutableMapping
from pathlib import Path

from prometheus_client import values

from shared.settings import SettingsError

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


def prepare(env: MutableMapping[str, str]) -> Path:
    """Makes the folder that `env` names, or names a new one there; it is empty then.

    `env` is this process's own environment, or that of a child. A folder that was made here goes
    away with this process. It is best kept in memory: it is written to with every count.

    Raises:
        OSError: it can't be written.
    """
    folder = folder_of(env)
    if folder is None:
        folder = Path(tempfile.mkdtemp(prefix="tycoon-metrics-"))
        env[VARIABLE] = str(folder)
        atexit.register(_remove, folder, os.getpid())
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Counts of an earlier start would be added to.
    for file in folder.glob("*.db"):
        file.unlink()
    # The library has decided when it was imported whether values live in files, by the variable.
    values.ValueClass = values.get_value_class()
    return folder


def prepare_own(env: MutableMapping[str, str]) -> Path:
    """`prepare`, where whoever set this process up has chosen the folder.

    Raises:
        SettingsError: it can't be written.
    """
    try:
        return prepare(env)
    except OSError as failed:
        raise SettingsError(
            f"{VARIABLE} must name a folder that can be written: {failed.strerror}."
        ) from failed


def folder_of(env: Mapping[str, str]) -> Path | None:
    """The folder, where there is one."""
    return Path(env[VARIABLE]) if env.get(VARIABLE) else None


def _remove(folder: Path, maker: int) -> None:
    if os.getpid() == maker:
        shutil.rmtree(folder, ignore_errors=True)
