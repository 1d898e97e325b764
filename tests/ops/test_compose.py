"""`docker-compose.yml`: against the specification, the settings class, the tasks and our rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.ops import compose, mutation
from tests.ops.rules.programs import SETTINGS

Object = dict[str, Any]


def test_it_is_as_the_specification_and_we_want_it() -> None:
    told, _ = compose.loaded()
    assert compose.schema_faults(told) == []
    assert compose.faults(told) == []


def test_every_variable_that_it_asks_for_is_a_setting() -> None:
    _, asked = compose.loaded()
    assert asked
    assert {variable.removeprefix("TYCOON_").lower() for variable in asked} <= SETTINGS


@pytest.mark.parametrize("mutants", [mutation.misspelled_keys, mutation.misspelled_words])
def test_whatever_is_misspelled_is_caught(
    mutants: Callable[[Object], Iterator[mutation.Mutant]],
) -> None:
    told, _ = compose.loaded()
    missed = {
        path
        for path, _, mutant in mutants(told)
        if not (compose.schema_faults(mutant) or compose.faults(mutant))
    }
    assert missed <= {"name"}


MISTAKES: dict[str, Callable[[Any], object]] = {
    "a grace below the visibility timeout": lambda s: s["worker-think"].update(
        stop_grace_period="60s"
    ),
    "a store that anyone reaches": lambda s: s["events"].update(ports=["6379:6379"]),
    "secrets that a worker may write": lambda s: s["worker-advance"].update(
        volumes=["secrets:/secrets"]
    ),
    "a store without room for a rewrite": lambda s: s["events"]["deploy"]["resources"][
        "limits"
    ].update(memory="600M"),
    "a worker that can't read the archive": lambda s: s["worker-advance"]["volumes"].pop(),
    "a worker that can't write the archive": lambda s: s["worker-series"].update(
        volumes=s["worker-ops"]["volumes"]
    ),
    "no worker for a queue": lambda s: s.pop("worker-series"),
    "a start before the store answers": lambda s: s["api"]["depends_on"]["events"].update(
        condition="service_started"
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_that_is_spelled_right_is_caught(mistake: str) -> None:
    told, _ = compose.loaded()
    MISTAKES[mistake](told["services"])
    assert compose.faults(told)
