"""The golden matches of Filthy Rich: every reason at the tables that know it, every level, every
way to end."""

from __future__ import annotations

from tests.golden import life
from tests.golden.recipes import (
    Recipe,
    abandoned,
    all_of,
    cancelled,
    completed,
    ending,
    expired,
    having,
    until,
    with_people,
)

SEATS = range(2, 6)
TURNS = 12
"""Of a short match."""

RECIPES: dict[str, Recipe] = {
    **{f"completed-{seats}-seats": completed(seats) for seats in SEATS},
    "completed-luxuries": until(ending("luxuries"), completed(3)),
    "completed-auction": until(ending("auction"), completed(4)),
    "completed-last-one-left": until(ending("last_one_left"), completed(2)),
    "completed-turn-limit": until(ending("turn_limit"), completed(5, turn_limit=6)),
    "completed-one-turn": completed(2, turn_limit=1),
    "completed-longest-limit": completed(2, turn_limit=600),
    "completed-random-3-seats": all_of("random", 3),
    "completed-with-people": with_people,
    "abandoned": abandoned,
    "expired": expired,
    "cancelled": cancelled,
    **life.life(3, turn_limit=TURNS),
    **life.of_two(turn_limit=TURNS),
    **{
        f"{level}-{seats}-seats": all_of(level, seats, turn_limit=TURNS)
        for level in ("random", "greedy", "search-2")
        for seats in SEATS
    },
    **{f"one-turn-{seats}-seats": completed(seats, turn_limit=1) for seats in SEATS},
    "no-limit-in-sight": completed(2, turn_limit=2000),
    **{
        f"last-one-left-{seats}-seats": until(ending("last_one_left"), completed(seats))
        for seats in (2, 3)
    },
    "auction-3-seats": until(ending("auction"), completed(3)),
    "luxury-that-nobody-wants": until(having("filthy_rich.luxury_removed"), completed(3)),
    "hostile-takeover": until(having("business_taken_over"), completed(4, turn_limit=40)),
    "loan-repaid": until(having("loan_repaid"), completed(3, turn_limit=40)),
    "pile-reshuffled": until(having("pile_reshuffled"), completed(5)),
}
CHOSEN = (
    *(f"completed-{seats}-seats" for seats in SEATS),
    "completed-luxuries",
    "completed-auction",
    "completed-last-one-left",
    "completed-turn-limit",
    "completed-one-turn",
    "completed-longest-limit",
    "completed-random-3-seats",
    "hostile-takeover",
)
"""At moments of these the bots' choices are recorded: each number of seats and reason."""

NEVER = {
    **life.NEVER,
    "with the shipped cards there is always one in hand (FR-4.6)": (
        "event: filthy_rich.action_skipped",
    ),
}
