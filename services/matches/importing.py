"""Taking over a finished match from a transcript: refolded, checked, under a new id."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import msgspec

from services.hosted import Hall, Hosted
from services.matches import verify
from services.matches.committing import CREATED, Done
from services.matches.documents import match_doc
from services.matches.events import Created
from services.matches.state import AnyMatch, fold
from services.matches.transcript import Transcript, read
from shared import ids
from shared.envelope import Envelope
from shared.errors import Conflict, Malformed, Unprocessable
from shared.game import Event
from shared.settings import Settings
from shared.store import Append, CommandRecord, EventStore, Secret, VersionConflict

IMPORT = "import"
"""The id of the only command of a match that was taken over; a repeat finds its record."""


class Importer:
    """Imports transcripts. The same file imported twice by one API key is one match."""

    def __init__(
        self, store: EventStore, hall: Hall, settings: Settings, clock: Callable[[], int]
    ) -> None:
        self._store = store
        self._hall = hall
        self._settings = settings
        self._clock = clock

    def import_match(self, data: bytes, owner: str) -> Done:
        """Stores a transcript as a finished match that is marked `imported`.

        Raises:
            Malformed: it is no complete transcript.
            Unprocessable: commitment or draws do not fit the seed, or it is too long.
            Conflict: it was imported before, and that match was removed for good.
        """
        transcript = read(self._hall, data)
        hosted = self._hall[transcript.header.game]
        if len(transcript.stored) > self._settings.events_limit:
            raise Unprocessable("match.too-long", "This transcript has too many events.")
        proof = verify.verify(hosted, transcript)
        faults = (*proof.draw_faults, *proof.decision_faults)
        if faults:
            raise Unprocessable("match.bad-proof", f"This was never played: {faults[0]}.")
        first = _taken_over(transcript, owner)
        envelopes = [first, *transcript.envelopes[1:]]
        events = [hosted.codec.encode(first), *transcript.stored[1:]]
        match_id = self._id(data, owner)
        match = fold(hosted.game, None, envelopes)
        _show(hosted, match)
        secret = Secret(match.seed or "", match.script)
        append = Append(
            match=match_id,
            expected=0,
            events=events,
            game=match.game,
            status="ended",
            command=(IMPORT, CommandRecord("", CREATED, 1, len(events))),
            ended_at=self._clock(),  # here; the file may tell any time
            secret=secret,
        )
        try:
            self._store.append(append)
        except VersionConflict:
            # The id is derived from the file: imported before, the match that is there is this one.
            if self._store.load(match_id, after=match.version) is None:
                raise Conflict(
                    "match.exists", "This transcript was imported before, and then removed."
                ) from None
        return Done(
            id=match_id,
            hosted=hosted,
            match=match,
            seat=None,
            first=1,
            envelopes=envelopes,
            people={},
        )

    def _id(self, data: bytes, owner: str) -> str:
        digest = hashlib.sha256(data).hexdigest()
        return ids.imported_id(self._settings.server_key.encode(), owner, digest)


def _show(hosted: Hosted, match: AnyMatch) -> None:
    """Refuses what later could not be shown or projected, before it is stored."""
    try:
        hosted.write_snapshot(match)
        match_doc(hosted, "", match, seat=None, people={}, refs=False)
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as broken:
        raise Malformed(
            "match.bad-transcript", "This is no valid transcript: its end can't be shown."
        ) from broken


def _taken_over(transcript: Transcript, owner: str) -> Envelope[Event]:
    first = transcript.envelopes[0]
    if not isinstance(first.event, Created):
        raise Malformed("match.bad-transcript", "A match must begin with match.created.")
    event = msgspec.structs.replace(first.event, owner=owner, imported=True)
    return msgspec.structs.replace(first, event=event)
