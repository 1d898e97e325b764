"""The name of every key. Nobody but the Redis adapters knows them.

What one script touches shares a hash tag, so that it lies in one slot of a cluster: a match's
keys and those of its partition under `{p<partition>}`, a cross-match projection's under
`{<projection>:<game>}`. `lua/append.lua` and `lua/upsert.lua` say what the keys hold.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from shared.ids import partition

GENERATIONS = "{lists}:generations"
"""Hash: `current` and, during a rebuild, `building`."""

KNOWN_LISTS = "{lists}:known"
"""Set: `<projection>:<game>` of all that was ever written; so a rebuild finds what to delete."""


def rebuild_key(generation: int) -> str:
    """Hash: partition -> `<matches> <failed>` of a rebuild."""
    return f"{{lists}}:rebuild:{generation}"


FILES = "{files}:anew"
"""Hash: how often something was erased, and how far the servers' files were written anew since."""


API_KEYS = "{api}:keys"
"""Hash: id of an API key -> its record, JSON with the hash of the key."""


class MatchKeys(NamedTuple):
    """A match's own keys."""

    events: str
    meta: str
    commands: str
    seed: str
    people: str
    thoughts: str
    state: str


def match_keys(match: str) -> MatchKeys:
    """The keys of a match."""
    base = f"{{p{partition(match)}}}:m:{match}:"
    return MatchKeys(
        events=base + "ev",
        meta=base + "meta",
        commands=base + "cmd",
        seed=base + "seed",
        people=base + "people",
        thoughts=base + "thoughts",
        state=base + "state",
    )


def hint_key(match: str, seat: int) -> str:
    """The key of a seat's hint."""
    return f"{{p{partition(match)}}}:m:{match}:hint:{seat}"


class PartitionKeys(NamedTuple):
    """What the matches of a partition share."""

    work: str
    due: str
    ids: str
    ended: str
    named: str
    archived: str
    erased: str


@cache
def partition_keys(number: int) -> PartitionKeys:
    """The keys of a partition."""
    return PartitionKeys(*(f"{{p{number}}}:{name}" for name in PartitionKeys._fields))


def keys_of(match: str) -> list[str]:
    """The keys of a match and of its partition, in the order that `lua/append.lua` tells."""
    own, shared = match_keys(match), partition_keys(partition(match))
    return [
        *(own.events, own.meta, own.commands, own.seed, own.people, own.thoughts),
        *(shared.work, shared.due, shared.ids, shared.ended, shared.named),
    ]


class ListKeys(NamedTuple):
    """One generation of a cross-match projection."""

    rows: str
    places: str
    order: str


def list_keys(name: str, game: str, generation: int) -> ListKeys:
    """The keys of one generation of a projection of a game."""
    base = f"{{{name}:{game}}}:{generation}:"
    return ListKeys(base + "rows", base + "places", base + "order")


SERIES_ACTIVE = "{series}:active"
SERIES_LISTED = "{series}:listed"
SERIES_DELETED = "{series}:deleted"


class SeriesKeys(NamedTuple):
    """What every script about a series is given; see `lua/series.lua`."""

    record: str
    open: str
    tokens: str
    tries: str
    parts: str
    sums: str
    counts: str
    active: str
    live: str
    listed: str
    deleted: str


def series_keys(series: str) -> SeriesKeys:
    """The keys of a series, and those that all series share."""
    base = f"{{series}}:{series}:"
    return SeriesKeys(
        base + "record",
        base + "open",
        base + "tokens",
        base + "tries",
        base + "parts",
        base + "sums",
        base + "counts",
        SERIES_ACTIVE,
        "{series}:live",
        SERIES_LISTED,
        SERIES_DELETED,
    )
