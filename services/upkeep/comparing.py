"""One match's log, folded by this build, beside what is stored and shown of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import msgspec

from services import hosted as hosting
from services.hosted import Hall, Hosted
from services.matches.state import AnyMatch, fold
from services.matches.verify import commands, end_faults
from services.projections.generation import Generation
from services.projections.projector import LOBBY, RESULTS, RowDoc, counts, entry
from services.upkeep.differing import where
from shared.errors import Corrupt, NotFound, Unavailable, places
from shared.list_store import Entry
from shared.store import Loaded, Seated, Snapshot


@dataclass(frozen=True, slots=True)
class Look:
    """All that is stored of a match; the log was looked at after the projection."""

    match: str
    snapshot: Snapshot | None
    log: Loaded | Corrupt
    seated: Seated
    lobby: Entry | None
    results: Entry | None

    @property
    def game(self) -> str | None:
        return None if isinstance(self.log, Corrupt) else self.log.head.game

    @property
    def version(self) -> int | None:
        return None if isinstance(self.log, Corrupt) else self.log.head.version

    @property
    def archived(self) -> bool:
        return isinstance(self.log, Loaded) and self.log.head.place is not None


class Comparing:
    """Compares like with like: each part at the version that it has."""

    def __init__(self, hall: Hall, generation: Generation, server_key: bytes) -> None:
        self._hall = hall
        self._generation = generation
        self._key = server_key

    def differences(self, look: Look) -> tuple[list[str], int]:
        """What differs, and how many parts could not be compared."""
        if isinstance(look.log, Corrupt):
            return [f"log: {_trouble(look.log)}"], 0
        try:
            hosted = self._hall[look.log.head.game]
            log = _Log(hosted, look.log)
        except Unavailable:
            raise
        except NotFound:
            return ["log: this build does not host the game"], 0
        except Exception as broken:  # whatever a fold stumbles over: that is what is asked here
            return [f"log: {_trouble(broken)}"], 0
        what, passed_over = _told("outcome", lambda: _ending(hosted, log)), 0
        if look.snapshot is not None:
            if self._is_foreign(hosted, look.snapshot):
                passed_over += 1
            else:
                what += _told("state", partial(_state, hosted, log, look.snapshot))
        for name, row in ((LOBBY, look.lobby), (RESULTS, look.results)):
            if row is not None and row.schema != hosting.SNAPSHOT_SCHEMA:
                passed_over += 1
            else:
                what += _told(name, partial(self._row, name, row, look, log))
        return what, passed_over

    def _is_foreign(self, hosted: Hosted, snapshot: Snapshot) -> bool:
        """Whether this build would not use it, whatever stands in it."""
        if snapshot.generation < self._generation.target():
            return True  # a rebuild has begun, or has passed it over
        return snapshot.schema != hosting.SNAPSHOT_SCHEMA or hosted.is_foreign(snapshot.data)

    def _row(self, name: str, row: Entry | None, look: Look, log: _Log) -> list[str]:
        wanted = name == LOBBY or counts(log.match)
        if row is None:
            shown = look.archived or (
                look.snapshot is not None and look.snapshot.version == log.match.version
            )
            return ["it is missing"] if wanted and shown else []
        if not wanted:
            return ["it should not be there"]
        if not log.has(row.version):
            return ["/version"]
        latest = (row.version, row.erasures) == (log.match.shown, look.seated.erasures)
        match = log.match if latest else log.at(row.version)
        expected = entry(look.match, match, look.seated, self._key)
        try:
            docs = [msgspec.json.decode(each.data, type=RowDoc) for each in (row, expected)]
        except (msgspec.DecodeError, UnicodeDecodeError):
            return ["it can't be read"]
        if not latest:  # names may have come, gone or been erased since
            return where(*map(_nameless, docs))
        other_lists = (row.lists, row.created_at) != (expected.lists, expected.created_at)
        return [*where(*docs), *(["it stands in other lists"] if other_lists else [])]


class _Log:
    """A log as this build reads it. Raises whatever reading or folding it stumbles over."""

    def __init__(self, hosted: Hosted, loaded: Loaded) -> None:
        self._game = hosted.game
        self.envelopes = hosted.read(loaded.tail)
        if len(self.envelopes) != loaded.head.version:
            raise Corrupt("the log is not as long as its head says")
        *_, self.last = commands(self.envelopes)
        begun = len(self.envelopes) - len(self.last)
        self.before = self.at(begun) if begun else None
        self.match: AnyMatch = fold(self._game, self.before, self.last)

    def has(self, version: int) -> bool:
        return 1 <= version <= len(self.envelopes)

    def at(self, version: int) -> AnyMatch:
        """The match at a version, from the log alone."""
        if version == len(self.envelopes):
            return self.match
        return fold(self._game, None, self.envelopes[:version])


def _ending(hosted: Hosted, log: _Log) -> list[str]:
    """Whether a match that is over ended as this build says, and one that runs still runs."""
    if log.match.status != "running":
        return end_faults(hosted, log.before, log.last)
    if hosted.game.outcome(log.match.table) is not None:
        return ["it runs, and is over by this build"]
    if not hosted.game.active_seats(log.match.table):
        return ["it runs, and nobody can act by this build"]
    return []


def _state(hosted: Hosted, log: _Log, snapshot: Snapshot) -> list[str]:
    if not log.has(snapshot.version):
        return ["/version"]
    folded = hosted.write_snapshot(log.at(snapshot.version))
    if folded == snapshot.data:
        return []
    stored, again = hosted.read_snapshot(snapshot.data), hosted.read_snapshot(folded)
    return ["it can't be read"] if stored is None or again is None else where(stored, again)


def _told(part: str, ask: Callable[[], list[str]]) -> list[str]:
    """What is found of a part; a build whose code stumbles there differs, too."""
    try:
        return [f"{part}: {found}" for found in ask()]
    except Unavailable:
        raise
    except Exception as broken:
        return [f"{part}: {_trouble(broken)}"]


def _nameless(doc: RowDoc) -> RowDoc:
    seats = tuple(msgspec.structs.replace(seat, name=None) for seat in doc.seats)
    return msgspec.structs.replace(doc, seats=seats)


def _trouble(broken: Exception) -> str:
    """What went wrong and where; the text of an exception may hold what is hidden."""
    cause = broken.__cause__ if isinstance(broken.__cause__, Exception) else broken
    name = type(broken).__name__
    return f"{name} at {at[-1].rpartition('/')[2]}" if (at := places(cause)) else name
