"""Fixtures of the API's tests."""

from __future__ import annotations

import pytest

from tests.api.server import Server


@pytest.fixture
def server() -> Server:
    return Server()
