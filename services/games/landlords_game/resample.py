"""Imagined tables: a full state that a view's seat cannot tell from the true one."""

from __future__ import annotations

from collections.abc import Iterator

from services.games.landlords_game.state import Hidden, State, View
from services.games.landlords_game.tickets import TICKETS, shown
from services.games.landlords_game.visibility import PUBLIC
from shared.chance import Chance


def resample(view: View, chance: Chance) -> State:
    """Others drew any tickets that the seat has not seen; one draw, under a label not used yet."""
    seen = {ticket for row in (*view.tickets, *view.returned) for ticket in shown(row)}
    seen.update(ticket for row in view.bought for ticket in row)
    unseen = [ticket for ticket in TICKETS if ticket not in seen]
    hidden = iter(chance.shuffle(f"resample/{len(chance.draws)}", unseen))
    return State(
        **{field: getattr(view, field) for field in PUBLIC},
        tickets=tuple(_imagined(row, hidden) for row in view.tickets),
        returned=tuple(_imagined(row, hidden) for row in view.returned),
    )


def _imagined(row: Hidden, hidden: Iterator[str]) -> tuple[str, ...]:
    if isinstance(row, tuple):
        return row
    return tuple(next(hidden) for _ in range(row))
