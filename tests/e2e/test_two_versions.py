"""The next version beside this one: a raised schema of projections, and a game with a new event."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from services.hosted import SNAPSHOT_SCHEMA
from shared.redis_client import connect
from shared.redis_store import RedisEvents
from shared.store import Snapshot
from tests.e2e.fleet import Fleet, fleet
from tests.e2e.harness import ROOT, eventually

pytestmark = pytest.mark.e2e
NEXT = SNAPSHOT_SCHEMA + 1
WITHIN_S = 40.0
TTT = {
    "game": "tictactoe",
    "seats": [{"kind": "person"}, {"kind": "bot", "level": "greedy"}],
    "chance": {"first": 0},
    "pace_ms": 0,
}


def next_version(folder: Path) -> Path:
    """A copy of the code whose folds are another schema's."""
    for package in ("api", "services", "shared", "worker"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, folder / package, ignore=ignored)
    source = folder / "services" / "hosted.py"
    code = source.read_text()
    line = f"SNAPSHOT_SCHEMA = {SNAPSHOT_SCHEMA}\n"
    assert code.count(line) == 1
    source.write_text(code.replace(line, f"SNAPSHOT_SCHEMA = {NEXT}\n"))
    return folder


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    """The first of each process is of this version, the second of the next one."""
    code = next_version(tmp_path_factory.mktemp("next"))
    with fleet(tmp_path_factory.mktemp("both"), following=code) as two:
        yield two


def ask(two: Fleet, api: str, method: str, path: str, token: str = "", **given: Any) -> Any:
    headers = {"Authorization": f"Bearer {token or two.system.api_key}"}
    return httpx.request(method, two.urls[api] + path, headers=headers, timeout=30, **given)


def place(two: Fleet, api: str, match: str, token: str, cell: int) -> Any:
    body = {"move": {"type": "place", "at": cell}}
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": f"at-{cell}"}
    url = f"{two.urls[api]}/v1/matches/{match}/moves"
    return httpx.post(url, json=body, headers=headers, timeout=30)


def store(two: Fleet) -> RedisEvents:
    return RedisEvents(connect(two.system.system.settings.events_url, timeout_ms=5_000))


def stored(two: Fleet, match: str) -> tuple[int, Snapshot | None]:
    """Head, and the projection."""
    loaded = store(two).load(match)
    assert loaded is not None
    return loaded.head.version, loaded.snapshot


def up_to_date(two: Fleet, match: str, schema: int) -> bool:
    head, snapshot = stored(two, match)
    return snapshot is not None and (snapshot.schema, snapshot.version) == (schema, head)


def test_an_old_worker_leaves_what_a_new_api_has_begun(both: Fleet) -> None:
    both.only("api-b", "worker-a")
    made = ask(both, "api-b", "POST", "/v1/matches", json=TTT).json()
    match, token = made["match"]["id"], made["tokens"][0]["token"]
    assert place(both, "api-b", match, token, 4).status_code == 201
    log = store(both).events(match)
    assert any(b"tictactoe.applauded" in event for event in log)

    def reported() -> bool:
        lines = both.said("worker-a").splitlines()
        return any(match in line and "Newer" in line for line in lines)

    eventually(reported, WITHIN_S)
    assert store(both).events(match) == log, "no bot has moved on half a state"
    _, snapshot = stored(both, match)
    assert snapshot is None or snapshot.version < len(log)
    # The new API serves it all the same, and new workers go on with it as they come.
    seen = ask(both, "api-b", "GET", f"/v1/matches/{match}", token)
    assert (seen.status_code, seen.json()["version"]) == (200, len(log))
    both.only("api-b", "worker-b")
    eventually(lambda: stored(both, match)[0] > len(log), WITHIN_S)
    eventually(lambda: up_to_date(both, match, NEXT), WITHIN_S)


def test_an_old_api_and_an_old_worker_amid_what_a_new_worker_wrote(both: Fleet) -> None:
    both.only("api-a", "worker-b")
    new = {
        "game": "daifugo",
        "options": {"rounds": 2},
        "seats": [{"kind": "bot", "level": "random"}] * 4,
        "pace_ms": 50,
    }
    bots = ask(both, "api-a", "POST", "/v1/matches", json=new).json()["match"]["id"]
    made = ask(both, "api-a", "POST", "/v1/matches", json=TTT).json()
    match, token = made["match"]["id"], made["tokens"][0]["token"]

    # The new worker answers the person's move by the next rules, which the old API can't read.
    assert place(both, "api-a", match, token, 4).status_code == 201
    eventually(lambda: up_to_date(both, match, NEXT) and stored(both, match)[0] > 4, WITHIN_S)
    log = store(both).events(match)
    for answer in (
        ask(both, "api-a", "GET", f"/v1/matches/{match}", token),
        place(both, "api-a", match, token, 1),
    ):
        assert (answer.status_code, answer.json()["code"]) == (503, "store.newer")
        assert answer.headers["Retry-After"] == "1"
    assert store(both).events(match) == log

    # What an old worker can read it plays on, and leaves the projection as the new one wrote it.
    eventually(lambda: up_to_date(both, bots, NEXT), WITHIN_S)
    both.only("api-a", "worker-a")
    head, left = stored(both, bots)
    assert left is not None
    assert left.schema == NEXT
    eventually(lambda: stored(both, bots)[0] > head + 10, WITHIN_S)
    assert stored(both, bots)[1] == left
    seen = ask(both, "api-a", "GET", f"/v1/matches/{bots}")
    assert seen.status_code == 200
    assert seen.json()["version"] > head + 10
    # With the new version alone everything is brought up to date, by the marks that were left.
    both.only("api-b", "worker-b")
    for each in (bots, match):
        eventually(lambda each=each: up_to_date(both, each, NEXT), WITHIN_S)
