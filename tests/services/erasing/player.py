"""A player who is to be forgotten: their matches, and what is left of them anywhere."""

from __future__ import annotations

from typing import Any

from services.matches.creation import NewSeat
from shared import ids
from tests.services.world import OPEN, SERVER_KEY, World, bot

NAME, REF = "Zebedee Q. Quux", "ref-zebedee-77"
ZEB = NewSeat(kind="person", name=NAME, ref=REF)
ANN = NewSeat(kind="person", name="Ann", ref="ref-ann")


def kept(world: World) -> str:
    """Everything that is stored anywhere, as text."""
    store: Any = world.stores.events
    lists: Any = world.stores.lists
    return repr((store.kept, store.snapshots, dict(lists._rows)))


def player_mark(ref: str = REF) -> str:
    """What the names of a player's lists have in them."""
    return ids.derive(SERVER_KEY.encode(), "ref", "host", ref, length=26)


def nothing_left(world: World) -> bool:
    return not any(trace in kept(world) for trace in (NAME, REF, player_mark()))


def erase(world: World, ref: str = REF, limit: int = 500) -> tuple[int, int]:
    done = world.tycoon.eraser.erase_player("host", ref, limit=limit)
    return done.erased, done.left


def row_of(world: World, name: str, game: str, match: str) -> bytes | None:
    [found] = world.stores.lists.entries([(name, game, match)])
    return None if found is None else found.data


def every_kind(world: World) -> list[str]:
    """Matches with the player: one waits, one runs, one is over and counts, one is custom."""
    waiting = world.create(ZEB, OPEN)
    running = world.create(ANN, ZEB, visibility="private")
    custom = world.create(ZEB, ANN, chance={"first": 1}, visibility="public")
    over = world.create(ZEB, bot())
    for match in (waiting, running, custom, over):
        world.advance(match)
    while world.match(over).status == "running":
        if world.active(over) == [0]:
            world.play_first(over, 0)
        world.now += 1_000
        world.advance(over)
    return [waiting, running, custom, over]
