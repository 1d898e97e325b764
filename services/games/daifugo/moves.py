"""What a seat may ask for. The order in which a client names the cards does not matter."""

from __future__ import annotations

import msgspec

from services.games.daifugo.cards import Cards, canonical
from shared.game import Move


class PlayCards(Move, frozen=True, tag="play_cards", gc=False):
    """Lay down a set (DF-6)."""

    cards: Cards

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "cards", canonical(self.cards))


class Pass(Move, frozen=True, tag="pass", gc=False):
    """Play nothing this turn (DF-7.1)."""


class GiveCards(Move, frozen=True, tag="give_cards", gc=False):
    """Daifugō or Fugō: give unwanted cards (DF-4.1)."""

    cards: Cards

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "cards", canonical(self.cards))


DaifugoMove = PlayCards | Pass | GiveCards

PASS = Pass()
