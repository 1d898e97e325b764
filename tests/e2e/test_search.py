"""Bots that search, hints and thoughts in the running system."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.e2e.harness import Running, eventually

pytestmark = pytest.mark.e2e


def test_bots_of_search_play_against_greedy_to_the_end_and_tell_why_afterwards(
    system: Running,
) -> None:
    levels = ("search-20", "greedy", "search-20", "greedy")
    match = system.match("daifugo", *levels, options={"rounds": 1})
    assert system.ended(match, within_s=60)["result"]["reason"] == "completed"
    moved = [event["version"] for event in system.events(match) if "move" in event]
    with system.client() as client:
        page = client.get(f"/v1/matches/{match}/thoughts", params={"limit": 200}).json()
    assert page["next"] is None
    assert [item["version"] for item in page["items"]] == moved
    told = [item for item in page["items"] if item["leading"]]
    assert told
    assert {item["level"] for item in told} == {"search-20"}
    for item in told:
        assert 0 < item["iterations"] <= 20
        assert item["took_ms"] > 0


def test_a_hint_is_thought_by_a_worker_and_seen_by_its_seat_alone(system: Running) -> None:
    created = system.created("tictactoe", "person", "greedy", chance={"first": 0})
    match, token = created["match"]["id"], created["tokens"][0]["token"]
    at = f"/v1/matches/{match}/hint"
    with system.client(token) as me, system.client() as host:
        asked = me.post(at, json={"level": "search", "budget": {"ms": 100}})
        assert asked.status_code == 202, asked.text

        def ready() -> dict[str, Any] | None:
            found = dict(me.get(asked.headers["Location"]).json())
            return found if found["status"] == "ready" else None

        hint = eventually(ready, within_s=20)
        assert (hint["version"], hint["level"]) == (3, "search-100ms")
        assert hint["iterations"] > 0
        assert host.get(at).status_code == 403
        assert host.get(f"/v1/matches/{match}/thoughts").json()["code"] == "match.not-over"
        body = {"move": hint["move"], "expected_version": hint["version"]}
        assert me.post(f"/v1/matches/{match}/moves", json=body).status_code == 201
    lines = [json.loads(x) for x in system.log("thinker").splitlines() if x.startswith("{")]
    [line] = [x for x in lines if x.get("command") == "hint" and x["match"] == match]
    assert line["answered"]
    assert "move" not in line


def test_a_search_that_thinks_long_plays_where_a_person_sits(system: Running) -> None:
    created = system.created(
        *("tictactoe", "person", "search-300ms"), chance={"first": 1}, pace_ms=500
    )
    match = created["match"]["id"]
    eventually(lambda: system.get(match)["version"] > 3, within_s=20)
    seen = eventually(lambda: system.get(match) if system.get(match)["active"] == [0] else None)
    assert seen["status"] == "running"
