"""Who must act and what is legal (MR-4 to MR-7), listed in the order of MR-11.8.

`legal_moves` lists exactly what `check` accepts; the tests hold the two together.
"""

from __future__ import annotations

from services.games.mint_rails.cards import COMPANIES, Company
from services.games.mint_rails.draft import draftable
from services.games.mint_rails.lays import lays
from services.games.mint_rails.moves import BuyShare, DraftShare, LayTrack, MintRailsMove
from services.games.mint_rails.state import SEATS, State, is_rivals_turn
from shared.game import Seat

NOBODY: frozenset[Seat] = frozenset()
ALONE = tuple(frozenset((seat,)) for seat in range(SEATS[-1] + 1))


def active_seats(state: State) -> frozenset[Seat]:
    """The one whose turn it is; nobody has to wait for the Rival."""
    if state.turn is None or is_rivals_turn(state):
        return NOBODY
    return ALONE[state.turn]


def legal_moves(state: State, seat: Seat) -> tuple[MintRailsMove, ...]:
    """Picks in the draft; then all lays, each with each of its icons, and all purchases."""
    if seat not in active_seats(state):
        return ()
    if state.phase == "draft":
        return tuple(DraftShare(company=company) for company in draftable(state, seat))
    return actions(state, seat)


def actions(state: State, seat: Seat) -> tuple[LayTrack | BuyShare, ...]:
    """What a player could do on its turn, the Rival included."""
    purchases = (BuyShare(company=company) for company in buyable(state, seat))
    return (*lays(state), *purchases)


def buyable(state: State, seat: Seat) -> tuple[Company, ...]:
    """The companies of which a player may buy a share (MR-7.1)."""
    columns = zip(COMPANIES, state.market, state.fund[seat], state.asset, strict=True)
    return tuple(company for company, left, fund, price in columns if left and fund >= price)


def can_act(state: State, seat: Seat) -> bool:
    """Whether a player has any legal action (MR-5.2)."""
    return bool(buyable(state, seat)) or any(True for _ in lays(state))
