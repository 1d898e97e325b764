"""What a seat may ask for (MR-11.3)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from services.games.mint_rails.cards import ONLY_ICON, Company
from services.games.mint_rails.grid import HEXES
from shared.game import Move

Coordinate = Annotated[int, msgspec.Meta(ge=-64, le=64)]
Path = Annotated[tuple[tuple[Coordinate, Coordinate], ...], msgspec.Meta(max_length=len(HEXES))]
CityId = Annotated[str, msgspec.Meta(max_length=16)]


class DraftShare(Move, frozen=True, tag="draft_share", gc=False):
    """Take a draft share (MR-4)."""

    company: Company


class LayTrack(Move, frozen=True, tag="lay_track", gc=False):
    """Lay a company's track into a city and take the income of one of its icons (MR-6).

    `path` holds the beige hexes in order, without the start and the city. `icon` may be left out
    where the city shows only one; it is filled in, so that both ways to write a move are equal.
    """

    company: Company
    path: Path
    city: CityId
    icon: Company | None = None

    def __post_init__(self) -> None:
        if self.icon is None:
            msgspec.structs.force_setattr(self, "icon", ONLY_ICON.get(self.city))


class BuyShare(Move, frozen=True, tag="buy_share", gc=False):
    """Buy a share from the market (MR-7)."""

    company: Company


MintRailsMove = DraftShare | LayTrack | BuyShare
