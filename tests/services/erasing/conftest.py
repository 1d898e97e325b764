"""A world in which everybody still has a name."""

from __future__ import annotations

import pytest

from tests.services.world import World


@pytest.fixture
def world() -> World:
    return World()
