"""Which build plays: so that a result can be cited, and made again by the same one."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import metadata, resources
from importlib.resources.abc import Traversable

PARTS = ("shared", "services")
"""What decides, plays and folds; the rest of a build has no part in a result."""


@cache
def this_build() -> str:
    """`<version>+<12 hex digits>`: the digits are of SHA-256 over every source file of `PARTS`.

    They are read once in a process: a server asks at its start.
    """
    digest = hashlib.sha256()
    for part in PARTS:
        for name, source in sorted(_sources(resources.files(part), part)):
            digest.update(f"{name}\0{len(source)}\0".encode() + source)
    return f"{metadata.version('tycoon')}+{digest.hexdigest()[:12]}"


def _sources(folder: Traversable, path: str) -> list[tuple[str, bytes]]:
    found = []
    for entry in folder.iterdir():
        name = f"{path}/{entry.name}"
        if entry.is_dir():
            found += _sources(entry, name)
        elif entry.name.endswith((".py", ".lua")):
            found.append((name, entry.read_bytes()))
    return found
