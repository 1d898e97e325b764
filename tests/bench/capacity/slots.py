"""How the partitions' hash slots fall on the primaries of a cluster."""

from __future__ import annotations

from collections import Counter

from redis.crc import REDIS_CLUSTER_HASH_SLOTS as SLOTS
from redis.crc import key_slot

from services.registry import GAMES
from shared.redis_keys import GENERATIONS, list_keys, partition_keys
from shared.store import PARTITIONS


def primary_of(key: str, primaries: int) -> int:
    """Which primary has a key."""
    return primary_of_slot(key_slot(key.encode()), primaries)


def primary_of_slot(slot: int, primaries: int) -> int:
    """Which primary has a slot, where they are cut as `--cluster create` cuts them.

    Each takes a row of slots; the borders are rounded.
    """
    return next(n for n in range(primaries) if slot <= round((n + 1) * SLOTS / primaries - 1))


def partitions_by_primary(primaries: int) -> list[int]:
    """How many partitions each primary has."""
    found = Counter(primary_of(partition_keys(n).work, primaries) for n in range(PARTITIONS))
    return [found[n] for n in range(primaries)]


def lists_by_primary(primaries: int) -> list[list[str]]:
    """Which lists of all matches of a game each primary has, and who has what all lists share."""
    found: list[list[str]] = [[] for _ in range(primaries)]
    for name in ("lobby", "results"):
        for game in GAMES:
            found[primary_of(list_keys(name, game, 1).rows, primaries)].append(f"{name}:{game}")
    found[primary_of(GENERATIONS, primaries)].append("lists")
    return found
