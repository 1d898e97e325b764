"""The work queue on Redis: marks and deadlines beside the streams. See `lua/marks.lua`."""

from __future__ import annotations

from collections.abc import Sequence

from shared.ids import partition
from shared.redis_client import Call, Client, Script, refusals, run_many, script
from shared.redis_keys import match_keys, partition_keys
from shared.store import PARTITIONS
from shared.work_queue import Lease


class RedisWork:
    """`WorkQueue` over one client. Every method may raise `Unavailable`."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._offer = script(client, "offer", after="marks")
        self._mark = script(client, "mark", after="marks")
        self._take = script(client, "take", after="marks")
        self._renew = script(client, "renew", after="marks")
        self._release = script(client, "release", after="marks")
        self._busy = script(client, "busy", after="marks")
        self._overdue = script(client, "overdue")

    @refusals()
    def busy(self, now: int) -> list[int]:
        return [number for number, (age, overdue) in self._looks(now) if age >= 0 or overdue]

    @refusals()
    def offer(self, partitions: Sequence[int], *, limit: int, lease_ms: int) -> list[list[str]]:
        args = (limit, lease_ms * 1000)
        return self._named(self._offer, [((partition_keys(p).work,), args) for p in partitions])

    @refusals()
    def mark(self, match: str, *, in_ms: int = 0) -> None:
        self._mark(keys=[_work(match)], args=[match, in_ms * 1000])

    @refusals()
    def marked(self) -> list[str]:
        pipeline = self._client.pipeline(transaction=False)
        for number in range(PARTITIONS):
            pipeline.zrange(partition_keys(number).work, 0, -1)
        return [match.decode() for found in pipeline.execute() for match in found]

    def take(self, match: str, *, lease_ms: int) -> Lease | None:
        return next(iter(self.take_many([match], lease_ms=lease_ms)), None)

    @refusals()
    def take_many(self, matches: Sequence[str], *, lease_ms: int) -> list[Lease]:
        calls = [((_work(m), match_keys(m).meta), (m, lease_ms * 1000)) for m in matches]
        taken = run_many(self._client, self._take, calls)
        return [
            Lease(match, token=int(answer[0]), tries=answer[1])
            for match, answer in zip(matches, taken, strict=True)
            if answer is not None
        ]

    @refusals()
    def renew(self, lease: Lease, *, lease_ms: int) -> Lease | None:
        args = [lease.match, lease.token, lease_ms * 1000]
        token = self._renew(keys=[_work(lease.match)], args=args)
        return None if token is None else Lease(lease.match, int(token), lease.tries)

    @refusals()
    def release(self, lease: Lease, *, done_at: int | None, in_ms: int = 0) -> bool:
        keys, args = _given_back(lease, done_at, in_ms)
        return bool(self._release(keys=keys, args=args))

    @refusals()
    def release_many(self, done: Sequence[tuple[Lease, int | None]]) -> None:
        calls = [_given_back(lease, done_at, 0) for lease, done_at in done]
        run_many(self._client, self._release, calls)

    @refusals()
    def overdue(
        self, partitions: Sequence[int], now: int, *, limit: int, lease_ms: int
    ) -> list[list[str]]:
        args = (now, limit, lease_ms)
        return self._named(self._overdue, [((partition_keys(p).due,), args) for p in partitions])

    @refusals()
    def remind(self, match: str, at: int) -> None:
        due = partition_keys(partition(match)).due
        self._client.zadd(due, {match: at}, xx=True, lt=True)

    @refusals()
    def oldest(self) -> int:
        return max(0, *(age for _, (age, _) in self._looks(0))) // 1000

    def _named(self, script: Script, calls: Sequence[Call]) -> list[list[str]]:
        """The matches that a script names in each partition."""
        found = run_many(self._client, script, calls)
        return [[match.decode() for match in matches] for matches in found]

    def _looks(self, now: int) -> list[tuple[int, tuple[int, int]]]:
        """Each partition with what `lua/busy.lua` sees in it, in one round trip."""
        keys = [partition_keys(number) for number in range(PARTITIONS)]
        calls = [((of.work, of.due), (now,)) for of in keys]
        return list(enumerate(run_many(self._client, self._busy, calls)))


def _given_back(lease: Lease, done_at: int | None, in_ms: int) -> Call:
    keys = [_work(lease.match), match_keys(lease.match).meta]
    return keys, [lease.match, lease.token, "" if done_at is None else done_at, in_ms * 1000]


def _work(match: str) -> str:
    return partition_keys(partition(match)).work
