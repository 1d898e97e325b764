"""Every game that is served: one line each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from services.games import daifugo, filthy_rich, landlords_game, mint_rails
from shared.game import AnyGame


def _by_slug(*games: AnyGame) -> Mapping[str, AnyGame]:
    return MappingProxyType({game.slug: game for game in games})


GAMES = _by_slug(
    daifugo.GAME,
    landlords_game.GAME,
    mint_rails.GAME,
    filthy_rich.GAME,
)
"""The games by slug."""
