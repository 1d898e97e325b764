"""Series over HTTP, for their tests."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

from tests.api.server import (
    Client,
    Json,
    Server,
)
from tests.services.series.table import SEED

NEW: Json = {
    "game": "tictactoe",
    "bots": [{"level": "greedy"}, {"level": "random"}],
    "matches": 12,
    "seed": SEED,
}
NOWHERE = "/v1/series/s_" + "a" * 26


def create(client: Client, **more: Any) -> Json:
    answer = client.post("/v1/series", {**NEW, **more})
    assert answer.status_code == 202, answer.text
    return answer.json


def at(series: Json) -> str:
    return f"/v1/series/{series['id']}"


def work(server: Server, series: Json, moves: int | None = None) -> None:
    """A worker's task: to the end, or only so many moves of one slice."""
    looks = count()
    worker = server.tycoon.series_worker
    worker._stopping = lambda: moves is not None and next(looks) > moves
    worker.work(series["id"])


def lines(answer: Any) -> list[Json]:
    assert answer.status_code == 200
    return [json.loads(line) for line in answer.text.splitlines()]


def levels(*names: str) -> Json:
    return [{"level": name} for name in names]


def searching(**budget: Any) -> Json:
    return [{"level": "search", "budget": budget}, {"level": "random"}]
