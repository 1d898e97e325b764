"""A move, then what follows without anybody being asked: passes, the Rival's turns, the end."""

from __future__ import annotations

from collections.abc import Sequence

from services.games.mint_rails.cards import CARD_SETS
from services.games.mint_rails.check import check
from services.games.mint_rails.draft import is_drafted
from services.games.mint_rails.effects import effect
from services.games.mint_rails.events import (
    DraftBegun,
    DraftEnded,
    MapLaid,
    MintRailsEvent,
    TurnPassed,
)
from services.games.mint_rails.evolve import fold
from services.games.mint_rails.legal import can_act, legal_moves
from services.games.mint_rails.moves import MintRailsMove
from services.games.mint_rails.rival import rival_acts
from services.games.mint_rails.scoring import is_sold_out, scored
from services.games.mint_rails.state import State, card_set, is_rivals_turn, player_after
from shared.chance import Chance
from shared.game import Seat


def open_match(state: State, chance: Chance) -> Sequence[MintRailsEvent]:
    """Lay the map and choose the start player by lot (MR-4.1)."""
    cards = CARD_SETS[card_set(state.options)]
    events: list[MintRailsEvent] = [
        MapLaid(
            north=chance.shuffle("north", cards.north),
            south=chance.shuffle("south", cards.south),
        ),
        DraftBegun(start=chance.one("start", len(state.fund))),
    ]
    return _carried_on(state, events, chance)


def decide(
    state: State, seat: Seat, move: MintRailsMove, chance: Chance
) -> Sequence[MintRailsEvent]:
    """The events of a move.

    Raises:
        IllegalMove: see `check`.
    """
    check(state, seat, move)
    return _carried_on(state, [effect(state, seat, move)], chance)


def time_out(state: State, seat: Seat, chance: Chance) -> Sequence[MintRailsEvent]:
    """The first of the listed moves is made (MR-11.8)."""
    return decide(state, seat, legal_moves(state, seat)[0], chance)


def _carried_on(state: State, events: list[MintRailsEvent], chance: Chance) -> list[MintRailsEvent]:
    """The events, and what follows until somebody is asked or the match is over."""
    state = fold(state, events)
    while following := _unasked(state, chance):
        events += following
        state = fold(state, following)
    return events


def _unasked(state: State, chance: Chance) -> list[MintRailsEvent]:
    if state.turn is None or state.start is None:
        return []
    if state.phase == "draft" and is_drafted(state):
        return [DraftEnded(worth=state.draft, next=state.start)]  # MR-4.5, 4.6
    if state.phase == "play":
        if is_sold_out(state):
            return [scored(state, "sold_out")]
        if state.passes == len(state.fund):
            return [scored(state, "stalled")]  # MR-5.4
        if not can_act(state, state.turn):
            return [TurnPassed(seat=state.turn, next=player_after(state, state.turn))]
    return rival_acts(state, chance) if is_rivals_turn(state) else []
