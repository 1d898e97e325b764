"""The games whose laws are proved: the toys and all that is served, with options to try."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from services.games import filthy_rich, mint_rails
from services.games.landlords_game.state import Options as LandlordsOptions
from services.registry import GAMES
from shared.game import AnyGame, Options
from tests.toys import secrets, tictactoe

TOYS = (tictactoe.GAME, secrets.GAME)

MORE_OPTIONS: Mapping[str, tuple[Options, ...]] = {
    "tictactoe": (tictactoe.Options(size=4),),
    "secrets": (secrets.Options(auctions=4),),
    "landlords-game": (
        LandlordsOptions(variant="no_tickets", rounds=2, rail_jump="next"),
        LandlordsOptions(first_player="seat0", player_loans=False, turn_limit=20),
        LandlordsOptions(rounds=3, proposals_per_turn=5),
    ),
    "mint-rails": (
        mint_rails.Options(rival="easy"),
        mint_rails.Options(three_colour_reading="off"),
    ),
    "filthy-rich": (filthy_rich.Options(turn_limit=5),),
}
"""Options beside the default ones; they are tried with the fewest seats they go with."""

ADDRESSES = {
    "tictactoe": "tests.toys.tictactoe:GAME",
    "secrets": "tests.toys.secrets:GAME",
    **{slug: f"services.games.{slug.replace('-', '_')}:GAME" for slug in GAMES},
}


class Case(NamedTuple):
    """A game with options and a number of seats."""

    game: AnyGame
    options: Options
    seats: int

    def __str__(self) -> str:
        return f"{self.game.slug}-{self.seats}-{msgspec.json.encode(self.options).decode()}"


def cases() -> list[Case]:
    found = []
    for game in (*TOYS, *GAMES.values()):
        found += [Case(game, game.options_type(), seats) for seats in game.seats]
        found += [
            Case(game, options, min(game.seats)) for options in MORE_OPTIONS.get(game.slug, ())
        ]
    return found
