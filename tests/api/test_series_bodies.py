"""What a new series may be, and what is refused."""

from __future__ import annotations

import pytest

from tests.api.series import NEW, create, levels, searching
from tests.api.server import (
    Json,
    Server,
    document,
    refused,
)

BAD: list[tuple[Json, int, str]] = [
    ({"matches": 0}, 400, "request.invalid"),
    ({"matches": -1}, 400, "request.invalid"),
    ({"matches": 1.5}, 400, "request.invalid"),
    ({"matches": "10"}, 400, "request.invalid"),
    ({"matches": 100_001}, 422, "series.match-count"),
    ({"matches": 10**18}, 400, "request.invalid"),
    ({"at_once": 0}, 400, "request.invalid"),
    ({"at_once": 65}, 400, "request.invalid"),
    ({"game": "chess"}, 422, "match.unknown-game"),
    ({"game": ""}, 400, "request.invalid"),
    ({"bots": []}, 400, "request.invalid"),
    ({"bots": levels("greedy")}, 422, "match.seat-count"),
    ({"bots": levels("greedy", "random", "random")}, 422, "match.seat-count"),
    ({"game": "daifugo", "bots": levels(*["random"] * 3)}, 422, "daifugo.wrong-number-of-seats"),
    ({"game": "daifugo", "bots": levels(*["random"] * 9)}, 422, "daifugo.wrong-number-of-seats"),
    ({"bots": levels(*["random"] * 17)}, 400, "request.invalid"),
    ({"bots": levels("greedy", "clever")}, 422, "match.unknown-level"),
    ({"bots": levels("greedy", "search-0")}, 422, "match.unknown-level"),
    ({"bots": levels("greedy", "search-99999")}, 422, "match.bad-budget"),
    ({"bots": levels("greedy", "search-5ms")}, 422, "match.bad-budget"),
    ({"bots": ["greedy", "random"]}, 400, "request.invalid"),
    ({"bots": [{"level": "greedy", "name": "Bo"}, {"level": "random"}]}, 400, "request.invalid"),
    ({"bots": [{"level": "greedy", "budget": {"iterations": 9}}] * 2}, 422, "match.bad-budget"),
    ({"bots": searching()}, 422, "match.bad-budget"),
    ({"bots": searching(iterations=0)}, 422, "match.bad-budget"),
    ({"bots": searching(iterations=10_001)}, 422, "match.bad-budget"),
    ({"bots": searching(ms=9)}, 422, "match.bad-budget"),
    ({"bots": searching(ms=20_001)}, 422, "match.bad-budget"),
    ({"bots": searching(iterations=50, ms=50)}, 422, "match.bad-budget"),
    ({"bots": searching(iterations="50")}, 400, "request.invalid"),
    ({"bots": searching(hours=1)}, 400, "request.invalid"),
    ({"options": {"size": 9}}, 400, "request.invalid"),
    ({"options": {"colour": "red"}}, 400, "request.invalid"),
    ({"options": []}, 400, "request.invalid"),
    ({"seed": "5e" * 31}, 400, "request.invalid"),
    ({"seed": "5E" * 32}, 400, "request.invalid"),
    ({"seed": 7}, 400, "request.invalid"),
    ({"rotation": "random"}, 400, "request.invalid"),
    ({"rotation": "none", "paired": True}, 422, "series.pairs-without-rotation"),
    ({"paired": "yes"}, 400, "request.invalid"),
    ({"keep": "nothing"}, 400, "request.invalid"),
    ({"pace_ms": 0}, 400, "request.invalid"),
    ({"chance": {"first": 0}}, 400, "request.invalid"),
    ({"bots": None}, 400, "request.invalid"),
]


@pytest.mark.parametrize(("more", "status", "code"), BAD, ids=[str(more) for more, *_ in BAD])
def test_what_cannot_be_played_is_refused_and_nothing_stored(
    server: Server, more: Json, status: int, code: str
) -> None:
    before = server.snapshot()
    for key in (None, "a-key"):
        answer = server.host.post("/v1/series", {**NEW, **more}, key=key)
        problem = refused(answer, status, code)
        assert problem["detail"].endswith(".")
    assert server.snapshot() == before
    assert server.host.post("/v1/series", NEW, key="a-key").status_code == 202


@pytest.mark.parametrize("name", ["game", "bots", "matches"])
def test_what_must_be_named(server: Server, name: str) -> None:
    body = {key: value for key, value in NEW.items() if key != name}
    problem = refused(server.host.post("/v1/series", body), 400, "request.invalid")
    assert [error["pointer"] for error in problem["errors"]] == [f"/{name}"]


def test_budgets_in_time_are_marked_as_not_reproducible(server: Server) -> None:
    exact = create(server.host, bots=searching(iterations=50))
    assert exact["reproducible"]
    assert exact["bots"] == ["search-50", "random"]
    assert exact["made_by"]["bots"][0]["budget"] == {"iterations": 50, "ms": None}
    timed = create(server.host, bots=searching(ms=50))
    assert not timed["reproducible"]
    assert timed["made_by"]["bots"][0]["budget"] == {"iterations": None, "ms": 50}


def test_each_games_form_of_a_new_series_is_exact() -> None:
    schemas = document().content["components"]["schemas"]
    daifugo = schemas["NewDaifugoSeries"]["properties"]
    assert document().resolve(daifugo["options"])["additionalProperties"] is False
    assert (daifugo["bots"]["minItems"], daifugo["bots"]["maxItems"]) == (4, 8)
