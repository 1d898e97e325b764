"""Something that happens once between a read and a write, as another process might do it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.services.world import World


class Between:
    """A port on which something happens once, right before or after a method."""

    def __init__(self, port: Any, method: str, happens: Callable[[], Any], *, after: bool) -> None:
        self._port, self._method, self._happens, self._after = port, method, happens, after

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._port, name)
        if name != self._method or self._happens is None:
            return real

        def call(*args: Any, **kwargs: Any) -> Any:
            happens, self._happens = self._happens, None
            if not self._after and happens is not None:
                happens()
            answer = real(*args, **kwargs)
            if self._after and happens is not None:
                happens()
            return answer

        return call


def between(
    world: World, port: str, method: str, happens: Callable[[], Any], *, after: bool = True
) -> None:
    """Another process of the world in which something happens once at a method of a port."""
    changed = Between(getattr(world.stores, port), method, happens, after=after)
    honest = world.stores
    world.stores = replace(honest, **{port: changed})
    world.tycoon = world.build()
    world.stores = honest
