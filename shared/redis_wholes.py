"""Matches as a whole on Redis. `lua/append.lua` says what the keys hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from shared.errors import Corrupt
from shared.ids import partition
from shared.redis_client import Client, refusals, script
from shared.redis_keys import PartitionKeys, keys_of, match_keys, partition_keys
from shared.redis_waiting import NOBODY, Replicas, Waiting
from shared.store import PARTITIONS, CommandRecord, Person, Secret
from shared.whole_store import Shelf, Whole

_EPOCH = "epoch:"
_json = msgspec.json.Encoder().encode
_record = msgspec.json.Decoder(CommandRecord).decode
_secret = msgspec.json.Decoder(Secret).decode
_person = msgspec.json.Decoder(Person).decode


class RedisWholes:
    """`WholeStore` over one client. Every method may raise `Unavailable`.

    What an operator or a player is told of is at the replicas then (`replicas`).
    """

    def __init__(self, client: Client, replicas: Replicas = NOBODY) -> None:
        self._client = client
        self._waiting = Waiting(client, replicas)
        self._whole = script(client, "whole")
        self._put_back = script(client, "put_back", after="marks")
        self._archive = script(client, "archive")
        self._remove = script(client, "remove", after="marks")
        self._forget = script(client, "forget")
        self._erase = script(client, "erase", after="marks")
        self._settle = script(client, "settle")
        self._note_ended = script(client, "note_ended")
        self._now = script(client, "now", after="marks")

    @refusals()
    def whole(self, match: str) -> Whole | None:
        found = self._whole(keys=_shelved(match), args=[match])
        try:
            return _read(match, *found) if found[0] else None
        except (LookupError, ValueError) as broken:  # msgspec's errors are of these
            raise Corrupt(f"a part of {match} can't be read") from broken

    @refusals()
    def put_back(self, whole: Whole) -> bool:
        keys, args = _shelved(whole.match), _written(whole)
        return bool(self._waiting.run(self._put_back, keys=keys, args=args))

    @refusals()
    def archive(self, match: str, head: int, place: str) -> bool:
        keys = [*_shelved(match), match_keys(match).state]
        return bool(self._archive(keys=keys, args=[match, head, place]))

    @refusals()
    def remove(self, match: str) -> bool:
        keys = [*_shelved(match), match_keys(match).state, _shared(match).erased]
        return bool(self._waiting.run(self._remove, keys=keys, args=[match]))

    @refusals()
    def forget(self, match: str) -> None:
        shared = _shared(match)
        self._forget(keys=[match_keys(match).meta, shared.ended, shared.archived], args=[match])

    @refusals()
    def erase(self, match: str, people: Mapping[int, Person]) -> tuple[int, ...]:
        own, shared = match_keys(match), _shared(match)
        erased = self._waiting.run(
            self._erase,
            keys=[own.meta, own.people, shared.named, shared.erased],
            args=[match, *_flat({seat: _json(person) for seat, person in people.items()})],
        )
        if not erased and (before := self._client.hget(own.meta, "erasures")) is not None:
            self._waiting.confirm(own.meta, "erasures", before)  # perhaps by this call's first try
        return tuple(int(seat) for seat in erased)

    @refusals()
    def settle(self, match: str, *, before: int) -> None:
        self._settle(keys=[_shared(match).erased], args=[match, before])

    @refusals()
    def place(self, match: str) -> str | None:
        found = self._client.hget(match_keys(match).meta, "place")
        return None if found is None else found.decode()

    @refusals()
    def note_ended(self, match: str, at: int) -> None:
        own, shelves = match_keys(match), partition_keys(partition(match))
        keys = [own.meta, own.people, shelves.ended, shelves.named]
        self._note_ended(keys=keys, args=[match, at])

    @refusals()
    def count(self, shelf: Shelf, *, before: int | None = None) -> int:
        until = "+inf" if before is None else f"({before}"
        pipeline = self._client.pipeline(transaction=False)
        for number in range(PARTITIONS):
            pipeline.zcount(getattr(partition_keys(number), shelf.value), "-inf", until)
        return sum(pipeline.execute())

    @refusals()
    def now(self) -> int:
        return int(self._now(keys=[partition_keys(0).work], args=[])) // 1000

    @refusals()
    def aged(self, shelf: Shelf, *, before: int, limit: int) -> list[str]:
        pipeline = self._client.pipeline(transaction=False)
        for number in range(PARTITIONS):
            key = getattr(partition_keys(number), shelf.value)
            pipeline.zrangebyscore(key, "-inf", f"({before}", start=0, num=limit)
        return [match.decode() for found in pipeline.execute() for match in found]

    @refusals()
    def shelved(self, shelf: Shelf, partition: int) -> list[str]:
        key = getattr(partition_keys(partition), shelf.value)
        return [match.decode() for match in self._client.zrange(key, 0, -1)]


def _shared(match: str) -> PartitionKeys:
    return partition_keys(partition(match))


def _shelved(match: str) -> list[str]:
    return [*keys_of(match), _shared(match).archived]


def _read(
    match: str,
    meta: Sequence[bytes],
    events: Sequence[bytes],
    commands: Sequence[bytes],
    secret: bytes | None,
    people: Sequence[bytes],
    thoughts: Sequence[bytes],
    due: bytes | None,
    ended_at: bytes | None,
) -> Whole:
    kept = {name.decode(): value for name, value in _pairs(meta)}
    head, place = int(kept["head"]), kept.get("place")
    status = kept["status"].decode()
    if place is None and status != "removed" and len(events) != head:
        raise Corrupt(f"the stream of {match} does not have {head} events")
    return Whole(
        match=match,
        game=kept["game"].decode(),
        status=status,
        head=head,
        epochs={
            int(name[len(_EPOCH) :]): int(value)
            for name, value in kept.items()
            if name.startswith(_EPOCH)
        },
        events=tuple(events),
        commands={name.decode(): _record(value) for name, value in _pairs(commands)},
        secret=None if secret is None else _secret(secret),
        people={int(seat): _person(value) for seat, value in _pairs(people)},
        thoughts=tuple(thoughts),
        due=None if due is None else int(float(due)),
        ended_at=None if ended_at is None else int(float(ended_at)),
        erasures=int(kept.get("erasures", 0)),
        place=None if place is None else place.decode(),
    )


def _written(whole: Whole) -> list[Any]:
    commands = {name: _json(record) for name, record in whole.commands.items()}
    people = {seat: _json(person) for seat, person in whole.people.items()}
    return [
        *(whole.match, whole.head, whole.game, whole.status, whole.place or ""),
        "" if whole.secret is None else _json(whole.secret),
        "" if whole.due is None else whole.due,
        "" if whole.ended_at is None else whole.ended_at,
        whole.erasures,
        *(len(whole.epochs), len(people), len(commands), len(whole.thoughts)),
        *(_flat(whole.epochs)),
        *(_flat(people)),
        *(_flat(commands)),
        *whole.thoughts,
        *whole.events,
    ]


def _pairs(flat: Sequence[bytes]) -> Iterable[tuple[bytes, bytes]]:
    return zip(flat[::2], flat[1::2], strict=True)


def _flat(pairs: Mapping[Any, Any]) -> Iterable[Any]:
    return (part for pair in pairs.items() for part in pair)
