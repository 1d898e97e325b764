"""Folding: what each event makes true. No rule is here; the event says all that follows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from msgspec.structs import replace

from services.games.mint_rails.cards import NUMBER
from services.games.mint_rails.events import (
    DraftBegun,
    DraftEnded,
    MapLaid,
    MatchScored,
    MintRailsEvent,
    RivalChose,
    ShareBought,
    ShareDrafted,
    TrackLaid,
    TurnPassed,
)
from services.games.mint_rails.state import Result, State, by_seat, plus


def fold(state: State, events: Iterable[MintRailsEvent]) -> State:
    """The state after these events."""
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: State, event: MintRailsEvent) -> State:
    """The state after one event; the frequent ones come first."""
    match event:
        case TrackLaid():
            return _track_laid(state, event)
        case ShareBought():
            return _share_bought(state, event)
        case ShareDrafted():
            return _share_drafted(state, event)
        case RivalChose():
            return replace(state, rival_choices=event.number)
        case TurnPassed():
            return replace(state, turn=event.next, passes=state.passes + 1)
        case MapLaid():
            return replace(state, north=event.north, south=event.south)
        case DraftBegun():
            return replace(state, phase="draft", start=event.start, turn=event.start)
        case DraftEnded():
            return replace(state, phase="play", worth=event.worth, turn=event.next)
        case MatchScored():
            result = Result(event.reason, event.payouts, event.scores, event.places)
            return replace(state, phase="ended", turn=None, result=result)
        case _:
            assert_never(event)


def _share_drafted(state: State, event: ShareDrafted) -> State:
    seat, company = event.seat, NUMBER[event.company]
    return replace(
        state,
        draft=plus(state.draft, company, -1),
        shares=by_seat(state.shares, seat, plus(state.shares[seat], company, 1)),
        turn=event.next,
    )


def _track_laid(state: State, event: TrackLaid) -> State:
    seat, company = event.seat, NUMBER[event.company]
    asset = plus(state.asset, company, -len(event.path) - 1)
    for grown in event.grows:
        asset = plus(asset, NUMBER[grown], 1)
    fund = plus(state.fund[seat], NUMBER[event.income], 1)
    if event.bonus is not None:
        fund = plus(fund, NUMBER[event.bonus], 1)
    laid = (*state.track[company], *event.path, event.at)
    return replace(
        state,
        asset=asset,
        worth=plus(state.worth, company, event.worth),
        fund=by_seat(state.fund, seat, fund),
        track=(*state.track[:company], laid, *state.track[company + 1 :]),
        turn=event.next,
        passes=0,
    )


def _share_bought(state: State, event: ShareBought) -> State:
    seat, company = event.seat, NUMBER[event.company]
    return replace(
        state,
        fund=by_seat(state.fund, seat, plus(state.fund[seat], company, -event.price)),
        market=plus(state.market, company, -1),
        shares=by_seat(state.shares, seat, plus(state.shares[seat], company, 1)),
        asset=plus(state.asset, company, event.grows),
        turn=event.next,
        passes=0,
    )
