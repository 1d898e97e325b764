"""The golden matches of Mint Rails: every number of seats, every way to end, every level."""

from __future__ import annotations

import random
from typing import Any

import msgspec

from services.bots.playout import at_random, playout
from services.games.mint_rails import GAME
from services.games.mint_rails.state import Options
from tests.golden.record import Recipe, abandoned, cancelled, completed, expired, with_people
from tests.services.world import PERSON, World


def replayed(number: int, seats: int, **options: Any) -> Recipe:
    """A random playout, found for how it ends, played again by people on the same map."""

    def recipe(world: World, slug: str) -> str:
        seed = random.Random(number).randbytes(32)
        played = playout(GAME, Options(**options), seats, seed, at_random(seed))
        script = {label: result for step in played.steps for label, _, result in step.draws}
        people = [PERSON] * seats
        match = world.create(*people, game=slug, options=options, chance=script)
        for seat, move in played.moves:
            world.now += 1_000
            world.move(match, seat, msgspec.to_builtins(move))
        return match

    return recipe


RECIPES = {
    "completed-1-seat": completed(1),
    "completed-1-seat-easy": completed(1, rival="easy"),
    **{f"completed-{seats}-seats": completed(seats) for seats in (2, 3, 4)},
    "completed-without-bonus": completed(2, three_colour_reading="off"),
    "completed-stalled": replayed(55, 4),
    "completed-shared-win": replayed(633, 2),
    "completed-shared-by-three": replayed(747, 3),
    "completed-lost-to-the-rival": replayed(0, 1),
    "resigned-with-people": with_people,
    "abandoned": abandoned,
    "expired": expired,
    "cancelled": cancelled,
}
