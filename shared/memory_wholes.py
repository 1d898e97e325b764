"""Matches as a whole in memory: what the port means, over a `MemoryStore`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from shared import ids
from shared.memory_store import KeptMatch, MemoryStore
from shared.store import Head, Person
from shared.whole_store import REMOVED, Shelf, Whole


class MemoryWholes:
    """`WholeStore`."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    def whole(self, match: str) -> Whole | None:
        with self._store.lock:
            kept = self._store.kept.get(match)
            if kept is None:
                return None
            return Whole(
                match=match,
                game=kept.head.game,
                status=kept.head.status,
                head=kept.head.version,
                epochs=dict(kept.head.epochs),
                events=tuple(kept.events),
                commands=dict(kept.commands),
                secret=kept.secret,
                people=dict(kept.people),
                thoughts=tuple(kept.thoughts),
                due=kept.due,
                ended_at=kept.ended_at,
                erasures=kept.erasures,
                place=kept.head.place,
            )

    def put_back(self, whole: Whole) -> bool:
        with self._store.lock:
            kept = self._store.kept.get(whole.match)
            if kept is not None and not _fits(whole, kept.head):
                return False
            if kept is None:
                head = Head(whole.head, whole.game, whole.status, dict(whole.epochs), whole.place)
                kept = KeptMatch(head, people=dict(whole.people), due=whole.due)
                kept.erasures = whole.erasures
                self._store.kept[whole.match] = kept
            elif kept.ended_first is None:
                kept.ended_first = kept.ended_at
            kept.head = replace(kept.head, place=whole.place)
            kept.events, kept.thoughts = list(whole.events), list(whole.thoughts)
            kept.commands, kept.secret = dict(whole.commands), whole.secret
            kept.ended_at = whole.ended_at
            if whole.status != REMOVED:
                self._store.mark(whole.match)
            return True

    def archive(self, match: str, head: int, place: str) -> bool:
        with self._store.lock:
            kept = self._at_rest(match)
            if kept is None or kept.head.version != head or kept.head.place is not None:
                return False
            self._drop(match, kept)
            kept.head = replace(kept.head, place=place)
            return True

    def remove(self, match: str) -> bool:
        with self._store.lock:
            if self._removed(match) is not None:
                return True
            kept = self._at_rest(match)
            if kept is None:
                return False
            self._drop(match, kept)
            kept.head = Head(kept.head.version, kept.head.game, REMOVED, {}, kept.head.place)
            kept.erased_at = self._store.clock()
            kept.people, kept.erasures = {}, 0
            return True

    def forget(self, match: str) -> None:
        with self._store.lock:
            if (kept := self._removed(match)) is not None:
                kept.head = replace(kept.head, place=None)
                kept.ended_at = None

    def erase(self, match: str, people: Mapping[int, Person]) -> tuple[int, ...]:
        with self._store.lock:
            kept = self._store.kept.get(match)
            if kept is None:
                return ()
            erased = tuple(s for s, person in people.items() if kept.people.get(s) == person)
            if erased:
                kept.people = {s: p for s, p in kept.people.items() if s not in erased}
                kept.erasures += 1
                kept.erased_at = self._store.clock()
            return erased

    def settle(self, match: str, *, before: int) -> None:
        with self._store.lock:
            kept = self._store.kept.get(match)
            if kept and kept.erased_at is not None and kept.erased_at < before:
                kept.erased_at = None

    def place(self, match: str) -> str | None:
        with self._store.lock:
            kept = self._store.kept.get(match)
            return None if kept is None else kept.head.place

    def note_ended(self, match: str, at: int) -> None:
        with self._store.lock:
            kept = self._store.kept.get(match)
            over = kept is not None and kept.head.status == "ended" and kept.head.place is None
            if kept is not None and over and kept.ended_at is None:
                kept.ended_at = at

    def count(self, shelf: Shelf, *, before: int | None = None) -> int:
        with self._store.lock:
            return len(self._found(shelf, before))

    def now(self) -> int:
        return self._store.clock()

    def aged(self, shelf: Shelf, *, before: int, limit: int) -> list[str]:
        with self._store.lock:
            taken: dict[int, list[str]] = {}
            for _, match in sorted(self._found(shelf, before)):
                taken.setdefault(ids.partition(match), []).append(match)
            return [match for matches in taken.values() for match in matches[:limit]]

    def shelved(self, shelf: Shelf, partition: int) -> list[str]:
        with self._store.lock:
            found = sorted(self._found(shelf, None))
        return [match for _, match in found if ids.partition(match) == partition]

    def _found(self, shelf: Shelf, before: int | None) -> list[tuple[int, str]]:
        stands = ((_since(kept, shelf), match) for match, kept in self._store.kept.items())
        return [
            (since, match)
            for since, match in stands
            if since is not None and (before is None or since < before)
        ]

    def _removed(self, match: str) -> KeptMatch | None:
        kept = self._store.kept.get(match)
        return kept if kept and kept.head.status == REMOVED else None

    def _at_rest(self, match: str) -> KeptMatch | None:
        """A match that is over and that nobody has to work on."""
        kept = self._store.kept.get(match)
        return kept if kept and kept.head.status == "ended" and not self._marked(match) else None

    def _marked(self, match: str) -> bool:
        return match in self._store.marks

    def _drop(self, match: str, kept: KeptMatch) -> None:
        kept.events, kept.commands, kept.secret, kept.thoughts, kept.due = [], {}, None, [], None
        self._store.snapshots.pop(match, None)


def _fits(whole: Whole, tombstone: Head) -> bool:
    here = tombstone.place is None or whole.place is not None or tombstone.status == REMOVED
    return not here and tombstone.version == whole.head


def _since(kept: KeptMatch, shelf: Shelf) -> int | None:
    if shelf is Shelf.ERASED:
        return kept.erased_at
    if shelf is Shelf.NAMED:
        return (kept.ended_first or kept.ended_at) if kept.people else None
    stands = (kept.head.place is not None) == (shelf is Shelf.ARCHIVED)
    return kept.ended_at if stands else None
