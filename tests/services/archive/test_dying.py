"""Whoever archives, restores or removes may die at any call of a store or of the files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import msgspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from services.bootstrap import Stores, Tycoon
from shared.clocks import DAY_MS
from shared.errors import NotFound
from tests.services.archive.test_retention import files, listed, played
from tests.services.world import OWNER, World

FILES = ("pipe_file", "cat_file", "rm", "ls")
CALLS = 100


class Killed(BaseException):
    """The end of a process: nothing of it gets another chance."""


class Doom:
    """Ends a process at one of its calls, before or after it is done."""

    def __init__(self, at: int, *, after: bool) -> None:
        self._left = at
        self._after = after
        self.sleeping = True

    def over(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def made(*given: Any, **more: Any) -> Any:
            if self.sleeping:
                return call(*given, **more)
            fatal, self._left = self._left == 0, self._left - 1
            if fatal and not self._after:
                raise Killed
            answer = call(*given, **more)
            if fatal:
                raise Killed
            return answer

        return made


class Doomed:
    """A store all of whose calls count."""

    def __init__(self, store: Any, doom: Doom) -> None:
        self._store = store
        self._doom = doom

    def __getattr__(self, name: str) -> Any:
        return self._doom.over(getattr(self._store, name))


def doomed_process(world: World, doom: Doom, monkeypatch: pytest.MonkeyPatch) -> Tycoon:
    """Services whose every call counts; the stores stay as they are for everybody else."""
    sound = world.stores
    named = {field.name: Doomed(getattr(sound, field.name), doom) for field in fields(Stores)}
    for name in FILES:
        monkeypatch.setattr(MemoryFileSystem, name, doom.over(getattr(MemoryFileSystem, name)))
    world.stores = Stores(**named)
    try:
        return world.build()
    finally:
        world.stores = sound


def deaths(ask: Callable[[Doom], None], check: Callable[[], None], *, after: bool) -> int:
    """Dies at each call in turn, until one survives; how often that was."""
    for at in range(CALLS):
        doom = Doom(at, after=after)
        try:
            ask(doom)
        except Killed:
            doom.sleeping = True
            check()
            continue
        return at
    raise AssertionError("it never ends")


def export(world: World, match: str) -> bytes:
    return b"".join(world.build().queries.export(match, OWNER))


@pytest.fixture
def world() -> World:
    return World(archive_days=1, remove_days=0)


@pytest.mark.parametrize("after", [False, True])
def test_who_dies_while_archiving_or_restoring_has_lost_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    [match] = played(world)
    told = export(world, match)
    world.now += 2 * DAY_MS

    def archives(doom: Doom) -> None:
        with monkeypatch.context() as patched:
            process = doomed_process(world, doom, patched)
            doom.sleeping = False
            process.retention.carry_out()

    def restores(doom: Doom) -> None:
        with monkeypatch.context() as patched:
            process = doomed_process(world, doom, patched)
            doom.sleeping = False
            process.archive.restore([match])

    def check() -> None:
        assert export(world, match) == told
        assert listed(world) == {match}

    assert deaths(archives, check, after=after) >= 5
    assert world.stores.wholes.place(match) is not None
    check()
    assert len(files(world)) == 1, "written again, it is the same file"
    assert deaths(restores, check, after=after) >= 3
    assert world.stores.wholes.place(match) is None
    check()


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("archived", [False, True])
def test_who_dies_while_removing_leaves_nothing_that_the_next_one_does_not_find(
    world: World, monkeypatch: pytest.MonkeyPatch, after: bool, archived: bool
) -> None:
    [match] = played(world)
    told = export(world, match)
    if archived:
        world.tycoon.archive.archive([match])
    world.now += 2 * DAY_MS
    days = {"archive_days": 0, "remove_days": 1}
    world.settings = msgspec.structs.replace(world.settings, **days)

    def removes(doom: Doom) -> None:
        with monkeypatch.context() as patched:
            process = doomed_process(world, doom, patched)
            doom.sleeping = False
            process.retention.carry_out()

    def check() -> None:
        try:
            assert export(world, match) == told
        except NotFound:
            left = bool(listed(world) or files(world))
            assert not left or world.build().retention.is_due(), "another one goes on"

    assert deaths(removes, check, after=after) >= 5
    with pytest.raises(NotFound):
        export(world, match)
    assert listed(world) == set()
    assert files(world) == []
    assert not world.build().retention.is_due()
