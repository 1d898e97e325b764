"""Many clients at once, over real HTTP and several processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.e2e.harness import Running

pytestmark = pytest.mark.e2e


def at_once(count: int, send: Callable[[int], httpx.Response]) -> list[httpx.Response]:
    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(send, range(count)))


def two_people(system: Running) -> tuple[str, list[str]]:
    made = system.created("tictactoe", "person", "person", chance={"first": 0})
    return made["match"]["id"], [row["token"] for row in made["tokens"]]


def post(
    system: Running, path: str, body: Any, token: str, key: str | None = None
) -> httpx.Response:
    headers = {"Authorization": f"Bearer {token}"}
    if key is not None:
        headers["Idempotency-Key"] = key
    return httpx.post(f"{system.url}{path}", json=body, headers=headers, timeout=30)


def test_of_eight_moves_at_one_version_exactly_one_wins(system: Running) -> None:
    match, tokens = two_people(system)

    def move(cell: int) -> httpx.Response:
        body = {"move": {"type": "place", "at": cell}, "expected_version": 3}
        return post(system, f"/v1/matches/{match}/moves", body, tokens[0])

    answers = at_once(8, move)
    assert Counter(a.status_code for a in answers) == {201: 1, 409: 7}
    lost = [a.json() for a in answers if a.status_code == 409]
    assert {(p["code"], p["version"]) for p in lost} == {("match.stale-version", 4)}
    assert len(system.events(match)) == 4


def test_fifty_equal_requests_with_one_key_are_one_event_and_fifty_equal_answers(
    system: Running,
) -> None:
    match, tokens = two_people(system)
    body = {"move": {"type": "place", "at": 4}}
    path = f"/v1/matches/{match}/moves"
    answers = at_once(50, lambda _: post(system, path, body, tokens[0], "the-key"))
    assert {a.status_code for a in answers} == {201}
    assert len({a.content for a in answers}) == 1
    assert len(system.events(match)) == 4
    other = post(system, path, body, tokens[1], "the-key")
    assert other.status_code == 422, "the other seat's own command: that cell is taken"
    assert other.json()["code"] == "tictactoe.taken"


def test_a_repeated_create_is_the_same_match_with_the_same_tokens(system: Running) -> None:
    body = {"game": "daifugo", "seats": [{"kind": "person"}, *[{"kind": "open"}] * 3]}
    answers = at_once(
        10, lambda _: post(system, "/v1/matches", body, system.api_key, "create-once")
    )
    assert {a.status_code for a in answers} == {201}
    assert len({a.content for a in answers}) == 1
    assert answers[0].json()["tokens"]


def test_two_people_can_not_take_one_seat(system: Running) -> None:
    made = system.created("tictactoe", "person", "person", start=False)
    match = post(
        system,
        "/v1/matches",
        {"game": "tictactoe", "seats": [{"kind": "person"}, {"kind": "open"}]},
        system.api_key,
    ).json()
    (link,) = match["links"]
    path = f"/v1/matches/{match['match']['id']}/seats"
    answers = at_once(6, lambda n: httpx.post(f"{system.url}{path}", json={"code": link["code"]}))
    assert Counter(a.status_code for a in answers) == {201: 1, 409: 5}
    assert made["match"]["status"] == "waiting"
