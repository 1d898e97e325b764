"""The whole system for tests; every test in this folder is marked `e2e`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.harness import Running, running


@pytest.fixture(scope="session")
def system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A running Tycoon that tests share: leave its processes alone. (Use `running` to hurt one.)"""
    with running(tmp_path_factory.mktemp("system")) as tycoon:
        yield tycoon
