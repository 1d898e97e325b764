"""One seat is erased alone, by whoever may do so."""

from __future__ import annotations

import pytest

from services.matches.access import NOBODY, Caller
from shared.errors import Forbidden, NotFound, Unauthenticated
from shared.store import Person
from tests.services.erasing.between import between
from tests.services.erasing.player import ANN, NAME, REF, ZEB, nothing_left
from tests.services.world import OPEN, OWNER, World

OPERATOR = Caller("operator", "operator")


def test_who_may_erase_a_seat(world: World) -> None:
    private = world.create(ZEB, ANN, visibility="private")
    unlisted = world.create(ZEB, ANN)
    eraser = world.tycoon.eraser
    refusals: list[tuple[str, Caller, type[Exception]]] = [
        (private, Caller("key", "other"), NotFound),
        (private, NOBODY, NotFound),
        (unlisted, Caller("key", "other"), Forbidden),
        (unlisted, NOBODY, Unauthenticated),
        (unlisted, world.holder(unlisted, 1), Forbidden),
        (unlisted, world.holder(private, 0), Unauthenticated),
        ("m_" + "a" * 26, OWNER, NotFound),
    ]
    for match, caller, refusal in refusals:
        with pytest.raises(refusal):
            eraser.erase_seat(match, 0, caller)
    with pytest.raises(NotFound):
        eraser.erase_seat(private, 2, OWNER)
    assert world.stores.events.people(private)[0] == Person(NAME, REF)
    assert world.stores.events.people(unlisted)[0] == Person(NAME, REF)


@pytest.mark.parametrize("who", ["owner", "operator", "seat"])
def test_a_seat_is_erased_alone(world: World, who: str) -> None:
    match = world.create(ZEB, ANN, visibility="private")
    world.advance(match)
    caller = {"owner": OWNER, "operator": OPERATOR, "seat": world.holder(match, 0)}[who]
    first, again = (world.tycoon.eraser.erase_seat(match, 0, caller) for _ in range(2))
    assert (first.erased, first.left, again.erased, again.left) == (1, 0, 0, 0)
    assert nothing_left(world)
    assert world.stores.events.people(match) == {1: Person("Ann", "ref-ann")}


def test_a_token_that_is_void_meanwhile_erases_nobody(world: World) -> None:
    match = world.create(ZEB, OPEN)
    caller, other = world.holder(match, 0), world.build()

    def change_places() -> None:
        other.commands.leave(match, caller, None)
        join = {"seat": 0, "code": None, "kind": "person", "client_seed": None, "key": None}
        other.commands.join(match, OWNER, person=Person("New"), **join)

    between(world, "events", "seated_many", change_places)
    with pytest.raises(Unauthenticated):
        world.tycoon.eraser.erase_seat(match, 0, caller)
    assert world.stores.events.people(match) == {0: Person("New")}
