"""Who sees what (LG-13): all is public but the tickets that a player drew and did not buy."""

from __future__ import annotations

from msgspec.structs import replace

from services.games.landlords_game.board import BOARD, LUXURY_PRICE
from services.games.landlords_game.events import LandlordsEvent, TicketDrawn
from services.games.landlords_game.state import (
    Asked,
    Hidden,
    State,
    Table,
    View,
    actor,
    turn_limit,
)
from services.games.landlords_game.travel import rent_due
from shared.game import Seat

PUBLIC = Table.__struct_fields__


def view(state: State, seat: Seat | None) -> View:
    """The table as a seat sees it."""
    acting = actor(state)
    return View(
        **{field: getattr(state, field) for field in PUBLIC},
        seat=seat,
        active=() if acting is None else (acting,),
        asked=None if acting is None else asked(state, acting),
        turn_limit=turn_limit(state.options),
        tickets=_seen(state, seat, state.tickets),
        returned=_seen(state, seat, state.returned),
        board=BOARD,
    )


def _seen(state: State, seat: Seat | None, rows: tuple[tuple[str, ...], ...]) -> tuple[Hidden, ...]:
    if state.phase == "game_over":
        return rows
    return tuple(row if drawer == seat else len(row) for drawer, row in enumerate(rows))


def asked(table: Table, seat: Seat) -> Asked:
    """What the seat to act has to decide, in words that need no rules."""
    kind = table.phase
    if kind == "lot_choice":
        space = BOARD[table.players[seat].at]
        rent = rent_due(table, seat, space)
        return Asked(seat, kind, lot=space.lot, price=space.price, rent=rent)
    return Asked(
        seat,
        kind,
        price=LUXURY_PRICE if kind == "luxury_choice" else None,
        throw=table.throw if kind == "move_choice" else None,
        due=table.dues[0] if kind == "debt" else None,
        proposal=table.proposal,
    )


def redact(event: LandlordsEvent, seat: Seat | None) -> LandlordsEvent:
    """A drawn ticket is shown to its drawer (LG-13.5); all other events are public."""
    if isinstance(event, TicketDrawn) and event.seat != seat:
        return replace(event, ticket=None)
    return event
