"""Bytes of matches, by playing them through the API as the load generator does."""

from __future__ import annotations

import statistics

import redis

from shared.redis_keys import list_keys
from shared.store import PARTITIONS
from tests.bench.capacity.constants import Matches
from tests.bench.load.cases import CASES, Case
from tests.bench.load.client import Loop, Site
from tests.bench.load.sizes import bar, set_up
from tests.bench.load.traffic import Book, Players, Table
from tests.bench.load.watching import folded, store, weigh
from tests.bench.system import API_KEY, system

COUNT = 100
"""Matches of each game."""
CONNECTIONS = 8
OPEN = 1_000_000
PARTITION = OPEN // PARTITIONS
"""Members of the sets that the matches of a partition share, where so many are open."""


def matches() -> list[Matches]:
    """Every game's, with the workers folding."""
    with system() as running, redis.Redis.from_url(running.events_url) as client:
        site = Site("127.0.0.1", running.port)
        for case in CASES:  # scripts and first keys belong to no match
            _game(site, client, case, 1, 0.0)
        shared = _shared(client)
        return [_game(site, client, case, COUNT, shared) for case in CASES]


def _game(site: Site, client: redis.Redis, case: Case, count: int, shared: float) -> Matches:
    book = Book()
    players = [Players(API_KEY, site.host, book, seed) for seed in range(min(CONNECTIONS, count))]
    folded(client)
    empty = store(client).memory
    # Ages spread evenly over a life, and evenly over the players.
    wanted = sorted(((case, n * case.moves // count) for n in range(count)), key=_mixed)
    tables = [table for rows in set_up(site, players, wanted) for table in rows]
    folded(client)
    grown = store(client).memory - empty
    opened = _mean_keys(client, [table.path for table in tables])
    opened["lobby"] = _list_bytes(client, case.game, "lobby")
    opened["partition"] = shared
    paths = [*(table.path for table in tables), *book.ended]
    own = statistics.fmean(weigh(client, _id(path)).bytes for path in paths)
    opened["tables of keys"] = max(0.0, grown / len(paths) - own - opened["lobby"])
    _finish(site, players, tables)
    folded(client)
    closed = _mean_keys(client, paths)
    closed["lobby"] = opened["lobby"]
    closed["results"] = _list_bytes(client, case.game, "results")
    closed["partition"] = shared / 2  # no deadline any more
    closed["tables of keys"] = opened["tables of keys"]
    events = [weigh(client, _id(path)).events for path in paths]
    return Matches(
        game=case.game,
        moves=book.moves / len(paths),
        events=statistics.fmean(events),
        open=opened,
        ended=closed,
    )


def _finish(site: Site, players: list[Players], tables: list[Table]) -> None:
    shares = [tables[n :: len(players)] for n in range(len(players))]
    with bar("to their ends", 1) as told:
        with Loop(site, [p.finish(rows) for p, rows in zip(players, shares, strict=True)]) as loop:
            loop.run()
        told(1)


def _mixed(wanted: tuple[Case, int]) -> int:
    """An order in which young and old ones alternate."""
    return wanted[1] * 7_919 % 1_009


def _id(path: str) -> str:
    return path.rpartition("/")[2]


def _mean_keys(client: redis.Redis, paths: list[str]) -> dict[str, float]:
    weights = [weigh(client, _id(path)).keys for path in paths]
    means = {name: statistics.fmean(w[name] for w in weights) for name in weights[0]}
    return {name: mean for name, mean in means.items() if mean}


def _list_bytes(client: redis.Redis, game: str, name: str) -> float:
    """Of a row, with its places in all lists that it stands in."""
    keys = list_keys(name, game, 1)
    size = sum(client.memory_usage(key, samples=0) or 0 for key in keys)
    return size / client.hlen(keys.rows)


def _shared(client: redis.Redis) -> float:
    """Bytes of a match in its partition's sets of ids and deadlines, at their size of then."""
    ids = [f"m_{n:026d}" for n in range(PARTITION)]
    client.sadd("scratch:ids", *ids)
    client.zadd("scratch:due", {match: 1_700_000_000_000 + n for n, match in enumerate(ids)})
    keys = ("scratch:ids", "scratch:due")
    size = sum(client.memory_usage(key, samples=0) or 0 for key in keys)
    client.delete(*keys)
    return size / PARTITION
