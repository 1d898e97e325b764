"""The golden matches of Mint Rails: every reading and level at every number of seats, every end."""

from __future__ import annotations

from tests.golden import life
from tests.golden.recipes import (
    Recipe,
    abandoned,
    all_of,
    cancelled,
    completed,
    expired,
    having,
    replayed,
    until,
    with_people,
)

SEATS = range(1, 5)
LEVELS = ("random", "greedy", "search-3")
COMPANIES = ("black", "white", "pink", "brown")

RECIPES: dict[str, Recipe] = {
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
    **life.life(3),
    **life.of_two(),
    **{
        f"{level}-{reading}-for-{seats}": all_of(level, seats, three_colour_reading=reading)
        for level in LEVELS
        for seats in SEATS
        for reading in ("cubes", "off")
    },
    **{
        f"{level}-easy-rival-{reading}": all_of(
            level, 1, rival="easy", three_colour_reading=reading
        )
        for level in LEVELS
        for reading in ("cubes", "off")
    },
    **{
        f"bonus-{company}": until(having(f'"bonus":"{company}"'), all_of("random", 4))
        for company in COMPANIES
    },
}
CHOSEN = (
    "completed-1-seat",
    "completed-1-seat-easy",
    *(f"completed-{seats}-seats" for seats in (2, 3, 4)),
    "completed-without-bonus",
    "completed-stalled",
    "completed-shared-win",
    "completed-shared-by-three",
    "completed-lost-to-the-rival",
)
"""At moments of these the bots' choices are recorded: each number of seats, reading and rival."""

NEVER = life.NEVER
