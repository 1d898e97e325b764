"""A world with matches in every state, and what a check of it tells."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from msgspec.structs import replace

from services.bootstrap import Tycoon
from services.upkeep.refolding import Difference, Refolded
from shared.store import PARTITIONS
from tests.services.world import OPEN, OWNER, PERSON, World, bot
from tests.toys import tictactoe


def check(tycoon: Tycoon, **only: Any) -> tuple[list[Difference], Refolded]:
    found = Refolded()
    told: list[tuple[int, int]] = []
    differing = list(
        tycoon.refolding.check(found, lambda done, total: told.append((done, total)), **only)
    )
    assert not told or told[-1][0] == told[-1][1], "the bar comes to its end"
    return differing, found


def what(tycoon: Tycoon) -> dict[str, tuple[str, ...]]:
    """Differing matches with what differs."""
    return {each.match: each.what for each in check(tycoon)[0]}


class Full(World):
    """Matches in every state, with their projections at the head."""

    def __init__(self) -> None:
        super().__init__()
        ann = replace(PERSON, name="Ann", ref="user-1")
        self.won = self.create(bot(), bot("random"))
        self.hidden = self.create(bot(), bot(), bot(), game="secrets")
        self.running = self.create(ann, PERSON, chance={"first": 0})
        self.waiting = self.create(ann, OPEN)
        self.resigned = self.create(ann, PERSON)
        self.cancelled = self.create(PERSON, PERSON, visibility="public")
        self.move(self.running, 0, {"type": "place", "at": 4})
        self.tycoon.commands.resign(self.resigned, self.holder(self.resigned, 0), None)
        self.tycoon.commands.cancel(self.cancelled, OWNER, None)
        self.all = [m for number in range(PARTITIONS) for m in self.stores.events.matches(number)]
        self.tycoon.advancer.advance(self.all)

    @property
    def kept(self) -> Any:
        """What the memory store has of each match."""
        return self.stores.events.kept  # type: ignore[attr-defined]  # it lies open there

    @property
    def snapshots(self) -> Any:
        return self.stores.events.snapshots  # type: ignore[attr-defined]  # the same

    def rows(self, name: str, game: str = "tictactoe") -> Any:
        return self.stores.lists._rows[name, game, 1]  # type: ignore[attr-defined]  # the same

    def new_build(self, monkeypatch: pytest.MonkeyPatch, **changes: Any) -> Tycoon:
        """Another build, whose tic-tac-toe differs in some functions."""
        monkeypatch.setattr(tictactoe, "GAME", dataclasses.replace(tictactoe.GAME, **changes))
        return self.build()
