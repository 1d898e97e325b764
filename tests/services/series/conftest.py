"""A store, files and a clock that only the test moves; a whole server over files."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.series.files import Files
from shared.memory_series import MemorySeries
from tests.services.series.dying import (
    Clock,
)
from tests.services.world import World


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(clock: Clock) -> MemorySeries:
    return MemorySeries(clock)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(str(tmp_path))


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(archive_url=str(tmp_path))
