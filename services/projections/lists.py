"""Pages of matches, merged from the lists of all games that are asked for."""

from __future__ import annotations

import base64
import binascii
from typing import Literal

import msgspec

from services.hosted import Hall
from services.matches.documents import Instant, instant
from services.projections.projector import ALL, LOBBY, RESULTS, RowDoc, player_list
from shared.errors import Malformed
from shared.list_store import ListStore

Scope = Literal["mine", "public"]


class RowsDoc(msgspec.Struct, frozen=True, kw_only=True):
    """A page of matches by creation, then id. Lists follow the log within moments."""

    items: tuple[RowDoc, ...]
    next: str | None
    as_of: Instant


class Lists:
    """Queries over the cross-match projections."""

    def __init__(self, lists: ListStore, hall: Hall, server_key: bytes) -> None:
        self._lists = lists
        self._hall = hall
        self._key = server_key

    def matches(
        self,
        *,
        owner: str | None,
        scope: Scope,
        game: str | None,
        status: str | None,
        player: str | None,
        cursor: str | None,
        limit: int,
        now: int,
    ) -> RowsDoc:
        """Matches of an API key, of one of its players, or public ones."""
        listed = "public" if scope == "public" or owner is None else f"key:{owner}"
        if player is not None and owner is not None:
            listed = player_list(self._key, owner, player)
        if status is not None:
            listed += f":{status}"
        return self._page(LOBBY, game, listed, cursor, limit, now)

    def results(
        self,
        *,
        owner: str | None,
        scope: Scope,
        game: str,
        cursor: str | None,
        limit: int,
        now: int,
    ) -> RowsDoc:
        """Finished matches that count: completed or resigned, neither custom nor imported."""
        listed = "public" if scope == "public" or owner is None else f"key:{owner}"
        return self._page(RESULTS, game, listed, cursor, limit, now)

    def open_matches(self, owner: str) -> int:
        """How many matches of an API key are not over, as far as the lobby knows."""
        return sum(
            self._lists.counts(
                [
                    (LOBBY, hosted.game.slug, f"key:{owner}:{status}")
                    for hosted in self._hall
                    for status in ("waiting", "running")
                ]
            )
        )

    def open_by_status(self, game: str) -> dict[str, int]:
        """How many matches of a game wait or run, whoever's they are."""
        statuses = ("waiting", "running")
        counts = self._lists.counts([(LOBBY, game, f"{ALL}:{status}") for status in statuses])
        return dict(zip(statuses, counts, strict=True))

    def _page(
        self, name: str, game: str | None, listed: str, cursor: str | None, limit: int, now: int
    ) -> RowsDoc:
        after = None if cursor is None else read_cursor(cursor)
        slugs = [self._hall[game].game.slug] if game else [h.game.slug for h in self._hall]
        rows = sorted(
            row
            for slug in slugs
            for row in self._lists.page(name, slug, listed, after=after, limit=limit + 1)
        )
        shown = rows[:limit]
        more = write_cursor(shown[-1][0], shown[-1][1]) if len(rows) > limit else None
        items = tuple(msgspec.json.decode(data, type=RowDoc) for _, _, data in shown)
        return RowsDoc(items=items, next=more, as_of=instant(now))


def write_cursor(created_at: int, match: str) -> str:
    """An opaque position in a list."""
    return base64.urlsafe_b64encode(f"{created_at}:{match}".encode()).decode("ascii")


def read_cursor(cursor: str) -> tuple[int, str]:
    """Raises `Malformed` for what was never given out as `next`."""
    try:
        text = base64.b64decode(cursor.encode("ascii"), b"-_", validate=True).decode("ascii")
        at, _, match = text.partition(":")
        return int(at), match
    except (ValueError, binascii.Error) as wrong:
        raise Malformed("request.bad-cursor", "This cursor is none of ours.") from wrong
