"""What a legal pick, lay or purchase does, spelled out as its event."""

from __future__ import annotations

from services.games.mint_rails.board import Site
from services.games.mint_rails.cards import COMPANIES, NUMBER, Company
from services.games.mint_rails.draft import drafter, picks_made
from services.games.mint_rails.events import ShareBought, ShareDrafted, TrackLaid
from services.games.mint_rails.moves import DraftShare, LayTrack, MintRailsMove
from services.games.mint_rails.state import State, board_of, player_after
from shared.game import Seat

Effect = ShareDrafted | TrackLaid | ShareBought

PRICE_RISE = 3  # MR-7.2


def effect(state: State, seat: Seat, move: MintRailsMove) -> Effect:
    """What a legal move itself does, without what follows from it."""
    if isinstance(move, LayTrack):
        return laid(state, seat, move)
    if isinstance(move, DraftShare):
        return drafted(state, seat, move.company)
    return bought(state, seat, move.company)


def drafted(state: State, seat: Seat, company: Company) -> ShareDrafted:
    """MR-4.2, 4.3."""
    return ShareDrafted(seat=seat, company=company, next=drafter(state, picks_made(state) + 1))


def bought(state: State, seat: Seat, company: Company) -> ShareBought:
    """MR-7.2."""
    return ShareBought(
        seat=seat,
        company=company,
        price=state.asset[NUMBER[company]],
        grows=PRICE_RISE,
        next=player_after(state, seat),
    )


def laid(state: State, seat: Seat, move: LayTrack) -> TrackLaid:
    """MR-6.7, the icon named."""
    assert move.icon is not None, "an unnamed icon is refused or filled in before"
    site = board_of(state).site[move.city]
    earlier = present(state, site)
    return TrackLaid(
        seat=seat,
        company=move.company,
        path=move.path,
        city=move.city,
        at=site.hex,
        worth=len(move.path),
        income=move.icon,
        next=player_after(state, seat),
        bonus=bonus(state, earlier, move.company),
        grows=earlier,
    )


def present(state: State, site: Site) -> tuple[Company, ...]:
    """The companies that have a cube in a city."""
    columns = zip(COMPANIES, state.track, strict=True)
    return tuple(company for company, track in columns if site.hex in track)


def bonus(state: State, earlier: tuple[Company, ...], entering: Company) -> Company | None:
    """The one company missing in a city that now has three colours (MR-6.7 step 4, 12.1)."""
    if state.options.three_colour_reading == "off" or len(earlier) != 2:
        return None
    return next(c for c in COMPANIES if c != entering and c not in earlier)
