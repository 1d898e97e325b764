"""What is no whole backup of this form is known before anything is written."""

from __future__ import annotations

from typing import Any

import pytest

from services.upkeep.form import Damaged, Reader
from tests.services.upkeep.truth import a_busy_world, written


@pytest.mark.parametrize("at", [0, 1, 4, -2, -1])
def test_a_changed_byte_is_known_before_anything_is_written(at: int) -> None:
    _, truth = a_busy_world()
    lines = written(truth)
    for position in range(3, len(lines[at]) - 1, 97):
        changed = bytearray(lines[at])
        changed[position] ^= 1
        damaged = [*lines]
        damaged[at] = bytes(changed)
        if at == 0 and lines[0] == damaged[0]:
            continue
        with pytest.raises(Damaged):
            list(Reader(damaged).lines())


@pytest.mark.parametrize(
    "damage",
    [
        lambda lines: lines[:-1],
        lambda lines: lines[1:],
        lambda lines: [*lines[:2], *lines[3:]],
        lambda lines: [lines[0], lines[2], lines[1], *lines[3:]],
        lambda lines: [*lines, lines[1]],
        lambda lines: [*lines[:2], lines[0], *lines[2:]],
        lambda lines: [],
        lambda lines: [b"{}\n"],
        lambda lines: [*lines[:-1], lines[-1][:-9]],
    ],
)
def test_what_is_not_a_whole_backup_is_refused(damage: Any) -> None:
    _, truth = a_busy_world()
    lines = written(truth)
    assert len(list(Reader(lines).lines())) == len(lines) - 2
    with pytest.raises(Damaged):
        list(Reader(damage(lines)).lines())


def test_a_backup_of_another_release_is_told_apart() -> None:
    _, truth = a_busy_world()
    header, *others = written(truth)
    newer = header.replace(b"tycoon-backup/1", b"tycoon-backup/2")
    with pytest.raises(Damaged, match=r"^It has the form tycoon-backup/2; this build reads"):
        Reader([newer, *others])
