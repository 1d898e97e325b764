"""The golden matches of Daifugō: every number of seats, every way to end."""

from tests.golden.record import abandoned, cancelled, completed, expired, with_people

RECIPES = {
    **{f"completed-{seats}-seats": completed(seats) for seats in range(4, 9)},
    "completed-one-round": completed(5, rounds=1),
    "completed-30-rounds": completed(4, rounds=30),
    "completed-with-people": with_people,
    "abandoned": abandoned,
    "expired": expired,
    "cancelled": cancelled,
}
