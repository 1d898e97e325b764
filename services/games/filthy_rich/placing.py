"""Where a sign may go and what that costs (FR-3.5 to 3.10)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from services.games.filthy_rich.assets import Table, street_lease
from services.games.filthy_rich.binder import (
    SHAPES,
    Seen,
    filled,
    seen,
)
from services.games.filthy_rich.card_set import Business, Slots
from services.games.filthy_rich.state import Sign, active
from services.games.filthy_rich.story import Story
from shared.errors import IllegalMove
from shared.game import Seat

COMPENSATION = 2  # FR-3.8


class Site(NamedTuple):
    """The open page as a seat finds it that wants to put a sign there.

    `dues` has for each slot what covering it costs: nothing where the seat's own sign is seen, or
    none (FR-3.8). The entry 0 is not used.
    """

    cash: int
    sight: Seen
    filled: set[int]
    dues: tuple[int, ...]


def site(table: Table, signs: Iterable[Sign], page: int, seat: Seat) -> Site:
    """The open page with these signs in the binder."""
    signs = tuple(signs)
    sight = seen(signs, page)
    each = max(COMPENSATION - street_lease(table, seat), 0)
    dues = (each if sign is not None and sign.owner != seat else 0 for sign in sight)
    return Site(table.cash[seat], sight, filled(signs, page), tuple(dues))


def total_due(at: Site, slots: Slots) -> int:
    """All compensation together (FR-3.9)."""
    return sum(at.dues[slot] for slot in slots)


def owed(at: Site, slots: Slots) -> dict[Seat, int]:
    """The compensation to each owner (FR-3.8)."""
    debts: dict[Seat, int] = {}
    for slot in slots:
        sign = at.sight[slot]
        if sign is not None and at.dues[slot]:
            debts[sign.owner] = debts.get(sign.owner, 0) + at.dues[slot]
    return debts


def placements(at: Site, row: Business, cost: int) -> list[Slots]:
    """All slot sets that a sign may be put into at this cost."""
    return [
        slots
        for slots in SHAPES[row.shape]
        if at.filled.isdisjoint(slots) and cost + total_due(at, slots) <= at.cash
    ]


def check_placing(at: Site, row: Business, slots: Slots, cost: int) -> None:
    """Raises `IllegalMove` where `placements` does not list these slots."""
    if slots not in SHAPES[row.shape]:
        raise IllegalMove(
            "filthy-rich.wrong-shape", "FR-3.5", "The slots don't match the sign's shape."
        )
    if not at.filled.isdisjoint(slots):
        raise IllegalMove(
            "filthy-rich.slot-filled", "FR-3.6", "One of these slots is filled on the open page."
        )
    total = cost + total_due(at, slots)
    if total > at.cash:
        raise IllegalMove(
            "filthy-rich.placing-too-dear",
            "FR-3.10",
            f"Cost and compensation are ${total}, but you have ${at.cash}.",
        )


def pay_compensation(story: Story, seat: Seat, debts: dict[Seat, int]) -> None:
    """Clockwise from the placing player's left (FR-5.2)."""
    state = story.state
    for owner in active(state.out, len(state.hands), seat + 1):
        story.pay(seat, owner, debts.get(owner, 0), "compensation")
