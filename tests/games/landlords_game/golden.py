"""The golden matches: all options with each other at every number of seats, every way to end."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from tests.golden import life
from tests.golden.recipes import (
    CLOCK_MS,
    Recipe,
    abandoned,
    all_of,
    cancelled,
    completed,
    expired,
    finish,
    having,
    play_on,
    until,
    with_people,
)
from tests.services.world import PERSON, World, bot

SEATS = range(2, 5)
EVEN_DICE = ((1, 1), (3, 5), (4, 6), (2, 3), (3, 4), (1, 2), (1, 1), (1, 2))
"""Bread, coal, the park, a railroad, clothing, a railroad, the legacy, Mother Earth."""

POOR = {"variant": "no_tickets", "rounds": 1}
"""With 100 each, somebody is soon unable to pay."""


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


def much_too_late(world: World, slug: str) -> str:
    """A person's clock runs out again and again, until the match is abandoned."""
    seats = (PERSON, bot("greedy"), bot("random"))
    match = world.create(*seats, game=slug, clock_ms=CLOCK_MS, options={"rounds": 1})
    finish(world, match)
    return match


def all_choices() -> Iterator[tuple[str, dict[str, Any]]]:
    """All three choices with each other; who begins is decided so that it meets any two of them."""
    for tickets, jump_any, loans in product((True, False), repeat=3):
        thrown = (tickets + jump_any + loans) % 2 == 1
        options = {
            "variant": "tickets" if tickets else "no_tickets",
            "rail_jump": "any" if jump_any else "next",
            "player_loans": loans,
            "first_player": "throw" if thrown else "seat0",
        }
        name = "-".join(
            (
                "tickets" if tickets else "no-tickets",
                "jump-any" if jump_any else "jump-next",
                "loans" if loans else "no-loans",
            )
        )
        yield name, options


RECIPES: dict[str, Recipe] = {
    "completed-2-seats": completed(2),
    "completed-3-seats": completed(3, rounds=3),
    "completed-4-seats": completed(4, rounds=2),
    "completed-no-tickets": completed(4, variant="no_tickets", rounds=2, rail_jump="next"),
    "completed-without-loans": completed(3, player_loans=False, rounds=2),
    "turn-limit": completed(2, rounds=10, turn_limit=20),
    "shared-win": shared_win,
    "defaulted-loans": until(
        having("security_surrendered", r'"closes":\[\d'),
        all_of("random", 3, variant="no_tickets", rounds=3, proposals_per_turn=5),
    ),
    "much-too-late": much_too_late,
    "resigned-with-people": with_people,
    "abandoned": abandoned,
    "expired": expired,
    "cancelled": cancelled,
    **life.life(3, rounds=1),
    **life.of_two(rounds=1),
    **{
        f"{name}-{seats}-seats": completed(seats, rounds=1, **options)
        for name, options in all_choices()
        for seats in SEATS
    },
    **{f"greedy-{seats}-seats": all_of("greedy", seats, rounds=2) for seats in SEATS},
    **{f"search-2-{seats}-seats": all_of("search-2", seats, rounds=1) for seats in SEATS},
    "turn-limit-not-reached": completed(3, rounds=2, turn_limit=200),
    "ten-rounds": completed(3, rounds=10, turn_limit=1000),
    **{
        f"proposals-{number}": all_of("random", 3, rounds=1, proposals_per_turn=number)
        for number in (0, 1, 5)
    },
    **{f"turn-limit-{seats}-seats": completed(seats, rounds=10, turn_limit=20) for seats in (3, 4)},
    **{
        f"cant-pay-{reason.replace('_', '-')}": until(
            having(f'debt_opened.*"reason":"{reason}"'), all_of("random", 4, **POOR)
        )
        for reason in ("franchise", "half_rent", "railroad")
    },
    "to-the-poorhouse-by-rail": until(
        having('sent_to_poorhouse.*"to":"railroad"'), all_of("random", 4, **POOR)
    ),
}
CHOSEN = (
    *(f"completed-{seats}-seats" for seats in SEATS),
    "completed-no-tickets",
    "completed-without-loans",
    "turn-limit",
    "shared-win",
    "defaulted-loans",
    "much-too-late",
    "cant-pay-railroad",
    "proposals-5",
)
"""At moments of these the bots' choices are recorded: each number of seats, tight money, loans."""

_LANDING = ("franchise", "half_rent", "necessity", "railroad", "rent")

NEVER = {
    **life.NEVER,
    "these phases open by another event or by none": tuple(
        f"event: landlords_game.choice_opened, phase {phase}"
        for phase in ("debt", "game_over", "loan_reply", "moving", "setup", "turn_start")
    ),
    "only who owes more than 20 notes has less than the wages just paid": (
        "event: landlords_game.debt_opened, due.reason bank_interest",
        "event: landlords_game.debt_opened, due.to bank",
        "event: landlords_game.sent_to_poorhouse, to bank",
    ),
    "nothing is ever due to the box of wages": (
        "event: landlords_game.debt_opened, due.to wages",
        "event: landlords_game.paid, to wages",
        "event: landlords_game.sent_to_poorhouse, to wages",
        "event: landlords_game.mother_earth_passed, dues.to wages",
    ),
    "passing Mother Earth, only loans fall due (LG-5.4)": (
        *(f"event: landlords_game.mother_earth_passed, dues.reason {why}" for why in _LANDING),
        "event: landlords_game.mother_earth_passed, dues.to public_treasury",
        "event: landlords_game.mother_earth_passed, dues.to railroad",
    ),
}
