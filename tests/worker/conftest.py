"""Fixtures of the worker's tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from celery import Celery

from shared.settings import Settings
from tests.worker.working import KEY
from worker.app import make_app


@pytest.fixture
def settings(real_redis: Any, redis_url: str, tmp_path: Path) -> Settings:
    return Settings(
        events_url=redis_url,
        broker_url=redis_url,
        server_key=KEY,
        extra_games="tests.toys.tictactoe:GAME",
        archive_url=str(tmp_path / "archive"),
    )


@pytest.fixture
def app(settings: Settings) -> Celery:
    return make_app(settings)
