"""Every game that is served: one line each."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from types import MappingProxyType

from services.games import daifugo, filthy_rich, landlords_game, mint_rails
from shared.game import AnyGame
from shared.settings import Settings, SettingsError


def _by_slug(*games: AnyGame) -> Mapping[str, AnyGame]:
    return MappingProxyType({game.slug: game for game in games})


GAMES = _by_slug(
    daifugo.GAME,
    landlords_game.GAME,
    mint_rails.GAME,
    filthy_rich.GAME,
)
"""The games by slug."""


def games(settings: Settings) -> list[AnyGame]:
    """The registered games and those that a setting adds.

    Raises:
        SettingsError: an extra game cannot be imported.
    """
    found = list(GAMES.values())
    for name in filter(None, settings.extra_games.split(",")):
        module, _, attribute = name.strip().partition(":")
        try:
            found.append(getattr(importlib.import_module(module), attribute))
        except (ImportError, AttributeError, ValueError) as wrong:
            raise SettingsError(f"TYCOON_EXTRA_GAMES: can't import {name!r}: {wrong}.") from wrong
    return found
