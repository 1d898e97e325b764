"""What is told of bots: every thought with its time, every fault by its kind."""

from __future__ import annotations

from typing import Any

import pytest

from services.bootstrap import build
from shared.observing import Nobody
from tests.services.world import World, bot


class Listener(Nobody):
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.thoughts: list[tuple[str, str]] = []
        self.faults: list[tuple[str, str]] = []

    def thought(self, game: str, level: str, seconds: float) -> None:
        assert seconds >= 0
        self.thoughts.append((game, level))

    def fault(self, game: str, kind: str) -> None:
        self.faults.append((game, kind))


def played(*levels: str) -> tuple[Listener, list[str]]:
    """A match of bots, advanced once, with its log."""
    world, listener = World(), Listener()
    given: dict[str, Any] = {
        "clock": world.clock,
        "wake": lambda match: None,
        "think": lambda match, version: None,
        "report": lambda match, broken: None,
    }
    tycoon = build(world.settings, world.stores, observer=listener, **given)
    match = world.create(*(bot(level) for level in levels))
    tycoon.advancer.advance([match])
    return listener, world.log(match)


def test_every_move_of_a_bot_was_a_thought() -> None:
    listener, log = played("greedy", "random")
    assert len(listener.thoughts) == log.count("tictactoe.placed") > 4
    assert set(listener.thoughts) == {("tictactoe", "greedy"), ("tictactoe", "random")}
    assert listener.faults == []


@pytest.mark.parametrize(("level", "kind"), [("raises", "raised"), ("illegal", "illegal")])
def test_every_fault_that_is_recorded_is_told(level: str, kind: str) -> None:
    listener, log = played(level, "greedy")
    assert listener.faults == [("tictactoe", kind)] * log.count("match.fault_recorded")
    assert listener.faults
