"""Every way to misspell something by one letter, one after another."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

Object = dict[str, Any]

Mutant = tuple[str, str, Object]
"""Where it is misspelled (`a/b/0/c`), which word (empty for a key), and what comes of it."""


def misspelled_keys(found: Object) -> Iterator[Mutant]:
    """The object with each of its keys misspelled in turn."""
    for path in _paths(found):
        if isinstance(path[-1], str):
            mutant = copy.deepcopy(found)
            at = _at(mutant, path[:-1])
            at[f"{path[-1]}x"] = at.pop(path[-1])
            yield "/".join(map(str, path)), "", mutant


def misspelled_words(found: Object) -> Iterator[Mutant]:
    """The object with each of its texts misspelled in turn."""
    for path in _paths(found):
        word = _at(found, path)
        if isinstance(word, str):
            mutant = copy.deepcopy(found)
            _at(mutant, path[:-1])[path[-1]] = f"{word}x"
            yield "/".join(map(str, path)), word, mutant


def _paths(found: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    rows = found.items() if isinstance(found, dict) else enumerate(found)
    for key, value in rows:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from _paths(value, (*path, key))


def _at(found: Any, path: tuple[str | int, ...]) -> Any:
    for part in path:
        found = found[part]
    return found
