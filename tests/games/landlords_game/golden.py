"""The golden matches: both variants, every number of seats, every way to end."""

from tests.golden.record import (
    Recipe,
    abandoned,
    cancelled,
    completed,
    expired,
    finish,
    play_on,
    with_people,
)
from tests.services.world import PERSON, World, bot

EVEN_DICE = ((1, 1), (3, 5), (4, 6), (2, 3), (3, 4), (1, 2), (1, 1), (1, 2))
"""Bread, coal, the park, a railroad, clothing, a railroad, the legacy, Mother Earth."""


def shared_win(world: World, slug: str) -> str:
    """Two people throw the same dice and pay the same: their totals are equal."""
    throws = [dice for dice in EVEN_DICE for _ in range(2)]
    match = world.create(
        PERSON,
        PERSON,
        game=slug,
        options={"variant": "no_tickets", "rounds": 1, "first_player": "seat0"},
        chance={
            f"throw/{number}/{die}": dice[die - 1] - 1
            for number, dice in enumerate(throws, 1)
            for die in (1, 2)
        },
    )
    play_on(world, match)
    return match


def defaulted_loans(world: World, slug: str) -> str:
    """Random seats, until a match has both a surrendered security and a lost unsecured loan."""
    while True:
        options = {"variant": "no_tickets", "rounds": 3, "proposals_per_turn": 5}
        match = world.create(*(bot("random") for _ in range(3)), game=slug, options=options)
        play_on(world, match)
        if _has_defaults(world, match):
            return match


def _has_defaults(world: World, match: str) -> bool:
    raw = b"".join(world.stores.events.events(match))
    return b"security_surrendered" in raw and b'"closes":[' in raw.replace(b'"closes":[]', b"")


def much_too_late(world: World, slug: str) -> str:
    """A person's clock runs out again and again, until the match is abandoned."""
    match = world.create(
        PERSON, bot("greedy"), bot("random"), game=slug, clock_ms=30_000, options={"rounds": 1}
    )
    finish(world, match)
    return match


RECIPES: dict[str, Recipe] = {
    "completed-2-seats": completed(2),
    "completed-3-seats": completed(3, rounds=3),
    "completed-4-seats": completed(4, rounds=2),
    "completed-no-tickets": completed(4, variant="no_tickets", rounds=2, rail_jump="next"),
    "completed-without-loans": completed(3, player_loans=False, rounds=2),
    "turn-limit": completed(2, rounds=10, turn_limit=20),
    "shared-win": shared_win,
    "defaulted-loans": defaulted_loans,
    "much-too-late": much_too_late,
    "resigned-with-people": with_people,
    "abandoned": abandoned,
    "expired": expired,
    "cancelled": cancelled,
}
