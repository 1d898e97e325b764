"""Load -> decide -> append: the life of every command, with its repeats and its races."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NoReturn

from services.hosted import Hosted
from services.matches import access, lifecycle
from services.matches.draft import Decide, Draft
from services.matches.loading import Found, Loader
from services.matches.state import AnyMatch
from shared import ids
from shared.clocks import DAY_MS
from shared.envelope import Envelope
from shared.errors import Conflict, Corrupt, NotFound, Unprocessable
from shared.game import Event, Move
from shared.settings import Settings
from shared.store import (
    Append,
    Appended,
    CommandRecord,
    EventStore,
    Person,
    Repeated,
    Secret,
    TokenRevoked,
    VersionConflict,
)

RETRIES = 5
"""So often a command that names no version is decided again at a newer head: six times in all."""

CREATED = 201


@dataclass(frozen=True, slots=True)
class Key:
    """An idempotency key: as given, as the command's id, and the hash of the body it came with."""

    given: str
    id: str
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """How a command is decided, and what it changes beside the log."""

    decide: Decide
    seat: int | None = None
    move: Move | None = None
    people: Mapping[int, Person] = field(default_factory=dict)
    """Who sits at the seats that change; an empty `Person` is nobody."""
    new_holder: int | None = None
    """A seat whose earlier tokens become void."""
    joins: bool = False
    """Whether the seat is only being taken: nobody holds it yet."""
    again: Callable[[AnyMatch, AnyMatch], bool] = field(default=lambda old, new: True)
    """Whether it may be decided again when somebody else appended first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A command that is stored: the match after it, and what it wrote from version `first` on."""

    id: str
    hosted: Hosted
    match: AnyMatch
    seat: int | None
    first: int
    envelopes: list[Envelope[Event]]
    people: Mapping[int, Person]
    replayed: bool = False


class Committer:
    """Carries decided commands into the store."""

    def __init__(
        self, store: EventStore, loader: Loader, settings: Settings, clock: Callable[[], int]
    ) -> None:
        self._store = store
        self._loader = loader
        self._settings = settings
        self._clock = clock

    def load(self, match_id: str, key: Key | None = None, *, expected: int | None = None) -> Found:
        """A match at its head, with the key's record if that command was carried out before.

        Where this process has just the expected version it does not look again: the append
        compares version, command and token itself.
        """
        kept = None if expected is None else self._loader.kept(match_id, expected)
        return kept or self._loader.load(match_id, command=key.id if key else None)

    def load_many(self, match_ids: Sequence[str]) -> list[Found | Corrupt | None]:
        """Many matches at once; `None` for an unknown one, the fault of one in its place."""
        return self._loader.load_many(match_ids)

    def draft(self, found: Found) -> Draft:
        """A draft that continues a match from where it is."""
        fetched: list[Secret] = []

        def secret() -> Secret:
            if not fetched:
                fetched.append(self._store.secret(found.id))
            return fetched[0]

        return Draft(found.hosted, found.match, secret, self._clock, self._settings.events_limit)

    def new_draft(self, hosted: Hosted, secret: Secret) -> Draft:
        """A draft of a match that does not exist yet."""
        limit = self._settings.events_limit
        return Draft(hosted, None, lambda: secret, self._clock, limit)

    def carry_out(
        self, found: Found, change: Change, *, key: Key | None, expected: int | None = None
    ) -> Done:
        """Decides and appends one command of a client.

        Raises:
            Refused: whatever `change.decide` refuses; nothing is changed.
            Conflict: `match.stale-version` when the expected version is not the head.
            Unprocessable: the key was used with another body.
        """
        asked, left = found.match, RETRIES
        while found.record is None:
            if expected is not None and expected != found.match.version:
                refuse_stale(found.match)
            draft = self.draft(found)
            command = key.id if key else None
            draft.add(change.decide, seat=change.seat, move=change.move, command=command)
            epochs = (
                {}
                if change.new_holder is None
                else {change.new_holder: ids.epoch_at(draft.expected + 1)}
            )
            append = self._append(
                found.id,
                draft,
                key,
                people=change.people,
                epochs=epochs,
                holder=self._holder(found, change),
                last=found.last,
            )
            try:
                result = self._store.append(append)
            except TokenRevoked:
                # Or this very command did it, such as a leave that is sent twice.
                found = self.load(found.id, key)
                if found.record is None:
                    raise access.bad_token() from None
                continue
            except VersionConflict:
                found, left = self.load(found.id, key), left - 1
                if found.record is None and (left < 0 or not change.again(asked, found.match)):
                    refuse_stale(found.match)
                continue
            if isinstance(result, Appended):
                kept = {**found.head.epochs, **epochs}
                return self._done(append, draft, kept, result.people, change.seat)
            found = replace(self.load(found.id), record=result.record)
        return self.replay(found, change.seat, found.record, key)

    @staticmethod
    def _holder(found: Found, change: Change) -> tuple[int, int] | None:
        """The seat that asks, as its token said; a seat that is being taken has none yet."""
        if change.seat is None or change.joins:
            return None
        return change.seat, found.head.epochs.get(change.seat, 0)

    def create(
        self,
        match_id: str,
        draft: Draft,
        key: Key | None,
        people: Mapping[int, Person],
        secret: Secret,
    ) -> Done:
        """Appends a new match's first events; a repeat of its key finds the match as it began."""
        append = self._append(match_id, draft, key, people=people, secret=secret)
        try:
            result = self._store.append(append)
        except VersionConflict:
            # The id is derived from the key, so only this key can have made it before.
            try:
                record = self.load(match_id, key).record
            except NotFound:
                record = None  # it was removed for good, and no id ever comes again
            if record is None:
                raise Conflict("match.exists", "There is or was such a match already.") from None
            result = Repeated(record)
        if isinstance(result, Repeated):
            return self.replay(self.load(match_id), None, result.record, key)
        return self._done(append, draft, {}, result.people)

    def store(self, found: Found, draft: Draft) -> Done:
        """Appends what no client asked for (bots, clock): the version alone guards it.

        Raises:
            VersionConflict: somebody appended first; nothing was written.
        """
        append = self._append(found.id, draft, None, last=found.last)
        self._store.append(append)
        return self._done(append, draft, found.head.epochs, {})

    def replay(
        self, found: Found, seat: int | None, record: CommandRecord, key: Key | None
    ) -> Done:
        """A command's answer, rebuilt from the log for whoever asks again."""
        if key is None or key.body != record.body:
            raise Unprocessable(
                "request.key-reused", "This Idempotency-Key was used with another body."
            )
        length = record.last - record.first + 1
        stored = self._store.events(found.id, after=record.first - 1, limit=length)
        return Done(
            id=found.id,
            hosted=found.hosted,
            match=self._loader.at_version(found, record.last),
            seat=seat,
            first=record.first,
            envelopes=found.hosted.read(stored),
            people=self._store.people(found.id),
            replayed=True,
        )

    def _append(
        self,
        match_id: str,
        draft: Draft,
        key: Key | None,
        *,
        people: Mapping[int, Person] | None = None,
        holder: tuple[int, int] | None = None,
        epochs: Mapping[int, int] | None = None,
        secret: Secret | None = None,
        last: bytes = b"",
    ) -> Append:
        match, settings = draft.match, self._settings
        record = None
        if key is not None:
            command = CommandRecord(key.body, CREATED, draft.expected + 1, match.version)
            record = (key.id, command)
        return Append(
            match=match_id,
            expected=draft.expected,
            events=[draft.hosted.codec.encode(envelope) for envelope in draft.envelopes],
            game=match.game,
            status=match.status,
            command=record,
            # Who appends also enqueues the bots' work; the mark is there should that be lost.
            wake_in_ms=1_000 if lifecycle.asked_bots(draft.hosted.game, match) else 0,
            due=lifecycle.due_at(
                draft.hosted.game,
                match,
                waiting_ms=settings.waiting_hours * 3_600_000,
                idle_ms=settings.idle_days * DAY_MS,
            ),
            ended_at=match.last_at if match.status == "ended" else None,
            secret=secret,
            people=people or {},
            epochs=epochs or {},
            holder=holder,
            thoughts=draft.thoughts,
            last=last,
        )

    def _done(
        self,
        append: Append,
        draft: Draft,
        epochs: Mapping[int, int],
        people: Mapping[int, Person],
        seat: int | None = None,
    ) -> Done:
        self._loader.keep(append.match, draft.match, epochs, append.events[-1])
        return Done(
            id=append.match,
            hosted=draft.hosted,
            match=draft.match,
            seat=seat,
            first=draft.expected + 1,
            envelopes=draft.envelopes,
            people=people,
        )


def refuse_stale(match: AnyMatch) -> NoReturn:
    """The caller looked at another version than the head."""
    if match.status == "ended":
        raise Conflict("match.over", "The match is over.", version=match.version)
    raise Conflict(
        "match.stale-version",
        f"The match is at version {match.version} by now.",
        version=match.version,
    )
