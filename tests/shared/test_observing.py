"""The Redis adapter tells how each append ended, and how long it took."""

from __future__ import annotations

from typing import Any

import pytest

from api.cli.servers import free_port
from shared.errors import Unavailable
from shared.observing import FAILED, Nobody
from shared.redis_client import connect
from shared.redis_store import RedisEvents
from shared.store import Append, CommandRecord, TokenRevoked, VersionConflict

COMMAND = Append(
    match="m_" + "a" * 26,
    expected=0,
    events=[b"{}"],
    game="daifugo",
    status="running",
    command=("id", CommandRecord("body", 201, 1, 1)),
)
RIVAL = Append(match=COMMAND.match, expected=0, events=[b"{}"], game="daifugo", status="running")
STRANGER = Append(
    match=COMMAND.match, expected=1, events=[b"{}"], game="daifugo", status="running", holder=(0, 7)
)


class Listener(Nobody):
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str]] = []

    def appended(self, command: Append, outcome: str, seconds: float) -> None:
        assert 0 < seconds < 10
        self.told.append((command.match, outcome))


def test_every_outcome_of_an_append_is_told(real_redis: Any, redis_url: str) -> None:
    listener = Listener()
    store = RedisEvents(connect(redis_url, timeout_ms=5_000), listener)
    store.append(COMMAND)
    store.append(COMMAND)
    with pytest.raises(VersionConflict):
        store.append(RIVAL)
    with pytest.raises(TokenRevoked):
        store.append(STRANGER)
    assert {match for match, _ in listener.told} == {COMMAND.match}
    outcomes = [outcome for _, outcome in listener.told]
    assert outcomes == ["stored", "repeated", "conflict", "revoked"]


def test_a_store_that_is_away_is_told() -> None:
    listener = Listener()
    address = f"redis://127.0.0.1:{free_port()}/0"
    store = RedisEvents(connect(address, timeout_ms=500), listener)
    with pytest.raises(Unavailable):
        store.append(COMMAND)
    assert listener.told == [(COMMAND.match, "unavailable")]


def test_a_defect_is_told_too(real_redis: Any, redis_url: str) -> None:
    listener = Listener()
    store = RedisEvents(connect(redis_url, timeout_ms=5_000), listener)
    with pytest.raises(Exception, match="A tuple item must be"):
        store.append(Append(**{**_fields(RIVAL), "events": [object()]}))  # type: ignore[arg-type]
    assert listener.told == [(COMMAND.match, FAILED)]


def _fields(command: Append) -> dict[str, Any]:
    return {name: getattr(command, name) for name in Append.__dataclass_fields__}
