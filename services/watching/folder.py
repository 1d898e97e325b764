"""The folder through which the processes of one service add up what they count.

The metrics library decides when it is first imported whether values live in files, by this
variable. So a parent calls `prepare` before that, and before it starts its children.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Mapping, MutableMapping
from pathlib import Path

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


def prepare(env: MutableMapping[str, str]) -> Path:
    """Makes the folder that `env` names, or names a new one there; it is empty then.

    A folder that was made here goes away with this process. It is best kept in memory: it is
    written to with every count.

    Raises:
        OSError: it can't be written.
    """
    if named := folder_of(env):
        named.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Counts of an earlier start would be added to.
        for file in named.glob("*.db"):
            file.unlink()
        return named
    made = Path(tempfile.mkdtemp(prefix="tycoon-metrics-"))
    env[VARIABLE] = str(made)
    atexit.register(_remove, made, os.getpid())
    return made


def folder_of(env: Mapping[str, str]) -> Path | None:
    """The folder, where there is one."""
    return Path(env[VARIABLE]) if env.get(VARIABLE) else None


def _remove(folder: Path, maker: int) -> None:
    if os.getpid() == maker:
        shutil.rmtree(folder, ignore_errors=True)
