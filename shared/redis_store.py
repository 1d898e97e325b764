"""The event store on Redis streams. `lua/append.lua` says what the keys hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from shared.errors import Corrupt
from shared.ids import partition
from shared.redis_client import Client, refusals, script
from shared.redis_keys import match_keys, partition_keys
from shared.store import (
    Append,
    Appended,
    CommandRecord,
    Head,
    Loaded,
    Person,
    Repeated,
    Secret,
    Snapshot,
    TokenRevoked,
    VersionConflict,
)

PAGE = 500
"""Events that one answer of the server holds at most, so that nobody waits long for it."""

_EPOCH = b"epoch:"

_json = msgspec.json.Encoder().encode
_record = msgspec.json.Decoder(CommandRecord).decode
_secret = msgspec.json.Decoder(Secret).decode
_person = msgspec.json.Decoder(Person).decode


class RedisEvents:
    """`EventStore` over one client. Every method may raise `Unavailable`."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._append = script(client, "append", after="marks")
        self._save = script(client, "save")

    @refusals()
    def append(self, command: Append) -> Appended | Repeated:
        match = command.match
        keys, shared = match_keys(match), partition_keys(partition(match))
        name, record = command.command or ("", None)
        answer, value, *seated = self._append(
            keys=[
                *(keys.events, keys.meta, keys.commands, keys.seed, keys.people),
                *(shared.work, shared.due, shared.ids),
            ],
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
                len(command.epochs),
                len(command.people),
                *(number for pair in command.epochs.items() for number in pair),
                *(part for seat, person in command.people.items() for part in _sits(seat, person)),
                *command.events,
            ],
        )
        if answer == b"revoked":
            raise TokenRevoked
        if answer == b"conflict":
            raise VersionConflict(int(value))
        if answer == b"repeated":
            return Repeated(_record(value))
        return Appended(int(value), _seated(seated[::2], seated[1::2]))

    @refusals()
    def load(
        self, match: str, *, after: int = 0, command: str | None = None, snapshot: bool = True
    ) -> Loaded | None:
        start = self._snapshot(match) if snapshot and after == 0 else None
        if start is not None:
            after = start.version
        keys = match_keys(match)
        # One round trip, but not one moment. Appends may fall between the three, so the order
        # matters: the record first, that its events are there; the tail last, cut to the head.
        look = self._client.pipeline(transaction=False)
        look.hget(keys.commands, command or "")
        look.hgetall(keys.meta)
        look.xrange(keys.events, f"0-{after + 1}", count=PAGE)
        record, meta, entries = look.execute()
        head = _head(meta)
        if head is None:
            return None
        missing = max(0, head.version - after)
        tail = _bodies(match, after, entries)[:missing]
        if len(tail) == PAGE:
            tail += self.events(match, after=after + PAGE, limit=missing - PAGE)
        if len(tail) < missing:
            raise Corrupt(f"the stream of {match} ends before version {head.version}")
        return Loaded(head, start, tail, None if record is None else _record(record))

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
    def secret(self, match: str) -> Secret:
        stored = self._client.get(match_keys(match).seed)
        if stored is None:
            raise KeyError(match)
        return _secret(stored)

    @refusals()
    def people(self, match: str) -> dict[int, Person]:
        stored = self._client.hgetall(match_keys(match).people)
        return _seated(stored.keys(), stored.values())

    @refusals()
    def raise_epoch(self, match: str, seat: int) -> int:
        meta = match_keys(match).meta
        if not self._client.hexists(meta, "head"):
            raise KeyError(match)
        return int(self._client.hincrby(meta, f"epoch:{seat}", 1))

    @refusals()
    def save_snapshot(self, match: str, snapshot: Snapshot) -> bool:
        state = match_keys(match).state
        args = [snapshot.generation, snapshot.version, snapshot.data]
        return bool(self._save(keys=[state], args=args))

    @refusals()
    def matches(self, partition: int) -> list[str]:
        ids = self._client.smembers(partition_keys(partition).ids)
        return sorted(match.decode() for match in ids)

    def _snapshot(self, match: str) -> Snapshot | None:
        fields = ["version", "generation", "data"]
        version, generation, data = self._client.hmget(match_keys(match).state, fields)
        return None if data is None else Snapshot(int(version), int(generation), data)


def _head(meta: Mapping[bytes, bytes]) -> Head | None:
    if b"head" not in meta:
        return None
    epochs = {int(k[len(_EPOCH) :]): int(v) for k, v in meta.items() if k.startswith(_EPOCH)}
    return Head(int(meta[b"head"]), meta[b"game"].decode(), meta[b"status"].decode(), epochs)


def _bodies(match: str, after: int, entries: Any) -> list[bytes]:
    """The events of stream entries that follow a version.

    The server's ids only rise, so if the last one is where it must be, none is missing before it.
    """
    if entries and int(entries[-1][0].partition(b"-")[2]) != after + len(entries):
        raise Corrupt(f"the stream of {match} has a gap after version {after}")
    return [fields[b"e"] for _, fields in entries]


def _seated(seats: Iterable[bytes], people: Iterable[bytes]) -> dict[int, Person]:
    return {int(seat): _person(person) for seat, person in zip(seats, people, strict=True)}


def _sits(seat: int, person: Person) -> tuple[int, bytes]:
    return seat, b"" if person == Person() else _json(person)
