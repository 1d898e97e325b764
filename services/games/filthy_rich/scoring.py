"""Who won, and the ranking for score tables (FR-11)."""

from __future__ import annotations

from services.games.filthy_rich.state import State
from shared.game import Outcome, Seat

REASONS = frozenset({"luxuries", "auction", "last_one_left", "turn_limit"})  # FR-11.9


def outcome(state: State) -> Outcome | None:
    """Every seat has a place of its own (FR-11.5, 11.6); scores are luxuries owned at the end."""
    if state.end is None:
        return None
    return Outcome(
        ranking=tuple((seat,) for seat in ranking(state)),
        scores=tuple(map(len, state.luxuries)),
        reason=state.end.reason,
    )


def ranking(state: State) -> list[Seat]:
    """Winner, then active players, then the knocked-out, the latest first (FR-11.6, 11.8)."""
    seats = len(state.hands)
    winner = state.end.winner if state.end else None
    start = state.first if winner is None else winner
    standing = [seat for seat in range(seats) if seat not in state.out]

    def merit(seat: Seat) -> tuple[bool, int, int, int]:
        far = (seat - start) % seats
        return seat != winner, -len(state.luxuries[seat]), -state.cash[seat], far

    return [*sorted(standing, key=merit), *reversed(state.out)]
