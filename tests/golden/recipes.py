"""How golden matches are played: steps, and whole matches that the games' own recipes are made of.

A seed is drawn for each match: played again, a recipe gives another match of the same kind.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any, Literal

import msgspec

from services.bots.playout import at_random, playout
from services.matches.access import Caller
from services.matches.creation import NewSeat
from services.matches.loading import Found
from services.matches.state import AnyMatch
from shared.store import Person
from tests.golden.library import HALL
from tests.services.world import OPEN, OWNER, PERSON, World, bot

Recipe = Callable[[World, str], str]
"""Plays a match of a game to its end; its id."""

CLOCK_MS = 30_000


# -- steps ------------------------------------------------------------------------------------


def bots(level: str, seats: int) -> tuple[NewSeat, ...]:
    return (bot(level),) * seats


def found(world: World, match: str) -> Found:
    return world.tycoon.queries.find(match, OWNER)[0]


def is_running(world: World, match: str) -> bool:
    return found(world, match).match.status == "running"


def holder(world: World, match: str, seat: int) -> Caller:
    return world.holder(match, seat, found(world, match).head.epochs.get(seat, 0))


def bots_play(world: World, match: str) -> None:
    world.advance(match)
    while world.thoughts:
        world.tycoon.thinker.think(*world.thoughts.pop())


def move_first(world: World, match: str, seat: int) -> None:
    """Somebody plays the first move that is listed."""
    who = holder(world, match, seat)
    listed = world.tycoon.queries.moves(match, who, preview=False)
    move = msgspec.to_builtins(listed.moves[0].move)
    world.tycoon.commands.move(match, who, move, expected=listed.version, key=None)


def play_on(world: World, match: str, moves: int = 100_000) -> None:
    """Bots play, and people their first listed move, until the end or for so many moves."""
    while is_running(world, match) and moves > 0:
        world.now += 1_000
        bots_play(world, match)
        for seat in world.active(match):
            if not found(world, match).match.seats[seat].built_in:
                move_first(world, match, seat)
                moves -= 1


def miss(world: World, match: str) -> None:
    """The time of whoever is asked runs out; bots play on."""
    world.now += CLOCK_MS + 1_000
    world.tycoon.timekeeper.time_out(match)
    bots_play(world, match)


def finish(world: World, match: str) -> None:
    """Nobody moves any more but bots."""
    while is_running(world, match):
        miss(world, match)


def join(
    world: World,
    match: str,
    seat: int,
    kind: Literal["person", "agent"] = "person",
    client_seed: str | None = None,
) -> None:
    """Somebody takes an open seat."""
    world.tycoon.commands.join(
        match,
        OWNER,
        seat=seat,
        code=None,
        kind=kind,
        person=Person(),
        client_seed=client_seed,
        key=None,
    )


def leave(world: World, match: str, seat: int) -> None:
    world.tycoon.commands.leave(match, holder(world, match, seat), None)


def start(world: World, match: str, fill: str | None = None) -> None:
    world.tycoon.commands.start(match, OWNER, fill, None)


def resign(world: World, match: str, seat: int) -> None:
    world.tycoon.commands.resign(match, holder(world, match, seat), None)


# -- completed matches ------------------------------------------------------------------------


def played(*seats: NewSeat, **more: Any) -> Recipe:
    """A match of these seats to its end; `more` as in `NewMatch`."""

    def recipe(world: World, slug: str) -> str:
        match = world.create(*seats, game=slug, **more)
        play_on(world, match)
        return match

    return recipe


def completed(seats: int, **options: Any) -> Recipe:
    """One greedy bot among random ones."""
    return played(bot("greedy"), *bots("random", seats - 1), options=options)


def all_of(level: str, seats: int, **options: Any) -> Recipe:
    return played(*bots(level, seats), options=options)


def replayed(number: int, seats: int, **options: Any) -> Recipe:
    """A random playout, found for how it ends, played again by people with the same draws.

    Only where nothing is picked: a script names what is picked, a recorded draw gives its place.
    """

    def recipe(world: World, slug: str) -> str:
        game = HALL[slug].game
        seed = random.Random(number).randbytes(32)
        before = playout(game, game.options_type(**options), seats, seed, at_random(seed))
        script = {label: result for step in before.steps for label, _, result in step.draws}
        match = world.create(*(PERSON,) * seats, game=slug, options=options, chance=script)
        for seat, move in before.moves:
            world.now += 1_000
            world.move(match, seat, msgspec.to_builtins(move))
        return match

    return recipe


# -- the four ends ---------------------------------------------------------------------------


def with_people(world: World, slug: str) -> str:
    """Two people with client seeds, one who resigns, one who is late."""
    low = HALL[slug].game.seats[0]
    match = world.create(OPEN, PERSON, *bots("random", low - 2), game=slug, clock_ms=CLOCK_MS)
    join(world, match, 0, client_seed="ab" * 32)
    world.tycoon.commands.give_client_seed(match, holder(world, match, 1), "cd" * 32, None)
    start(world, match)
    for _ in range(6):
        miss(world, match)
    if is_running(world, match):
        resign(world, match, 1)
    finish(world, match)
    return match


def abandoned(world: World, slug: str) -> str:
    low = max(3, HALL[slug].game.seats[0])
    match = world.create(PERSON, *bots("random", low - 1), game=slug)
    resign(world, match, 0)
    return match


def expired(world: World, slug: str) -> str:
    low = HALL[slug].game.seats[0]
    match = world.create(OPEN, *bots("greedy", low - 1), game=slug)
    world.now += world.settings.waiting_hours * 3_600_000
    world.tycoon.timekeeper.time_out(match)
    return match


def cancelled(world: World, slug: str) -> str:
    match = world.create(*bots("random", HALL[slug].game.seats[0]), game=slug)
    world.tycoon.commands.cancel(match, OWNER, None)
    return match


# -- a match of which something holds ---------------------------------------------------------

Holds = Callable[[AnyMatch, str], bool]
"""Of a match that is over, and the JSON of its events."""


def until(holds: Holds, recipe: Recipe) -> Recipe:
    """The first match of a recipe of which it holds."""

    def tried(world: World, slug: str) -> str:
        while True:
            match = recipe(world, slug)
            log = b"\n".join(world.stores.events.events(match)).decode()
            if holds(found(world, match).match, log):
                return match

    return tried


def ending(reason: str) -> Holds:
    """Completed for this reason."""

    def holds(match: AnyMatch, log: str) -> bool:
        outcome = match.result and match.result.outcome
        return outcome is not None and outcome.reason == reason

    return holds


def having(*patterns: str) -> Holds:
    """For each of these an event's JSON has it."""
    return lambda match, log: all(re.search(pattern, log) for pattern in patterns)
