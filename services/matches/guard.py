"""One broken table never stops the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from shared.errors import Unavailable

Report = Callable[[str, Exception], None]
"""Told of a match that something went wrong at; it must not repeat the exception's text."""


@contextmanager
def alone(match_id: str, report: Report) -> Iterator[None]:
    """Reports what goes wrong at one match and lets the caller go on with the next.

    Raises:
        Unavailable: the store is away, for every match alike.
    """
    try:
        yield
    except Unavailable:
        raise
    except Exception as broken:  # a log that can't be read, or a defect in one game's code
        report(match_id, broken)
