"""The golden matches of the toys: what no game of the registry can show."""

from __future__ import annotations

from tests.golden.recipes import Recipe, completed, join, leave, play_on, played, resign, start
from tests.services.world import OPEN, PERSON, World, bot


def resigned(world: World, slug: str) -> str:
    match = world.create(PERSON, PERSON, game=slug)
    resign(world, match, 0)
    return match


def filled_and_faulty(world: World, slug: str) -> str:
    """Somebody joins and leaves again; a bot fills the seat; another bot fails at every move."""
    match = world.create(OPEN, bot("raises"), game=slug)
    join(world, match, 0)
    leave(world, match, 0)
    start(world, match, "random")
    play_on(world, match)
    return match


RECIPES: dict[str, dict[str, Recipe]] = {
    "tictactoe": {
        "resigned": resigned,
        "filled-and-faulty": filled_and_faulty,
        "illegal-moves": played(bot("illegal"), bot("greedy")),
    },
    "secrets": {"completed": completed(3)},
}
