"""What must hold of every match after whatever was done to the processes around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec

from services.hosted import Hall
from services.matches.events import Created, TimedOut
from services.matches.state import AnyMatch, fold
from services.projections.projector import LOBBY, row_doc
from services.registry import GAMES
from shared.envelope import Envelope
from shared.game import Event
from shared.redis_client import connect
from shared.redis_keys import list_keys, match_keys
from shared.redis_lists import RedisLists
from shared.redis_store import RedisEvents
from tests.e2e.harness import Running, eventually
from tests.e2e.tables import Read, Sent, Table
from tests.toys import tictactoe

HALL = Hall([*GAMES.values(), tictactoe.GAME])
PROJECTED_S = 30.0


@dataclass
class Stored:
    """What the server keeps of a match; `versions` are the stream's own numbers."""

    head: int
    versions: list[int]
    log: list[Envelope[Event]]
    folded: AnyMatch
    projected: AnyMatch | None
    row: bytes | None
    row_due: bytes


def check(system: Running, tables: Sequence[Table]) -> None:
    """Fails with everything that is wrong with any of these matches, once they are projected."""
    assert tables
    stored = {table.id: _projected(system, table.id) for table in tables}
    wrong = [
        f"{table.id}: {fault}"
        for table in tables
        for fault in (*faults(stored[table.id]), *broken_promises(table, stored[table.id].log))
    ]
    assert not wrong, "\n".join(wrong)


def faults(stored: Stored) -> Iterator[str]:
    """What is wrong with a match as it is stored."""
    if stored.versions != list(range(1, stored.head + 1)):
        yield f"its head is {stored.head}, and its events are {stored.versions}"
    if stored.projected != stored.folded:
        yield "its projection is not what its log folds to"
    if stored.row != stored.row_due:
        yield f"its row in the lobby is {stored.row!r}, not {stored.row_due!r}"
    if stored.folded.status != "ended":
        yield f"it did not go on to its end: {stored.folded.status} at version {stored.head}"
    yield from clock_faults(stored.log)


def broken_promises(table: Table, log: Sequence[Envelope[Event]]) -> Iterator[str]:
    """What a match's clients were told and is not so."""
    yield from log_faults(table.sent, log)
    yield from read_faults(table.reads)


def log_faults(sent: Sequence[Sent], log: Sequence[Envelope[Event]]) -> Iterator[str]:
    """Commands that are in the log too often or not at all, and what nobody has sent."""
    found: dict[str, list[int]] = {}
    for version, envelope in enumerate(log, 1):
        if envelope.command not in (None, "-"):  # what no client asked for has no name
            found.setdefault(str(envelope.command), []).append(version)
    for command in sent:
        at = found.pop(command.id, [])
        match command.answer:
            case "acknowledged" if at != [command.first]:
                yield f"{command} was acknowledged at {command.first} and is in the log at {at}"
            case "refused" if at:
                yield f"{command} was refused and is in the log at {at}"
            case _ if len(at) > 1:
                yield f"{command} is in the log at {at}"
        if at and _moved(log[at[0] - 1]) != command.move:
            yield f"{command} is in the log as {_moved(log[at[0] - 1])}"
    for command_id, at in found.items():
        yield f"nobody has sent {command_id}, which is in the log at {at}"


def _moved(envelope: Envelope[Event]) -> Any:
    raw = envelope.move
    return msgspec.json.decode(raw) if isinstance(raw, msgspec.Raw) else None


def read_faults(reads: Sequence[Read]) -> Iterator[str]:
    """Reads that gave less than had been told."""
    for told, given in reads:
        if given < told:
            yield f"a read gave version {given} when {told} had been told"


def clock_faults(log: Sequence[Envelope[Event]]) -> Iterator[str]:
    """Times that run backwards, and time-outs of another version than the one they end."""
    first = log[0].event
    assert isinstance(first, Created)
    for version, (before, envelope) in enumerate(pairwise(log), 2):
        passed = envelope.at - before.at
        if passed < 0:
            yield f"event {version} is {-passed} ms older than the one before"
        begins = envelope.command is not None  # one command may time out several seats
        if isinstance(envelope.event, TimedOut) and begins and passed < (first.clock_ms or 0):
            yield f"event {version} is a time-out after {passed} ms"


def _projected(system: Running, match: str) -> Stored:
    """A match once its projections have come to its head."""
    client = connect(system.system.settings.events_url, timeout_ms=5_000)
    store, lists, found = RedisEvents(client), RedisLists(client), []

    def look() -> bool:
        found[:] = [_stored(store, lists, client, match)]
        return not any(fault for fault in faults(found[0]))

    with suppress(AssertionError):  # `check` tells what is wrong, with the faults of the others
        eventually(look, PROJECTED_S)
    client.close()
    return found[0]


def _stored(store: RedisEvents, lists: RedisLists, client: Any, match: str) -> Stored:
    keys = match_keys(match)
    entries = client.xrange(keys.events)
    head, game = client.hmget(keys.meta, ["head", "game"])
    hosted = HALL[game.decode()]
    log = hosted.read(fields[b"e"] for _, fields in entries)
    folded = fold(hosted.game, None, log)
    snapshot = client.hget(keys.state, "data")
    generation = lists.generations()[0]
    return Stored(
        head=int(head),
        versions=[int(entry.partition(b"-")[2]) for entry, _ in entries],
        log=log,
        folded=folded,
        projected=None if snapshot is None else hosted.read_snapshot(snapshot),
        row=client.hget(list_keys(LOBBY, folded.game, generation).rows, match),
        row_due=msgspec.json.encode(row_doc(match, folded, store.people(match))),
    )
