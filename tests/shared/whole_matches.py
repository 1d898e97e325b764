"""Matches that are over, for the tests of whole ones."""

from __future__ import annotations

from shared.store import (
    Person,
    Secret,
)
from shared.whole_store import Shelf, Whole
from tests.shared.conftest import Stores, an_append

ANN = Person("Ann", "user-1")
SECRET = Secret("5e" * 32, {"deal/1": 3})

BY_END = (Shelf.ENDED, Shelf.ARCHIVED, Shelf.NAMED)


def ended(stores: Stores, match: str = "m_a", at: int = 1_000) -> Whole:
    """A match of three events that is over and that nobody works on."""
    stores.events.append(
        an_append(
            *(match, 0, b"one"),
            key="k",
            secret=SECRET,
            people={0: ANN, 2: Person("Bob")},
            epochs={0: 7},
            thoughts=[b"[1,0,5]"],
            due=99,
        )
    )
    stores.events.append(an_append(match, 1, b"two", b"three", status="ended", ended_at=at))
    at_rest(stores, match)
    whole = stores.wholes.whole(match)
    assert whole is not None
    return whole


def at_rest(stores: Stores, match: str) -> None:
    lease = stores.work.take(match, lease_ms=60_000)
    assert lease is not None
    loaded = stores.events.load(match)
    assert stores.work.release(lease, done_at=loaded.head.version if loaded else 0)


def shelved(stores: Stores) -> dict[Shelf, list[str]]:
    return {s: stores.wholes.aged(s, before=10**15, limit=9) for s in BY_END}


def erased(stores: Stores) -> list[str]:
    return stores.wholes.aged(Shelf.ERASED, before=10**15, limit=9)
