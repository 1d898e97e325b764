"""Answers that only the API has; those of matches are in `services/matches/documents.py`."""

from __future__ import annotations

from typing import Any

import msgspec

from services.matches.documents import Instant, MatchDoc, Seat
from shared.game import Text


class SeatTokenDoc(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's token, which is its holder's secret."""

    seat: Seat
    token: str


class LinkDoc(msgspec.Struct, frozen=True, kw_only=True):
    """How somebody joins at an open seat: a POST to `url`, or the `code` in its body.

    `url` is a path on this server where neither a setting nor the request named a host.
    """

    seat: Seat
    code: str
    url: str


class CreatedDoc(msgspec.Struct, frozen=True, kw_only=True):
    """A new match with a token for each person's and agent's seat and a link for each open one."""

    match: MatchDoc[Any, Any]
    tokens: tuple[SeatTokenDoc, ...]
    links: tuple[LinkDoc, ...]


class JoinedDoc(msgspec.Struct, frozen=True, kw_only=True):
    """A taken seat."""

    seat: Seat
    token: str
    match: MatchDoc[Any, Any]


class KeyDoc(msgspec.Struct, frozen=True, kw_only=True):
    """An API key without its secret."""

    id: str
    name: str
    created_at: Instant


class NewKeyDoc(KeyDoc, frozen=True, kw_only=True):
    """A new API key: `key` is shown this once."""

    key: str


class KeysDoc(msgspec.Struct, frozen=True, kw_only=True):
    """Every API key, in one page."""

    items: tuple[KeyDoc, ...]
    next: None
    as_of: Instant


class CodeDoc(msgspec.Struct, frozen=True, kw_only=True):
    """What a code of a problem stands for."""

    type: str
    code: str
    status: int
    title: Text


class ReadyDoc(msgspec.Struct, frozen=True, kw_only=True):
    """The process answers."""

    status: str = "ok"
