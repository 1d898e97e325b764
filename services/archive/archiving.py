"""Brings matches that are over into the archive, and back.

Whoever dies in between has changed nothing but that a file is there: it is written again, alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from services.archive import document
from services.archive.files import Archive
from services.hosted import Hall
from services.matches import transcript
from services.matches.state import fold
from shared.errors import Corrupt, Newer, NotFound
from shared.whole_store import REMOVED, Whole, WholeStore

Archived = Literal["archived", "already", "running", "busy", "unknown"]
"""What became of a match that was to be archived. `busy`: it has to be folded or shown first."""

Restored = Literal["restored", "already", "unknown"]
"""What became of a match that was to be put back into the store."""


class Archiver:
    """Archives and restores matches one by one.

    Both raise `Corrupt` for a match that can't be read, or whose file can't, and `Unavailable`.
    """

    def __init__(
        self, wholes: WholeStore, archive: Archive, hall: Hall, clock: Callable[[], int]
    ) -> None:
        self._wholes = wholes
        self._archive = archive
        self._hall = hall
        self._clock = clock

    def archive(self, match: str) -> Archived:
        """Keeps a match in a file, reads that back, and only then drops it from the store."""
        whole = self._wholes.whole(match)
        if whole is None or whole.status == REMOVED:
            return "unknown"
        if whole.place is not None:
            return "already"
        if whole.status != "ended":
            return "running"
        whole, data = self._document(document.archived(whole))
        place = self._archive.write(match, data)
        # The transcript is exact where reading gives what was stored, byte for byte.
        if self._archive.content(match, place) != data or document.read(data) != whole:
            raise Corrupt(f"the file of {match} is not what was written")
        if self._wholes.archive(match, whole.head, place):
            return "archived"
        now = self._wholes.whole(match)
        if now is None or now.status != REMOVED:
            return "busy"
        self._archive.remove(match, place)  # nobody else knows of this file
        return "unknown"

    def restore(self, match: str) -> Restored:
        """Puts a match back; for its age it ended now. Its file stays.

        Where the store has lost even the tombstone, the file tells all but the names.
        """
        known = self._wholes.whole(match)
        if known is not None and known.status == REMOVED:
            return "unknown"
        if known is not None and known.place is None:
            return "already"
        place = known.place if known is not None else None
        places = [place] if place is not None else self._archive.places(match)
        kept = [self._archive.read(match, each) for each in places]
        if not kept:
            return "unknown"
        # Tokens become void between two files of a match: no void one may be valid again.
        latest = max(kept, key=lambda whole: sum(whole.epochs.values()))
        back = msgspec.structs.replace(latest, ended_at=self._clock())
        return "restored" if self._wholes.put_back(back) else "already"

    def _document(self, whole: Whole) -> tuple[Whole, bytes]:
        """A match with when it ended, and its document."""
        try:
            hosted = self._hall[whole.game]
        except NotFound as elsewhere:
            raise Newer(f"this build hosts no {whole.game!r}") from elsewhere
        match = fold(hosted.game, None, hosted.read(whole.events))
        if match.status != "ended" or match.game != whole.game:
            raise Corrupt(f"the log of {whole.match} does not say that it is over")
        if whole.ended_at is None:  # under an older build
            self._wholes.note_ended(whole.match, match.last_at)
            whole = msgspec.structs.replace(whole, ended_at=match.last_at)
        return whole, document.write(whole, transcript.write(hosted, match, whole.events))
