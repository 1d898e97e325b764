"""Putting a backup back: into an empty store, a running one, or one of another topology.

Nothing that is there is changed, so it can be done again after it was stopped anywhere. What is
there and can't be the same match (or series, or key) grown further is told of.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from services.upkeep import Tell
from services.upkeep.backup import Truth
from services.upkeep.form import Content, DeletedLine, KeyLine, MatchLine, Reader, SeriesLine
from shared.errors import Corrupt
from shared.keystore import StoredKey
from shared.series_store import WholeSeries
from shared.whole_store import REMOVED, Whole

Fate = Literal["restored", "there", "differs"]


@dataclass(slots=True)
class Restored:
    """What became of it: how many of which type, and the ids of what differs."""

    restored: Counter[str] = field(default_factory=Counter)
    there: Counter[str] = field(default_factory=Counter)
    differing: list[tuple[str, str]] = field(default_factory=list)


def restore(truth: Truth, reader: Reader, total: int, tell: Tell) -> Restored:
    """Puts back all lines of a backup, which was read through before.

    Raises:
        Damaged: it is not what it was then.
        Unavailable: the store is away or full; so far it is restored, and can be done again.
    """
    found = Restored()
    for done, line in enumerate(reader.lines(), 1):
        kind, name, fate = _put_back(truth, line)
        if fate == "differs":
            found.differing.append((kind, name))
        else:
            (found.restored if fate == "restored" else found.there)[kind] += 1
        tell(done, total)
    return found


def _put_back(truth: Truth, line: Content) -> tuple[str, str, Fate]:
    match line:
        case MatchLine(match=match):
            return "match", match.match, _match(truth, line.whole)
        case SeriesLine(series=series):
            return "series", series.id, _series(truth, series)
        case DeletedLine(series=name, born=born):
            truth.series.put_back_deleted(name, born)
            return "deleted", name, "restored"
        case KeyLine(key=key):
            return "key", key.id, _key(truth, key)


def _match(truth: Truth, whole: Whole) -> Fate:
    while True:
        try:
            there = truth.wholes.whole(whole.match)
        except Corrupt:
            return "differs"
        if there is not None:
            return "there" if _is_grown(there, whole) else "differs"
        if truth.wholes.put_back(whole):
            return "restored"
        # Somebody else put it there in between: it is looked at.


def _is_grown(there: Whole, whole: Whole) -> bool:
    """Whether what is there is the match of the backup, or became of it."""
    if there.status == REMOVED:
        return True
    if there.head < whole.head or there.game != whole.game:
        return False
    # Of what lies in the archive nothing can be compared here.
    shared = min(len(there.events), len(whole.events))
    return tuple(there.events[:shared]) == tuple(whole.events[:shared])


def _series(truth: Truth, whole: WholeSeries) -> Fate:
    if truth.series.put_back(whole):
        return "restored"
    there = truth.series.get(whole.id)
    return "there" if there is None or there.born == whole.born else "differs"


def _key(truth: Truth, key: StoredKey) -> Fate:
    if truth.keys.add(key):
        return "restored"
    there = truth.keys.get(key.id)
    if there is None or there.hash != key.hash:
        return "differs"
    if key.revoked:
        # A server that starts on an empty store makes its first key anew: a revoked one, too.
        truth.keys.revoke(key.id)
    return "there"
