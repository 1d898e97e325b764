"""For whom something is done: the id that leads from a request to every task that follows from it.

It goes with the flow of control: the API sets it for a request, a sender gives it to its tasks, a
worker sets it again for a task. A task may serve many requests at once, so it can have an id for
each of its matches. An id is for logs alone: nothing is ever decided by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

HEADER = "correlations"
"""Of a task: match -> id, for matches that have another one than the task."""

SANE = re.compile(r"(?!.*ty[a-z]_)[A-Za-z0-9._-]{1,64}")
"""What may be written into a log: short, plain, and nothing that looks like a key or a token."""

_TRACEPARENT = re.compile(r"[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")


@dataclass(frozen=True, slots=True)
class _Correlation:
    root: str | None = None
    by_match: Mapping[str, str | None] = field(default_factory=dict)


_NONE = _Correlation()
_current: ContextVar[_Correlation] = ContextVar("correlation", default=_NONE)


def given(request_id: str, traceparent: str) -> str | None:
    """The id that a caller gives, by an id of its own or by a trace (W3C); `None` if not sane."""
    if SANE.fullmatch(request_id):
        return request_id
    trace = _TRACEPARENT.fullmatch(traceparent)
    return None if trace is None else trace[1]


def begin(root: str) -> None:
    """Sets the id for all that follows in this thread."""
    _current.set(_Correlation(root))


@contextmanager
def correlated(root: str | None, by_match: Mapping[str, str | None]) -> Iterator[None]:
    """Sets the ids inside its block."""
    token = _current.set(_Correlation(root, by_match))
    try:
        yield
    finally:
        _current.reset(token)


def of(match: str | None = None) -> str | None:
    """The id that a match's work is done for, or all work here; `None` outside of any."""
    current = _current.get()
    return current.root if match is None else current.by_match.get(match, current.root)


def told(matches: Sequence[str]) -> tuple[str | None, dict[str, str]]:
    """What a task for these matches is told: its own id, and those that differ from it."""
    root = of(matches[0] if len(matches) else None)
    ids = {match: of(match) for match in matches}
    return root, {match: id for match, id in ids.items() if id is not None and id != root}


def read(header: Any) -> dict[str, str]:
    """The ids in a task's header. A build that does not know it, or knows another, sends none."""
    if not isinstance(header, dict):
        return {}
    return {
        match: id
        for match, id in header.items()
        if isinstance(match, str) and isinstance(id, str) and SANE.fullmatch(id)
    }
