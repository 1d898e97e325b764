"""The list of all golden matches: what is in it has to stay, as it is.

    # 208 matches
    <SHA-256 of the file>  daifugo/abandoned.jsonl.gz

Lines are sorted by name; `sha256sum -c manifest.txt` reads them, too. A line is only ever added,
and the first one counts them: to take a match away is an act of three, the file, its line and the
count. All three together, or a file made anew with its line, only the history shows.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from tests.golden.library import FOLDER, paths

NAME = "manifest.txt"


class Changed(Exception):
    """The golden matches are not those of the manifest."""


def listed(folder: Path = FOLDER) -> dict[str, str]:
    """Name -> digest of every match that was ever recorded.

    Raises:
        Changed: its lines are not as many as it says, or one is no line of it.
    """
    head, *lines = (folder / NAME).read_text().splitlines()
    rows = [re.fullmatch("([0-9a-f]{64})  ([a-z0-9/.-]+)", line) for line in lines]
    found = {row[2]: row[1] for row in rows if row}
    if head != _head(len(lines)) or list(found) != sorted(found) or len(found) != len(lines):
        raise Changed(
            f"{NAME} was written by another hand: a line is missing, added or out of order"
        )
    return found


def faults(folder: Path = FOLDER) -> list[str]:
    """What is otherwise than the manifest says, in sentences."""
    before, there = listed(folder), _there(folder)
    return [
        *(f"{name} is gone" for name in before if name not in there),
        *(f"{name} has no line in {NAME}" for name in there if name not in before),
        *(
            f"{name} was changed"
            for name in before
            if there.get(name, before[name]) != before[name]
        ),
    ]


def add(path: Path, packed: bytes, folder: Path = FOLDER) -> None:
    """Puts a new match into the library.

    Raises:
        Changed: something was taken away or changed before.
        FileExistsError: a match has that name.
    """
    found = faults(folder)
    if found:
        raise Changed("; ".join(found))
    path.parent.mkdir(exist_ok=True)
    with path.open("xb") as file:
        file.write(packed)
    rows = sorted({**listed(folder), _name(path): _digest(packed)}.items())
    lines = [_head(len(rows)), *(f"{digest}  {name}" for name, digest in rows)]
    (folder / NAME).write_text("\n".join(lines) + "\n")


def _head(count: int) -> str:
    return f"# {count} matches"


def _there(folder: Path) -> dict[str, str]:
    return {_name(path): _digest(path.read_bytes()) for path in paths(folder=folder)}


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
