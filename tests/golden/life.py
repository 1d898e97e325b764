"""Recipes that every game has: how a match can begin, go on and end, whatever is played in it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import msgspec

from services.matches.creation import NewSeat
from services.matches.lifecycle import ABSENT_AFTER
from services.matches.playing import Stalled
from shared.chance import Draw
from tests.golden.library import HALL
from tests.golden.recipes import (
    CLOCK_MS,
    Recipe,
    all_of,
    bots,
    bots_play,
    completed,
    finish,
    found,
    join,
    leave,
    miss,
    move_first,
    play_on,
    played,
    resign,
    start,
)
from tests.services.world import OPEN, OWNER, PERSON, World, bot

AGENT = NewSeat(kind="agent")

NEVER = {
    "only the toys have a bot that raises or plays what it may not": (
        "event: match.fault_recorded, fault raised",
        "event: match.fault_recorded, fault illegal",
    ),
}
"""Why no match of a game shows this."""


def life(seats: int, **short: Any) -> dict[str, Recipe]:
    """At a table of so many seats, three at least; `short` are options for a short match."""
    return {
        **_before_the_start(seats, short),
        **_late_and_gone(seats, short),
        **_by_the_server(seats, short),
        "people": played(*(PERSON,) * seats, options=short, visibility="public"),
        "agents": played(*(AGENT,) * seats, options=short, pace_ms=0),
        "client-seeds": played(*map(_seeded, range(1, seats + 1)), options=short),
        "scripted": _scripted(seats, short),
        "all-search": all_of("search-2", seats, **short),
    }


def of_two(**short: Any) -> dict[str, Recipe]:
    """At a table of two, where the other one wins."""

    def resigned(world: World, slug: str) -> str:
        match = world.create(PERSON, bot(), game=slug, options=short)
        play_on(world, match, moves=2)
        resign(world, match, 0)
        return match

    def absent(world: World, slug: str) -> str:
        match = world.create(PERSON, PERSON, game=slug, options=short, clock_ms=CLOCK_MS)
        finish(world, match)
        return match

    return {"resigned-to-a-bot": resigned, "resigned-by-absence": absent}


# -- before the start -------------------------------------------------------------------------


def _before_the_start(seats: int, short: dict[str, Any]) -> dict[str, Recipe]:
    def cancelled_waiting(world: World, slug: str) -> str:
        match = world.create(OPEN, *bots("greedy", seats - 1), game=slug, options=short)
        join(world, match, 0)
        world.tycoon.commands.cancel(match, OWNER, None)
        return match

    def come_and_go(world: World, slug: str) -> str:
        table = (OPEN, OPEN, *bots("greedy", seats - 2))
        match = world.create(*table, game=slug, options=short, visibility="public")
        join(world, match, 0, "agent")
        leave(world, match, 0)
        join(world, match, 0, client_seed="12" * 32)
        join(world, match, 1, "agent")
        start(world, match)
        play_on(world, match)
        return match

    def filled(level: str) -> Recipe:
        def recipe(world: World, slug: str) -> str:
            match = world.create(PERSON, *(OPEN,) * (seats - 1), game=slug, options=short)
            start(world, match, level)
            play_on(world, match)
            return match

        return recipe

    return {
        "cancelled-waiting": cancelled_waiting,
        "come-and-go": come_and_go,
        **{f"filled-with-{name}": filled(name) for name in ("random", "greedy", "search-3")},
    }


def _seeded(seat: int) -> NewSeat:
    return NewSeat(kind="person", client_seed=bytes([seat]).hex() * 32)


def _scripted(seats: int, short: dict[str, Any]) -> Recipe:
    """The first draw of each form gives the last of its results."""

    def last(draw: Draw) -> Any:
        if draw.form == "shuffle":
            return sorted(draw.of, reverse=True)
        return draw.of[-1] if draw.form == "pick" else max(draw.n - 1, 0)

    def recipe(world: World, slug: str) -> str:
        game = HALL[slug].game
        draws = game.draws(game.options_type(**short), seats)
        script = {draw.label.replace("*", "1"): last(draw) for draw in draws}
        return played(*bots("greedy", seats), options=short, chance=script)(world, slug)

    return recipe


# -- who is late, and who leaves --------------------------------------------------------------


def _late_and_gone(seats: int, short: dict[str, Any]) -> dict[str, Recipe]:
    people = (PERSON, PERSON, *bots("greedy", seats - 2))
    alone = (PERSON, *bots("random", seats - 1))

    def stand_in_for_resigned(world: World, slug: str) -> str:
        match = world.create(*people, game=slug, options=short)
        play_on(world, match, moves=2)
        resign(world, match, 0)
        play_on(world, match)
        return match

    def stand_in_for_absent(world: World, slug: str) -> str:
        match = world.create(*people, game=slug, options=short, clock_ms=CLOCK_MS)
        while not found(world, match).match.seats[1].resigned:
            bots_play(world, match)
            if 0 in world.active(match):
                move_first(world, match, 0)
            else:
                miss(world, match)
        play_on(world, match)
        return match

    def late_and_back(world: World, slug: str) -> str:
        match = world.create(*alone, game=slug, options=short, clock_ms=CLOCK_MS)
        bots_play(world, match)
        for _ in range(ABSENT_AFTER - 1):
            miss(world, match)
        play_on(world, match)
        return match

    def expired_idle(world: World, slug: str) -> str:
        match = world.create(*alone, game=slug, options=short)
        play_on(world, match, moves=2)
        world.now += world.settings.idle_days * 86_400_000
        world.tycoon.timekeeper.time_out(match)
        return match

    def cancelled_late(world: World, slug: str) -> str:
        match = world.create(*alone, game=slug, options=short, visibility="private")
        play_on(world, match, moves=3)
        world.tycoon.commands.cancel(match, OWNER, None)
        return match

    return {
        "stand-in-for-resigned": stand_in_for_resigned,
        "stand-in-for-absent": stand_in_for_absent,
        "late-and-back": late_and_back,
        "expired-idle": expired_idle,
        "cancelled-late": cancelled_late,
    }


# -- what the server does ---------------------------------------------------------------------


def _by_the_server(seats: int, short: dict[str, Any]) -> dict[str, Recipe]:
    table = (PERSON, *bots("random", seats - 1))

    def expired_full_log(world: World, slug: str) -> str:
        world.settings = msgspec.structs.replace(world.settings, events_limit=30)
        world.tycoon = world.build()
        return played(*table, options=short)(world, slug)

    def stalled_bot(world: World, slug: str) -> str:
        world.tycoon = world.build(limit=_stalling(3))
        return played(*table, options=short)(world, slug)

    def imported(world: World, slug: str) -> str:
        match = completed(seats, **short)(world, slug)
        data = b"".join(world.tycoon.queries.export(match, OWNER))
        return world.tycoon.importer.import_match(data, OWNER.name).id

    return {
        "expired-full-log": expired_full_log,
        "stalled-bot": stalled_bot,
        "imported": imported,
    }


def _stalling(thoughts: int) -> Callable[[int], AbstractContextManager[None]]:
    """A limit that the first thoughts run into."""
    left = iter(range(thoughts))

    def limit(ms: int) -> AbstractContextManager[None]:
        if next(left, None) is not None:
            raise Stalled
        return nullcontext()

    return limit
