"""Series on Redis. `lua/series.lua` says what the keys hold; all lie in one slot of a cluster.

That is enough: there is one call for each slice of work of some seconds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count
from typing import Any, cast

from shared.redis_client import Client, Script, refusals, run_many, script
from shared.redis_keys import SERIES_ACTIVE, SERIES_DELETED, SERIES_LISTED, series_keys
from shared.redis_waiting import NOBODY, Replicas, Waiting
from shared.series_store import (
    Answer,
    Counts,
    Held,
    NewRecord,
    Record,
    Status,
    WholeSeries,
    total,
)

EVERYTHING = 1_000_000

LOOK = 500
"""So many series are looked at in one round trip."""


class RedisSeries:
    """`SeriesStore` over one client. Every method may raise `Unavailable`."""

    def __init__(self, client: Client, replicas: Replicas = NOBODY) -> None:
        self._client = client
        self._waiting = Waiting(client, replicas)
        self._create = self._script("create")
        self._look = self._script("look")
        self._status = self._script("status")
        self._delete = self._script("delete")
        self._room = self._script("room")
        self._take = self._script("take")
        self._renew = self._script("renew")
        self._release = self._script("release")
        self._save = self._script("save")
        self._finish = self._script("finish")
        self._sums = self._script("sums")
        self._whole = self._script("whole")
        self._put_back = self._script("put_back")
        self._put_back_deleted = self._script("put_back_deleted")

    def _script(self, name: str) -> Script:
        return script(self._client, f"series_{name}", after="series")

    @refusals()
    def create(self, new: NewRecord, *, limit: int) -> Record | None:
        asked = [limit, new.owner, new.body, new.spec, new.chunks, new.at_once, new.created_at]
        answer = self._create(keys=series_keys(new.id), args=[new.id, *asked])
        if answer == 0:
            return None
        record = _record(new.id, answer)
        self._waiting.confirm(series_keys(new.id).record, "born", b"%d" % record.born)
        return record

    @refusals()
    def get(self, series: str) -> Record | None:
        answer = self._look(keys=series_keys(series), args=[series])
        return None if answer is None else _record(series, answer)

    @refusals()
    def page(self, owner: str, *, after: tuple[int, str] | None, limit: int) -> list[Record]:
        # `!` is the character after the space.
        low, high = f"[{owner} ", f"({owner}!"
        if after is not None:
            low = f"({owner} {after[0]:016d} {after[1]}"
        found: list[Record] = []
        while len(found) < limit:
            wanted = limit - len(found)
            members = self._client.zrangebylex(SERIES_LISTED, low, high, 0, wanted)
            ids = [member.decode().split(" ")[2] for member in members]
            answers = run_many(self._client, self._look, [(series_keys(i), [i]) for i in ids])
            # Some may have been deleted since they were listed: others come in their place.
            looked_at = zip(ids, answers, strict=True)
            found += [_record(series, answer) for series, answer in looked_at if answer is not None]
            if len(members) < wanted:
                break
            low = f"({members[-1].decode()}"
        return found

    @refusals()
    def set_status(
        self, series: str, *, before: Collection[Status], after: Status
    ) -> Record | None:
        answer = self._status(keys=series_keys(series), args=[series, after, *before])
        if answer is None:
            return None
        record = _record(series, answer)
        self._waiting.confirm(series_keys(series).record, "status", record.status.encode())
        return record

    @refusals()
    def delete(self, series: str) -> bool:
        return bool(self._waiting.run(self._delete, keys=series_keys(series), args=[series]))

    @refusals()
    def deleted(self, *, before: int, limit: int) -> list[tuple[str, int]]:
        members = self._client.zrangebyscore(
            SERIES_DELETED, "-inf", f"({before}", start=0, num=limit
        )
        found = [member.decode().split(" ") for member in members]
        return [(series, int(born)) for series, born in found]

    @refusals()
    def forget(self, series: str, born: int) -> None:
        self._client.zrem(SERIES_DELETED, f"{series} {born}")

    @refusals()
    def over(self, *, before: int, limit: int) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        for start in count(0, LOOK):
            members = self._client.zrangebylex(SERIES_LISTED, "-", "+", start, LOOK)
            pipeline = self._client.pipeline(transaction=False)
            listed = [member.decode().split(" ") for member in members]
            for _, _, series in listed:
                pipeline.hget(series_keys(series).record, "ended")
            ended = pipeline.execute()
            found += [
                (series, owner)
                for (owner, _, series), at in zip(listed, ended, strict=True)
                if at and int(at) < before
            ]
            if len(members) < LOOK or len(found) >= limit:
                break
        return found[:limit]

    @refusals()
    def active(self) -> list[tuple[str, int]]:
        members = self._client.zrangebylex(SERIES_ACTIVE, "-", "+", 0, EVERYTHING)
        ids = [member.decode().split(" ")[1] for member in members]
        rooms = run_many(self._client, self._room, [(series_keys(i), [i]) for i in ids])
        return list(zip(ids, rooms, strict=True))

    @refusals()
    def take(self, series: str, *, lease_ms: int) -> Held | None:
        answer = self._take(keys=series_keys(series), args=[series, lease_ms])
        if answer is None:
            return None
        born, chunk, token, tries, part = answer
        return Held(series=series, born=int(born), chunk=chunk, token=token, tries=tries, part=part)

    @refusals()
    def renew(self, held: Held, *, lease_ms: int) -> bool:
        return bool(self._renew(keys=series_keys(held.series), args=[*_lease(held), lease_ms]))

    @refusals()
    def release(self, held: Held, *, rest_ms: int = 0) -> None:
        self._release(keys=series_keys(held.series), args=[*_lease(held), rest_ms])

    @refusals()
    def save(
        self, held: Held, part: bytes, sums: bytes, counts: Counts, *, lease_ms: int = 0
    ) -> Answer:
        args = [*_lease(held), sums, _written(counts), part, lease_ms]
        return _answer(self._save(keys=series_keys(held.series), args=args))

    @refusals()
    def finish(self, held: Held, sums: bytes, counts: Counts) -> Answer:
        args = [*_lease(held), sums, _written(counts)]
        return _answer(self._finish(keys=series_keys(held.series), args=args))

    @refusals()
    def sums(self, series: str) -> list[tuple[int, bool, bytes]]:
        flat = self._sums(keys=series_keys(series), args=[series])
        rows = zip(flat[::3], flat[1::3], flat[2::3], strict=True)
        return sorted((chunk, bool(finished), sums) for chunk, finished, sums in rows)

    @refusals()
    def part(self, series: str, chunk: int) -> bytes | None:
        return self._client.hget(series_keys(series).parts, str(chunk))

    @refusals()
    def ids(self) -> list[str]:
        members = self._client.zrangebylex(SERIES_LISTED, "-", "+", 0, EVERYTHING)
        return [member.decode().split(" ")[2] for member in members]

    @refusals()
    def whole(self, series: str) -> WholeSeries | None:
        answer = self._whole(keys=series_keys(series), args=[series])
        return None if answer is None else _read_whole(series, *answer)

    @refusals()
    def put_back(self, whole: WholeSeries) -> bool:
        keys, args = series_keys(whole.id), _written_whole(whole)
        return bool(self._waiting.run(self._put_back, keys=keys, args=args))

    @refusals()
    def put_back_deleted(self, series: str, born: int) -> None:
        self._put_back_deleted(keys=series_keys(series), args=[series, born])


def _lease(held: Held) -> list[Any]:
    return [held.series, held.chunk, held.token]


def _written(counts: Counts) -> str:
    return f"{counts.done} {counts.failed} {counts.moves}"


def _answer(answer: bytes) -> Answer:
    return cast("Answer", answer.decode())


def _record(series: str, answer: list[Any]) -> Record:
    owner, body, spec, status, created, started, ended, born, ran, held, counts = answer
    return Record(
        id=series,
        owner=owner.decode(),
        body=body.decode(),
        spec=spec,
        status=status.decode(),
        created_at=int(created),
        started_at=int(started) if started else None,
        ended_at=int(ended) if ended else None,
        ran_ms=int(ran),
        counts=total(Counts(*map(int, each.split())) for each in counts),
        held=held,
        born=int(born),
    )


def _read_whole(
    series: str,
    record: Sequence[bytes],
    ran: bytes,
    still_open: Sequence[bytes],
    *by_chunk: Sequence[bytes],
) -> WholeSeries:
    kept = {name.decode(): value for name, value in _pairs(record)}
    tries, parts, sums, counts = ({int(n): value for n, value in _pairs(f)} for f in by_chunk)
    return WholeSeries(
        id=series,
        owner=kept["owner"].decode(),
        body=kept["body"].decode(),
        spec=kept["spec"],
        chunks=int(kept["chunks"]),
        at_once=int(kept["at_once"]),
        status=cast("Status", kept["status"].decode()),
        born=int(kept["born"]),
        created_at=int(kept["created"]),
        started_at=int(kept["started"]) if kept["started"] else None,
        ended_at=int(kept["ended"]) if kept["ended"] else None,
        ran_ms=int(ran),
        open=tuple(sorted(map(int, still_open))),
        tries={n: int(tried) for n, tried in tries.items() if int(tried)},
        parts=parts,
        sums=sums,
        counts={n: Counts(*map(int, counted.split())) for n, counted in counts.items()},
    )


def _written_whole(whole: WholeSeries) -> list[Any]:
    by_chunk: list[Mapping[int, Any]] = [
        whole.tries,
        whole.parts,
        whole.sums,
        {n: _written(counts) for n, counts in whole.counts.items()},
    ]
    return [
        *(whole.id, whole.owner, whole.body, whole.spec, whole.chunks, whole.at_once),
        *(whole.created_at, whole.status, whole.born),
        "" if whole.started_at is None else whole.started_at,
        "" if whole.ended_at is None else whole.ended_at,
        *(whole.ran_ms, len(whole.open), *map(len, by_chunk), *whole.open),
        *(part for each in by_chunk for pair in each.items() for part in pair),
    ]


def _pairs(flat: Sequence[bytes]) -> Iterable[tuple[bytes, bytes]]:
    return zip(flat[::2], flat[1::2], strict=True)
