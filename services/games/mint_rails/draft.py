"""The draft: its order and who may take what (MR-4)."""

from __future__ import annotations

from services.games.mint_rails.cards import COMPANIES, Company
from services.games.mint_rails.state import State, plus
from shared.game import Seat


def drafter(state: State, pick: int) -> Seat:
    """Who makes a pick, counted from 0: in turn order, then in reverse (MR-4.2, 4.3).

    After the last pick it is the start player, who has the first turn (MR-4.6).
    """
    players = len(state.fund)
    start = state.start or 0
    if pick < players:
        return (start + pick) % players
    return (start + max(2 * players - 1 - pick, 0)) % players


def picks_made(state: State) -> int:
    """How many draft shares were taken so far."""
    return sum(map(sum, state.shares))


def is_second(state: State) -> bool:
    """Whether second picks are made now."""
    return picks_made(state) >= len(state.fund)


def is_drafted(state: State) -> bool:
    """Whether everybody has two shares."""
    return picks_made(state) == 2 * len(state.fund)


def completes_equal_pair(state: State, seat: Seat, company: int) -> bool:
    """Whether with this share a player would hold the same pair as another one (MR-4.4)."""
    pair = plus(state.shares[seat], company, 1)
    others = (shares for other, shares in enumerate(state.shares) if other != seat)
    return sum(pair) == 2 and pair in others


def draftable(state: State, seat: Seat) -> tuple[Company, ...]:
    """The companies of which a player may take a draft share."""
    return tuple(
        company
        for number, company in enumerate(COMPANIES)
        if state.draft[number] and not completes_equal_pair(state, seat, number)
    )
