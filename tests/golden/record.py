"""Records golden matches, events and choices that are missing: `python -m tests.golden.record`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator

import msgspec

from services.hosted import SNAPSHOT_SCHEMA
from services.registry import GAMES
from shared import ids
from tests.golden import choices
from tests.golden.library import HALL, SHAPES, event_path, load, packed, path_of, paths
from tests.services.world import OPEN, OWNER, PERSON, World, bot

Recipe = Callable[[World, str], str]
"""Plays a match of a game to its end; its id."""


def play_on(world: World, match: str) -> None:
    """Bots play, and people play their first listed move, until the end."""
    while world.match(match).status == "running":
        world.now += 1_000
        world.advance(match)
        for seat in world.active(match):
            if not world.match(match).seats[seat].built_in:
                world.play_first(match, seat)


def completed(seats: int, **options: object) -> Recipe:
    def recipe(world: World, slug: str) -> str:
        bots = [bot("greedy"), *(bot("random") for _ in range(seats - 1))]
        match = world.create(*bots, game=slug, options=options)
        play_on(world, match)
        return match

    return recipe


def with_people(world: World, slug: str) -> str:
    """Two people with client seeds, one who resigns, one who is late."""
    from tests.services.matches.test_lifecycle import join  # the same steps as the tests take

    low = HALL[slug].game.seats[0]
    bots = [bot("random") for _ in range(low - 2)]
    match = world.create(OPEN, PERSON, *bots, game=slug, clock_ms=30_000)
    join(world, match, 0, client_seed="ab" * 32)
    world.tycoon.commands.give_client_seed(match, world.holder(match, 1), "cd" * 32, None)
    world.tycoon.commands.start(match, OWNER, None, None)
    for _ in range(6):
        world.now += 31_000
        world.tycoon.timekeeper.time_out(match)
        world.advance(match)
    if world.match(match).status == "running":
        world.tycoon.commands.resign(match, world.holder(match, 1), None)
    finish(world, match)
    return match


def filled(world: World, slug: str) -> str:
    """Somebody joins and leaves again; a bot fills the seat; another bot fails at every move."""
    from tests.services.matches.test_lifecycle import join

    match = world.create(OPEN, bot("raises"), game=slug)
    epoch = ids.epoch_at(join(world, match, 0).first)
    world.tycoon.commands.leave(match, world.holder(match, 0, epoch), None)
    world.tycoon.commands.start(match, OWNER, "random", None)
    play_on(world, match)
    return match


def finish(world: World, match: str) -> None:
    while world.match(match).status == "running":
        world.now += 31_000
        world.tycoon.timekeeper.time_out(match)
        world.advance(match)


def resigned_to_one(world: World, slug: str) -> str:
    match = world.create(PERSON, PERSON, game=slug)
    world.tycoon.commands.resign(match, world.holder(match, 0), None)
    return match


def abandoned(world: World, slug: str) -> str:
    low = max(3, HALL[slug].game.seats[0])
    match = world.create(PERSON, *(bot("random") for _ in range(low - 1)), game=slug)
    world.tycoon.commands.resign(match, world.holder(match, 0), None)
    return match


def expired(world: World, slug: str) -> str:
    low = HALL[slug].game.seats[0]
    match = world.create(OPEN, *(bot() for _ in range(low - 1)), game=slug)
    world.now += 24 * 3_600_000
    world.tycoon.timekeeper.time_out(match)
    return match


def cancelled(world: World, slug: str) -> str:
    low = HALL[slug].game.seats[0]
    match = world.create(*(bot("random") for _ in range(low)), game=slug)
    world.tycoon.commands.cancel(match, OWNER, None)
    return match


def recipes() -> Iterator[tuple[str, str, Recipe]]:
    """Slug, name and recipe of every golden match: each game lists its own."""
    for slug in GAMES:
        module = importlib.import_module(f"tests.games.{slug.replace('-', '_')}.golden")
        for name, recipe in module.RECIPES.items():
            yield slug, name, recipe
    yield "tictactoe", "resigned", resigned_to_one
    yield "tictactoe", "filled-and-faulty", filled
    yield "secrets", "completed", completed(3)


def record_matches() -> None:
    for slug, name, recipe in recipes():
        path = path_of(slug, name)
        if path.exists():
            continue
        world = World()
        match = recipe(world, slug)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(packed(b"".join(world.tycoon.queries.export(match, OWNER))))
        sys.stdout.write(f"recorded {slug}/{name}\n")


def record_events() -> None:
    """One stored event of each type and schema, taken from the golden matches."""
    for path in [p for slug in GAMES for p in paths(slug)] + paths("tictactoe"):
        for raw in load(path).stored:
            stored = msgspec.json.decode(raw)
            golden = event_path(stored["event"]["type"], stored["v"])
            if golden.exists() or stored["event"]["type"].startswith(("tictactoe.", "secrets.")):
                continue
            golden.parent.mkdir(exist_ok=True)
            golden.write_bytes(raw + b"\n")
            sys.stdout.write(f"recorded {golden.name}\n")


def record_shapes() -> None:
    """The shapes of all states that this `SNAPSHOT_SCHEMA` stands for, once."""
    known = msgspec.json.decode(SHAPES.read_bytes()) if SHAPES.exists() else {}
    if str(SNAPSHOT_SCHEMA) in known:
        return
    shapes = {slug: HALL[slug].shape for slug in sorted(GAMES)}
    newest = msgspec.json.encode({str(SNAPSHOT_SCHEMA): shapes})
    SHAPES.write_bytes(msgspec.json.format(newest, indent=2) + b"\n")
    sys.stdout.write(f"recorded the shapes of schema {SNAPSHOT_SCHEMA}\n")


def record_choices() -> None:
    """The choices of each level: those of new matches, and all where its version was raised."""
    before = choices.recorded()
    book = {
        slug: {
            level: choices.renewed(before.get(slug, {}).get(level), choices.chosen(slug, level))
            for level in choices.LEVELS
        }
        for slug in sorted(GAMES)
    }
    if book != before:
        choices.CHOICES.write_bytes(
            msgspec.json.format(msgspec.json.encode(book), indent=2) + b"\n"
        )
        sys.stdout.write("recorded choices\n")


if __name__ == "__main__":
    record_matches()
    record_events()
    record_shapes()
    record_choices()
