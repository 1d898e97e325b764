"""The event store on Redis streams. `lua/append.lua` says what the keys hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from time import perf_counter
from typing import Any

import msgspec
from redis.exceptions import ResponseError

from shared.errors import Corrupt
from shared.observing import FAILED, NOBODY, OUTCOMES, Observer
from shared.redis_client import Client, refusals, run_many, script
from shared.redis_keys import keys_of, match_keys, partition_keys
from shared.redis_waiting import NOBODY as NO_REPLICA
from shared.redis_waiting import Replicas, Waiting
from shared.store import (
    Append,
    Appended,
    CommandRecord,
    Head,
    Loaded,
    Look,
    Person,
    Repeated,
    Seated,
    Secret,
    Snapshot,
    TokenRevoked,
    VersionConflict,
    Written,
)
from shared.whole_store import REMOVED

PAGE = 500
"""Events that one answer of the server holds at most, so that nobody waits long for it."""

_EPOCH = b"epoch:"

_json = msgspec.json.Encoder().encode
_record = msgspec.json.Decoder(CommandRecord).decode
_secret = msgspec.json.Decoder(Secret).decode
_person = msgspec.json.Decoder(Person).decode


class RedisEvents:
    """`EventStore` over one client. Every method may raise `Unavailable`."""

    def __init__(
        self, client: Client, observer: Observer = NOBODY, replicas: Replicas = NO_REPLICA
    ) -> None:
        self._client = client
        self._observer = observer
        self._waiting = Waiting(client, replicas)
        self._append = script(client, "append", after="marks")
        self._save = script(client, "save")
        self._raise_epoch = script(client, "raise_epoch")

    def append(self, command: Append) -> Appended | Repeated:
        began = perf_counter()
        outcome = FAILED
        try:
            answer = self._append_once(command)
            outcome = OUTCOMES[type(answer)]
        except Exception as refused:
            outcome = OUTCOMES.get(type(refused), FAILED)
            raise
        finally:
            self._observer.appended(command, outcome, perf_counter() - began)
        return answer

    @refusals()
    def _append_once(self, command: Append) -> Appended | Repeated:
        match = command.match
        name, record = command.command or ("", None)
        answer, value, *seated = self._waiting.run(
            self._append,
            keys=keys_of(match),
            args=[
                match,
                command.expected,
                command.game,
                command.status,
                name,
                b"" if record is None else _json(record),
                command.wake_in_ms * 1000,
                "" if command.due is None else command.due,
                b"" if command.secret is None else _json(command.secret),
                *(command.holder or ("", "")),
                "" if command.ended_at is None else command.ended_at,
                command.last,
                len(command.epochs),
                len(command.people),
                len(command.thoughts),
                *(number for pair in command.epochs.items() for number in pair),
                *(part for seat, person in command.people.items() for part in _sits(seat, person)),
                *command.thoughts,
                *command.events,
            ],
        )
        if answer == b"revoked":
            raise TokenRevoked
        if answer == b"conflict":
            raise VersionConflict(int(value))
        if answer == b"repeated":
            self._waiting.confirm(match_keys(match).commands, name, value)
            return Repeated(_record(value))
        return Appended(int(value), _seated(seated[::2], seated[1::2]))

    def load(
        self, match: str, *, after: int = 0, command: str | None = None, snapshot: bool = True
    ) -> Loaded | None:
        (loaded,) = self.load_many([Look(match, after, command, snapshot)])
        if isinstance(loaded, Corrupt):
            raise loaded
        return loaded

    @refusals()
    def load_many(self, looks: Sequence[Look]) -> list[Loaded | Corrupt | None]:
        cold = [look.match for look in looks if look.snapshot and look.after == 0]
        starts = dict(zip(cold, self._snapshots(cold), strict=True))
        # One round trip, but not one moment. Appends may fall between the three, so the order
        # matters: the record first, that its events are there; the tail last, cut to the head.
        pipeline = self._client.pipeline(transaction=False)
        for look in looks:
            keys, start = match_keys(look.match), starts.get(look.match)
            after = look.after if start is None else start.version
            pipeline.hget(keys.commands, look.command or "")
            pipeline.hgetall(keys.meta)
            pipeline.xrange(keys.events, f"0-{max(after, 1)}", count=PAGE + bool(after))
        answers = pipeline.execute(raise_on_error=False) if looks else []
        for look, record in zip(looks, answers[::3], strict=True):
            if look.command and isinstance(record, bytes):
                self._waiting.confirm(match_keys(look.match).commands, look.command, record)
        parts = iter(answers)
        return [
            self._loaded(look, starts.get(look.match), next(parts), next(parts), next(parts))
            for look in looks
        ]

    def _loaded(
        self, look: Look, start: Snapshot | None, record: bytes | None, meta: Any, entries: Any
    ) -> Loaded | Corrupt | None:
        for answer in (record, meta, entries):
            if isinstance(answer, Exception):
                return _faulty(look.match, answer)
        try:
            head = _head(meta)
        except (LookupError, ValueError):
            return Corrupt(f"what is kept beside the stream of {look.match} can't be read")
        if head is None:
            return None
        if head.place is not None:
            return Loaded(head, None, (), None)
        after = look.after if start is None else start.version
        missing = max(0, head.version - after)
        before, entries = _parted(after, entries)
        try:
            tail = _bodies(look.match, after, entries)[:missing]
            if len(tail) == PAGE:
                tail += self.events(look.match, after=after + PAGE, limit=missing - PAGE)
        except Corrupt as broken:
            return broken
        if len(tail) < missing:
            return Corrupt(f"the stream of {look.match} ends before version {head.version}")
        done = None if record is None else _record(record)
        return Loaded(head, start, tail, done, before)

    @refusals()
    def events(self, match: str, *, after: int = 0, limit: int | None = None) -> list[bytes]:
        stream = match_keys(match).events
        events: list[bytes] = []
        while limit is None or len(events) < limit:
            size = PAGE if limit is None else min(PAGE, limit - len(events))
            seen = after + len(events)
            page = _bodies(match, seen, self._client.xrange(stream, f"0-{seen + 1}", count=size))
            events += page
            if len(page) < size:
                break
        return events

    @refusals()
    def thoughts(self, match: str, *, after: int, limit: int) -> list[bytes]:
        return self._client.lrange(match_keys(match).thoughts, after, after + limit - 1)

    @refusals()
    def secret(self, match: str) -> Secret:
        stored = self._client.get(match_keys(match).seed)
        if stored is None:
            raise KeyError(match)
        return _secret(stored)

    def people(self, match: str) -> dict[int, Person]:
        return dict(self.seated_many([match])[0].people)

    @refusals()
    def seated_many(self, matches: Sequence[str]) -> list[Seated]:
        pipeline = self._client.pipeline(transaction=False)
        for match in matches:
            # The count first: names that are erased in between are then known to be old.
            pipeline.hmget(match_keys(match).meta, ["erasures", "game", "status"])
            pipeline.hgetall(match_keys(match).people)
        found = pipeline.execute() if matches else []
        return [
            Seated(
                people=_seated(people.keys(), people.values()),
                erasures=int(erasures or 0),
                game=(game or b"").decode(),
                removed=status == REMOVED.encode(),
            )
            for (erasures, game, status), people in zip(found[::2], found[1::2], strict=True)
        ]

    @refusals()
    def raise_epoch(self, match: str, seat: int) -> int:
        meta, field = match_keys(match).meta, f"epoch:{seat}"
        epoch = self._waiting.run(self._raise_epoch, keys=[meta], args=[field])
        if epoch is None:
            raise KeyError(match)
        return int(epoch)

    def save_snapshot(self, match: str, snapshot: Snapshot) -> Written:
        return self.save_snapshots([(match, snapshot)])[0]

    @refusals()
    def save_snapshots(self, snapshots: Sequence[tuple[str, Snapshot]]) -> list[Written]:
        calls = [
            ((keys.state, keys.meta), (s.generation, s.schema, s.version, s.data))
            for keys, s in ((match_keys(match), s) for match, s in snapshots)
        ]
        return [Written(answer.decode()) for answer in run_many(self._client, self._save, calls)]

    @refusals()
    def matches(self, partition: int) -> list[str]:
        ids = self._client.smembers(partition_keys(partition).ids)
        return sorted(match.decode() for match in ids)

    def _snapshots(self, matches: Sequence[str]) -> list[Snapshot | None]:
        pipeline = self._client.pipeline(transaction=False)
        for match in matches:
            pipeline.hmget(match_keys(match).state, ["version", "generation", "data", "schema"])
        return [
            None if found[2] is None else _snapshot(*found)
            for found in (pipeline.execute() if matches else ())
        ]


def _faulty(match: str, answer: Exception) -> Corrupt:
    """A key of another type is one match's fault; a store that refuses is everybody's."""
    if isinstance(answer, ResponseError) and str(answer).startswith("WRONGTYPE"):
        return Corrupt(f"a key of {match} is of another type")
    raise answer


def _head(meta: Mapping[bytes, bytes]) -> Head | None:
    if b"head" not in meta or meta[b"status"] == REMOVED.encode():
        return None
    epochs = {int(k[len(_EPOCH) :]): int(v) for k, v in meta.items() if k.startswith(_EPOCH)}
    place = meta[b"place"].decode() if b"place" in meta else None
    return Head(int(meta[b"head"]), meta[b"game"].decode(), meta[b"status"].decode(), epochs, place)


def _bodies(match: str, after: int, entries: Any) -> list[bytes]:
    """The events of stream entries that follow a version.

    The server's ids only rise, so if the last one is where it must be, none is missing before it.
    """
    if entries and int(entries[-1][0].partition(b"-")[2]) != after + len(entries):
        raise Corrupt(f"the stream of {match} has a gap after version {after}")
    try:
        return [fields[b"e"] for _, fields in entries]
    except KeyError:
        raise Corrupt(f"the stream of {match} has an entry without an event") from None


def _parted(after: int, entries: Any) -> tuple[bytes, Any]:
    """The event at a version, where it is there, and the entries that follow it."""
    if after and entries and entries[0][0] == b"0-%d" % after:
        return entries[0][1].get(b"e", b""), entries[1:]
    return b"", entries


def _snapshot(version: bytes, generation: bytes, data: bytes, schema: bytes | None) -> Snapshot:
    return Snapshot(int(version), int(generation), data, int(schema or 0))


def _seated(seats: Iterable[bytes], people: Iterable[bytes]) -> dict[int, Person]:
    return {int(seat): _person(person) for seat, person in zip(seats, people, strict=True)}


def _sits(seat: int, person: Person) -> tuple[int, bytes]:
    return seat, b"" if person == Person() else _json(person)
