"""A refusal crosses from one process to another as it is."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import pytest

from shared import errors
from shared.errors import IllegalMove, Refused


def kinds(kind: type[Refused]) -> Iterator[type[Refused]]:
    yield kind
    for narrower in kind.__subclasses__():
        yield from kinds(narrower)


OURS = [kind for kind in kinds(Refused) if kind.__module__ == errors.__name__]


def made(kind: type[Refused]) -> Refused:
    if issubclass(kind, IllegalMove):
        return kind("game.no", "G-1.2", "It may not be.")
    return kind("scope.no", "It may not be.", rule="G-1.2", errors=[{"pointer": "/a"}])


@pytest.mark.parametrize("kind", OURS)
def test_it_is_the_same_on_the_other_side(kind: type[Refused]) -> None:
    there = made(kind)
    here = pickle.loads(pickle.dumps(there))
    assert type(here) is kind
    assert str(here) == "It may not be."
    assert vars(here) == vars(there)
    assert here.args == there.args


def test_every_kind_is_among_them() -> None:
    assert len(OURS) >= 12
