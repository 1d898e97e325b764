"""Archived matches in a running system: out of the store's memory, and as before for who asks."""

from __future__ import annotations

import pytest

from shared.redis_client import connect
from shared.redis_keys import match_keys
from tests.e2e.harness import Running, eventually

pytestmark = pytest.mark.e2e
ASKS = ("", "?version=5", "?seat=1", "/events?after=3", "/thoughts", "/export")
LEFT = 300
"""Bytes of the store that an archived match may still take."""


def answers(system: Running, match: str) -> list[bytes]:
    with system.client() as host:
        found = [host.get(f"/v1/matches/{match}{ask}") for ask in ASKS]
    assert [answer.status_code for answer in found] == [200] * len(ASKS)
    return [answer.content for answer in found]


def test_archived_matches_leave_the_store_and_come_back(system: Running) -> None:
    matches = [system.match("daifugo", *["greedy"] * 4) for _ in range(5)]
    matches += [system.match("tictactoe", "greedy", "greedy")]
    for match in matches:
        system.ended(match)
    client = connect(system.system.settings.events_url, timeout_ms=5_000)

    def used(match: str) -> int:
        keys = client.keys(f"*:m:{match}:*")
        return sum(client.memory_usage(key) or 0 for key in keys)

    before = {match: answers(system, match) for match in matches}
    weights = {match: used(match) for match in matches}
    assert min(weights.values()) > LEFT

    def outcomes(path: str) -> set[str]:
        with system.client(system.operator_key) as operator:
            told = operator.post(path, json={"matches": matches}).json()["items"]
        return {item["outcome"] for item in told}

    # The last ones are still being folded, perhaps.
    eventually(lambda: outcomes("/v1/admin/archive") == {"already"})

    for match in matches:
        assert client.keys(f"*:m:{match}:*") == [match_keys(match).meta.encode()]
        assert used(match) < LEFT
        assert answers(system, match) == before[match]
    with system.client() as host:
        listed = {row["id"] for row in host.get("/v1/matches?limit=200").json()["items"]}
    assert listed >= set(matches)

    assert outcomes("/v1/admin/archive/restore") == {"restored"}
    assert {match: answers(system, match) for match in matches} == before
    eventually(lambda: all(used(match) >= weights[match] * 0.9 for match in matches))
    client.close()
