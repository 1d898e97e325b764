"""The event store with the archive behind it, whatever happens to a match between two looks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from services.archive.files import Archive
from services.archive.reading import KEPT, ArchivedEvents
from shared.errors import Corrupt, Unavailable
from shared.store import CommandRecord, EventStore, Look
from tests.services.archive.test_retention import played
from tests.services.world import OWNER, World, bot, key


class Meddled:
    """A store beside which something happens just before one of the calls to it."""

    def __init__(self, store: Any, calls: count[int], at: int, happens: Callable[[], Any]) -> None:
        self._store = store
        self._calls = calls
        self._at = at
        self._happens = happens

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._store, name)

        def made(*given: Any, **more: Any) -> Any:
            if next(self._calls) == self._at:
                self._happens()
            return call(*given, **more)

        return made


@pytest.fixture
def world() -> World:
    return World()


def over(world: World) -> str:
    """A match of bots that is over and at rest, and of which no projection is kept."""
    match = world.created(bot(), bot(), key=key("k")).id
    folded(world, match)
    return match


def folded(world: World, match: str) -> None:
    world.advance(match)
    store: Any = world.stores.events
    store.snapshots.clear()


ASKS: dict[str, Callable[[EventStore, str], Any]] = {
    "load": lambda store, match: store.load(match, snapshot=False),
    "the tail": lambda store, match: store.load(match, after=4),
    "a record": lambda store, match: store.load(match, command=key("k").id, snapshot=False),
    "many": lambda store, match: store.load_many([Look(match, snapshot=False), Look("m_none")]),
    "events": lambda store, match: store.events(match),
    "a page": lambda store, match: store.events(match, after=2, limit=3),
    "none": lambda store, match: store.events(match, after=2, limit=0),
    "thoughts": lambda store, match: store.thoughts(match, after=0, limit=100),
    "some thoughts": lambda store, match: store.thoughts(match, after=1, limit=2),
    "secret": lambda store, match: store.secret(match),
}


def told(answer: Any) -> Any:
    """An answer without where the match lies."""
    if isinstance(answer, list):
        return [told(each) for each in answer]
    if hasattr(answer, "head"):
        return replace(answer, head=replace(answer.head, place=None), tail=list(answer.tail))
    return answer


@pytest.mark.parametrize("ask", ASKS)
def test_what_is_archived_or_restored_in_between_answers_alike(world: World, ask: str) -> None:
    match = over(world)
    archive = Archive(world.settings.archive_url)
    expected = told(ASKS[ask](world.stores.events, match))
    changes = {
        "archived": lambda: world.tycoon.archive.archive([match]),
        "restored": lambda: world.tycoon.archive.restore([match]),
    }

    def change(to: str) -> None:
        changes[to]()
        folded(world, match)

    for what, before in (("archived", "restored"), ("restored", "archived")):
        for at in range(4):
            change(before)
            beside = (count(), at, changes[what])
            store: Any = Meddled(world.stores.events, *beside)
            answer = ASKS[ask](ArchivedEvents(store, archive), match)
            assert told(answer) == expected, (what, at)
            folded(world, match)


def test_what_is_removed_in_between_is_unknown(world: World) -> None:
    match = over(world)
    world.tycoon.archive.archive([match])
    place = world.stores.wholes.place(match)
    archive = Archive(world.settings.archive_url)
    head = world.stores.events.load(match)

    class Late:
        """A store whose first look is from before the removal."""

        def __init__(self) -> None:
            self.first = [head]

        def __getattr__(self, name: str) -> Any:
            return getattr(world.stores.events, name)

        def load_many(self, looks: Any) -> Any:
            return [self.first.pop()] if self.first else world.stores.events.load_many(looks)

    archive.remove(match, place)
    world.stores.wholes.remove(match)
    late: Any = Late()
    assert ArchivedEvents(late, archive).load(match) is None


def test_the_record_of_a_command_comes_from_the_file(world: World) -> None:
    match = over(world)
    world.tycoon.archive.archive([match])
    loaded = world.tycoon.stores.events.load(match, command=key("k").id)
    assert loaded is not None
    assert isinstance(loaded.record, CommandRecord)
    other = world.tycoon.stores.events.load(match, command=key("other").id)
    assert other is not None
    assert other.record is None


def test_a_file_is_read_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    matches = played(world, KEPT + 1)
    world.tycoon.archive.archive(matches)
    read: list[str] = []
    content = Archive.content

    def noted(archive: Archive, match: str, place: str) -> bytes:
        read.append(match)
        return content(archive, match, place)

    monkeypatch.setattr(Archive, "content", noted)
    events = world.build().stores.events
    for _ in range(2):
        events.events(matches[0])
        events.load(matches[0])
    assert read == [matches[0]]
    for match in matches[1:]:
        events.events(match)
    events.events(matches[0])
    assert read.count(matches[0]) == 2, "the least recently used one is forgotten"


def test_no_file_is_read_for_who_has_the_match(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = over(world)
    version = world.tycoon.queries.match(match, OWNER).version
    world.tycoon.archive.archive([match])

    def away(*given: object) -> bytes:
        raise Unavailable("archive.unavailable", "away")

    monkeypatch.setattr(Archive, "content", away)
    assert world.tycoon.queries.match(match, OWNER).version == version
    with pytest.raises(Unavailable):
        world.build().queries.match(match, OWNER)


def test_a_file_of_another_version_is_a_fault(world: World) -> None:
    match = over(world)
    world.tycoon.archive.archive([match])
    store: Any = world.stores.events
    store.kept[match].head = replace(store.kept[match].head, version=99)
    with pytest.raises(Corrupt):
        world.build().stores.events.load(match)


def test_a_store_that_lost_the_tombstone_gets_the_match_back_without_names(world: World) -> None:
    match = over(world)
    events = world.stores.events.events(match)
    world.tycoon.archive.archive([match])
    world.stores.events.raise_epoch(match, 0)
    world.tycoon.archive.restore([match])
    world.advance(match)
    world.tycoon.archive.archive([match])
    store: Any = world.stores.events
    del store.kept[match]

    [item] = world.tycoon.archive.restore([match]).items

    assert item.outcome == "restored"
    assert world.stores.events.events(match) == events
    loaded = world.stores.events.load(match)
    assert loaded is not None
    assert loaded.head.epochs == {0: 1}, "no void token is valid again"
    world.advance(match)
    assert world.match(match).status == "ended"
