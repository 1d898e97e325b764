"""Writes the picture of the README page: the map of MR-9.1 after a few lays."""

from __future__ import annotations

import sys

from msgspec.structs import replace

from services.games.mint_rails.drawing import svg
from services.games.mint_rails.effects import effect
from services.games.mint_rails.evolve import evolve
from services.games.mint_rails.moves import LayTrack
from services.games.mint_rails.setup import initial
from services.games.mint_rails.state import Options, State
from services.games.mint_rails.visibility import view

LAYS = (
    LayTrack(company="black", path=((0, 2),), city="N1b", icon="pink"),
    LayTrack(company="white", path=((-1, 4),), city="N1b", icon="brown"),
    LayTrack(company="pink", path=((1, 4), (0, 4)), city="N1b", icon="brown"),
    LayTrack(company="brown", path=((3, 2),), city="N2b", icon="white"),
)


def example() -> State:
    """The table of MR-9.1 after these lays."""
    empty = initial(Options(), 2)
    state = replace(
        empty,
        north=("N1", "N2", "N3", "N4"),
        south=("S1", "S2", "S3", "S4"),
        phase="play",
        start=0,
        turn=0,
    )
    for lay in LAYS:
        state = evolve(state, effect(state, state.turn or 0, lay))
    return state


if __name__ == "__main__":
    sys.stdout.write(svg(view(example(), None)))
