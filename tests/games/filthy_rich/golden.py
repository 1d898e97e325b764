"""The golden matches of Filthy Rich: every number of seats, every reason, every way to end."""

from __future__ import annotations

from tests.golden.record import (
    Recipe,
    abandoned,
    cancelled,
    completed,
    expired,
    play_on,
    with_people,
)
from tests.services.world import World, bot


def ending(reason: str, seats: int, **options: object) -> Recipe:
    """The first match of a greedy and random bots that ends for this reason."""

    def recipe(world: World, slug: str) -> str:
        while True:
            match = completed(seats, **options)(world, slug)
            if world.match(match).result.outcome.reason == reason:
                return match

    return recipe


def all_random(seats: int) -> Recipe:
    """Long and colourful."""

    def recipe(world: World, slug: str) -> str:
        match = world.create(*(bot("random") for _ in range(seats)), game=slug)
        play_on(world, match)
        return match

    return recipe


RECIPES = {
    **{f"completed-{seats}-seats": completed(seats) for seats in range(2, 6)},
    "completed-luxuries": ending("luxuries", 3),
    "completed-auction": ending("auction", 4),
    "completed-last-one-left": ending("last_one_left", 2),
    "completed-turn-limit": ending("turn_limit", 5, turn_limit=6),
    "completed-one-turn": completed(2, turn_limit=1),
    "completed-longest-limit": completed(2, turn_limit=600),
    "completed-random-3-seats": all_random(3),
    "completed-with-people": with_people,
    "abandoned": abandoned,
    "expired": expired,
    "cancelled": cancelled,
}
