"""Who may do and see what. Private and unknown matches give the same answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from services.matches.state import AnyMatch
from shared import ids
from shared.errors import Forbidden, NotFound, Refused, Unauthenticated
from shared.store import Head


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: `name` is an API key's id or a seat's token; a token is checked per match."""

    kind: Literal["nobody", "key", "seat", "operator"]
    name: str = ""


NOBODY = Caller("nobody")


def unknown() -> Refused:
    """The one answer for a match that is not there, or not for this caller."""
    return NotFound("match.unknown", "There is no such match, or it is not yours to see.")


def bad_token() -> Refused:
    """The answer for a token of another match, of an older epoch, or for no token at all."""
    return Unauthenticated("auth.bad-token", "This seat token is not valid for this match.")


def seat_of(caller: Caller, match: str, head: Head, key: bytes) -> int | None:
    """The seat whose token the caller holds; `None` for every other caller.

    Raises:
        Unauthenticated: a token of another match, of an older epoch, or no token at all.
    """
    if caller.kind != "seat":
        return None
    number = caller.name.removeprefix("tys_").partition("_")[0]
    if number.isascii() and number.isdigit() and len(number) <= 3:
        seat = int(number)
        if ids.same(caller.name, ids.seat_token(key, match, seat, head.epochs.get(seat, 0))):
            return seat
    raise bad_token()


def may_see(caller: Caller, seat: int | None, match: AnyMatch) -> None:
    """Raises `NotFound` unless the caller may see the match at all."""
    if match.visibility != "private" or seat is not None or caller.kind == "operator":
        return
    if not owns(caller, match):
        raise unknown()


def owns(caller: Caller, match: AnyMatch) -> bool:
    """Whether the caller is the API key that the match belongs to."""
    return caller.kind == "key" and caller.name == match.owner


def must_own(caller: Caller, seat: int | None, match: AnyMatch) -> None:
    """Raises unless the caller is the match's API key or the operator."""
    may_see(caller, seat, match)
    if owns(caller, match) or caller.kind == "operator":
        return
    if caller.kind == "nobody":
        raise Unauthenticated("auth.required", "This needs the API key of the match.")
    raise Forbidden("auth.not-owner", "Only the API key that created the match may do this.")


def must_hold(caller: Caller, seat: int | None, match: AnyMatch) -> int:
    """The caller's seat. Raises unless the caller holds one."""
    may_see(caller, seat, match)
    if seat is None:
        if caller.kind == "nobody":
            raise Unauthenticated("auth.required", "This needs a seat's token.")
        raise Forbidden("auth.no-seat", "Only the holder of a seat may do this.")
    return seat
