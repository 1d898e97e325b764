"""Every way to say no. A refusal has a stable code, a sentence for people, and changes nothing.

The class of a refusal says what kind of no it is; `api/problems.py` maps the class to a status.
"""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from typing import Any, ClassVar


class Refused(Exception):
    """A command or query that was not carried out.

    Attributes:
        code: `<scope>.<kebab-case>`; once released it keeps its meaning.
        detail: one English sentence that a person understands.
        rule: the number of the rule that forbids it (`DF-6.4`), where there is one.
        extra: further public facts for a program (`version`, `errors`).
    """

    kind: ClassVar[str] = "refused"

    def __init__(self, code: str, detail: str, *, rule: str | None = None, **extra: Any) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.rule = rule
        self.extra: Mapping[str, Any] = extra

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions are made again from `args`, which is not what these are made from: unpickled,
        # one would break whichever pool of processes it comes from.
        return _made_again, (type(self), self.args), self.__dict__


def _made_again(kind: type[Refused], args: tuple[Any, ...]) -> Refused:
    return kind.__new__(kind, *args)


class Malformed(Refused):
    """The request cannot be read or does not fit its schema."""


class Unauthenticated(Refused):
    """No credential, or one that is not valid."""


class Forbidden(Refused):
    """A valid credential that may not do this."""


class NotFound(Refused):
    """Unknown, or not to be known by this caller."""


class Conflict(Refused):
    """True at another version or in another status: look again."""


class Unprocessable(Refused):
    """Well formed, but not allowed here."""


class IllegalMove(Unprocessable):
    """A move that the rules forbid. Raised by a game's `check`."""

    def __init__(self, code: str, rule: str, detail: str) -> None:
        super().__init__(code, detail, rule=rule)


class PreconditionRequired(Refused):
    """The request must say which version it means, or carry a key."""


class TooMany(Refused):
    """A limit is reached. `extra["retry_after"]` is in seconds where waiting helps."""


class TooLarge(Refused):
    """The body is larger than the limit."""


class Unavailable(Refused):
    """The store does not answer. Whether it did anything is not known; retry with the same key."""


def places(error: BaseException) -> list[str]:
    """Where an exception came from, for a log. Its text may hold what is hidden: never log that."""
    frames = traceback.extract_tb(error.__traceback__)
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-12:]]


class Corrupt(Exception):
    """Stored data that this build cannot read: reported and left alone, never skipped."""


class Newer(Corrupt):
    """Sound data of a build that knows more than this one: left to it."""
