"""The golden matches of Daifugō: every number of seats, every level at each, every way to end."""

from __future__ import annotations

from tests.golden import life
from tests.golden.recipes import (
    Recipe,
    abandoned,
    all_of,
    bots,
    cancelled,
    completed,
    expired,
    having,
    played,
    until,
    with_people,
)
from tests.services.world import bot

SEATS = range(4, 9)
REVOLUTION = '"daifugo.order_reversed","revolution":true'
COUNTER_REVOLUTION = '"daifugo.order_reversed","revolution":false'

RECIPES: dict[str, Recipe] = {
    **{f"completed-{seats}-seats": completed(seats) for seats in SEATS},
    "completed-one-round": completed(5, rounds=1),
    "completed-30-rounds": completed(4, rounds=30),
    "completed-with-people": with_people,
    "abandoned": abandoned,
    "expired": expired,
    "cancelled": cancelled,
    **life.life(4, rounds=1),
    **{
        f"{level}-{seats}-seats": all_of(level, seats, rounds=rounds)
        for level, rounds in (("random", 1), ("greedy", 2), ("search-2", 1))
        for seats in SEATS
    },
    **{
        f"all-levels-{seats}-seats": played(
            *(bot(level) for level in ("greedy", "search-2", "random")),
            *bots("random", seats - 3),
            options={"rounds": 3},
        )
        for seats in SEATS
    },
    **{f"revolution-{n}-seats": until(having(REVOLUTION), completed(n, rounds=1)) for n in SEATS},
    "counter-revolution": until(having(COUNTER_REVOLUTION), all_of("random", 4, rounds=1)),
    "lead-passed-by-itself": until(having("daifugo.lead_passed"), all_of("random", 8, rounds=1)),
}
CHOSEN = (
    *(f"completed-{seats}-seats" for seats in SEATS),
    "completed-one-round",
    "completed-30-rounds",
    "completed-with-people",
    "revolution-4-seats",
)
"""At moments of these the bots' choices are recorded: each number of seats, and both orders."""

NEVER = {
    **life.NEVER,
    "only at a table of two does who resigns lose": (
        "end: resigned when running",
        "event: match.ended, reason resigned",
    ),
}
