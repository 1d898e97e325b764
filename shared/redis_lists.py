"""Cross-match projections on Redis. `lua/upsert.lua` says what the keys hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec

from shared.errors import Conflict
from shared.list_store import Entry, RebuildProgress, check_list_name
from shared.redis_client import Call, Client, refusals, run_many, script
from shared.redis_keys import GENERATIONS, KNOWN_LISTS, list_keys, rebuild_key
from shared.store import Written

T = TypeVar("T")


class RedisLists:
    """`ListStore` over one client. Every method may raise `Unavailable`."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._upsert = script(client, "upsert")
        self._row = script(client, "row")
        self._unlist = script(client, "unlist")
        self._begin = script(client, "begin_rebuild")
        self._finish = script(client, "finish_rebuild")
        self._known: set[str] = set()

    def upsert(self, name: str, game: str, generation: int, entry: Entry) -> Written:
        return self.upsert_many([(name, game, generation, entry)])[0]

    @refusals()
    def upsert_many(self, rows: Sequence[tuple[str, str, int, Entry]]) -> list[Written]:
        calls: list[Call] = []
        for name, game, generation, entry in rows:
            self._know(f"{name}:{game}")
            members = [_member(listed, entry) for listed in sorted(entry.lists)]
            place = msgspec.json.encode((entry.version, members, entry.schema, entry.erasures))
            age = (entry.schema, entry.version, entry.erasures)
            args = [entry.match, *age, entry.data, place, *members]
            calls.append((list_keys(name, game, generation), args))
        return [Written(answer.decode()) for answer in run_many(self._client, self._upsert, calls)]

    @refusals()
    def remove(self, name: str, game: str, generation: int, match: str) -> None:
        self._unlist(keys=list_keys(name, game, generation), args=[match])

    @refusals()
    def entry(self, name: str, game: str, generation: int, match: str) -> Entry | None:
        keys = list_keys(name, game, generation)
        found = self._row(keys=[keys.rows, keys.places], args=[match])
        return None if found is None else _entry(match, *found)

    @refusals()
    def entries(self, rows: Sequence[tuple[str, str, str]]) -> list[Entry | None]:
        def look(generation: int) -> list[Any]:
            keys = [list_keys(name, game, generation) for name, game, _ in rows]
            calls: list[Call] = [
                ([own.rows, own.places], [match])
                for own, (_, _, match) in zip(keys, rows, strict=True)
            ]
            return run_many(self._client, self._row, calls)

        answers = zip(rows, self._in_current(look), strict=True)
        return [None if found is None else _entry(row[2], *found) for row, found in answers]

    @refusals()
    def page(
        self, name: str, game: str, listed: str, *, after: tuple[int, str] | None, limit: int
    ) -> list[tuple[int, str, bytes]]:
        low, high = _range(listed)
        if after is not None:
            low = f"({listed} {after[0]:016d} {after[1]}"

        def look(generation: int) -> list[tuple[int, str, bytes]]:
            keys = list_keys(name, game, generation)
            members = self._client.zrangebylex(keys.order, low, high, 0, limit)
            if not members:
                return []
            places = [member.decode().split(" ")[1:] for member in members]
            rows = self._client.hmget(keys.rows, [match for _, match in places])
            return [(int(at), match, row) for (at, match), row in zip(places, rows, strict=True)]

        return self._in_current(look)

    @refusals()
    def counts(self, lists: Sequence[tuple[str, str, str]]) -> list[int]:
        ranges = [(name, game, _range(listed)) for name, game, listed in lists]

        def look(generation: int) -> list[int]:
            pipeline = self._client.pipeline(transaction=False)
            for name, game, (low, high) in ranges:
                pipeline.zlexcount(list_keys(name, game, generation).order, low, high)
            return pipeline.execute()

        return self._in_current(look)

    @refusals()
    def generations(self) -> tuple[int, ...]:
        current, building = self._client.hmget(GENERATIONS, ["current", "building"])
        return (int(current or 1),) if building is None else (int(current or 1), int(building))

    @refusals()
    def begin_rebuild(self) -> int:
        return int(self._begin(keys=[GENERATIONS], args=[]))

    @refusals()
    def note_rebuild(self, generation: int, partition: int, done: int, failed: int) -> None:
        self._client.hset(rebuild_key(generation), str(partition), f"{done} {failed}")

    @refusals()
    def rebuild_progress(self, generation: int) -> RebuildProgress:
        noted = self._client.hgetall(rebuild_key(generation))
        counts = {int(p): value.split() for p, value in noted.items()}
        return {p: (int(done), int(failed)) for p, (done, failed) in counts.items()}

    @refusals()
    def finish_rebuild(self, generation: int) -> None:
        if not self._finish(keys=[GENERATIONS], args=[generation]):
            raise Conflict(
                "store.rebuild-superseded", f"Generation {generation} is not being built any more."
            )
        self.tidy()

    @refusals()
    def tidy(self) -> None:
        current = self.generations()[0]
        if current == 1:
            return
        for known in self._client.smembers(KNOWN_LISTS):
            name, _, game = known.decode().partition(":")
            # From the first one on: also what a rebuild that was given up left behind.
            older = [key for g in range(1, current) for key in list_keys(name, game, g)]
            self._client.unlink(*older)
        for past in range(1, current):
            self._client.unlink(rebuild_key(past))

    def _in_current(self, look: Callable[[int], T]) -> T:
        """Looks at the current generation; again if a rebuild may have deleted it meanwhile."""
        generation = self.generations()[0]
        while True:
            seen = look(generation)
            latest = self.generations()[0]
            if latest == generation:
                return seen
            generation = latest

    def _know(self, pair: str) -> None:
        if pair not in self._known:
            self._client.sadd(KNOWN_LISTS, pair)
            self._known.add(pair)


def _entry(match: str, data: bytes, place: bytes) -> Entry:
    version, members, *age = msgspec.json.decode(place, type=list[Any])
    schema, erasures = (*age, 0, 0)[:2]  # rows of early builds have neither
    places = [member.split(" ") for member in members]
    return Entry(
        match=match,
        version=version,
        created_at=int(places[0][1]) if places else 0,
        data=data,
        lists=frozenset(listed for listed, _, _ in places),
        schema=schema,
        erasures=erasures,
    )


def _member(listed: str, entry: Entry) -> str:
    check_list_name(listed)
    return f"{listed} {entry.created_at:016d} {entry.match}"


def _range(listed: str) -> tuple[str, str]:
    """All members of a list: `!` is the character after the space."""
    check_list_name(listed)
    return f"[{listed} ", f"({listed}!"
