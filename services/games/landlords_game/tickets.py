"""Names of the 22 lot tickets: `T01` is the ticket of lot 1."""

from __future__ import annotations

from services.games.landlords_game.board import LOTS
from services.games.landlords_game.state import Hidden

TICKETS = tuple(f"T{lot:02}" for lot in range(1, LOTS + 1))
DRAWN = 12  # LG-3.3


def ticket_of(lot: int) -> str:
    """The ticket of a lot, whether or not there is such a lot."""
    return f"T{lot:02}"


def lot_of(ticket: str) -> int:
    """The lot of a ticket."""
    return int(ticket[1:])


def number_of(tickets: Hidden) -> int:
    """How many tickets."""
    return tickets if isinstance(tickets, int) else len(tickets)


def shown(tickets: Hidden) -> tuple[str, ...]:
    """The tickets that are seen."""
    return () if isinstance(tickets, int) else tickets
