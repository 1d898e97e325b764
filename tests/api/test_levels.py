"""Levels of bots over HTTP: what the catalogue names, and budgets beside a level."""

from __future__ import annotations

from typing import Any

import pytest

from services.bots.levels import policy_for
from services.registry import GAMES
from tests.api.server import OPEN, PERSON, Server, bot, refused


def searching(**budget: int) -> Any:
    return {"kind": "bot", "level": "search", "budget": budget}


@pytest.mark.parametrize("game", list(GAMES))
def test_the_catalogue_names_levels_the_strongest_last_and_the_form_of_budgets(
    server: Server, game: str
) -> None:
    found = server.nobody.get(f"/v1/games/{game}").json
    assert found["levels"][:2] == ["random", "greedy"]
    assert found["levels"][-1] == "search-2000ms"
    assert "search" in found["levels"]
    for level in found["levels"]:
        assert policy_for(GAMES[game], level)
    assert found["budgets"] == {
        "level": "search",
        "default": {"iterations": 200},
        "iterations": {"min": 1, "max": 1_000},
        "ms": {"min": 50, "max": 20_000},
        "iteration_ms": 5,
    }


def test_level_and_budget_of_a_seat_become_one_level(server: Server) -> None:
    table = server.start(PERSON, searching(iterations=50))
    assert table.look()["seats"][1]["level"] == "search-50"
    table = server.start(PERSON, searching(ms=300))
    assert table.look()["seats"][1]["level"] == "search-300ms"
    table = server.start(PERSON, bot("search-400"))
    assert table.look()["seats"][1]["level"] == "search-400"


def test_open_seats_are_filled_with_a_level_and_a_budget(server: Server) -> None:
    table = server.start(PERSON, OPEN)
    body = {"fill": "search", "budget": {"iterations": 30}}
    assert server.host.post(f"{table.at}/start", body).status_code == 201
    assert table.look()["seats"][1]["level"] == "search-30"


@pytest.mark.parametrize(
    "seat",
    [
        searching(),
        searching(iterations=5, ms=50),
        searching(iterations=0),
        searching(iterations=10_001),
        searching(iterations=-(2**62)),
        searching(ms=9),
        searching(ms=20_001),
        {**bot("greedy"), "budget": {"ms": 100}},
        {**bot("search-50"), "budget": {"iterations": 50}},
        {"kind": "bot", "budget": {"iterations": 50}},
        {"kind": "person", "budget": {"iterations": 50}},
        bot("search-10001"),
        bot("search-5ms"),
    ],
    ids=str,
)
def test_a_budget_that_cannot_be_is_refused(server: Server, seat: Any) -> None:
    new = {"game": "tictactoe", "seats": [PERSON, seat]}
    refused(server.host.post("/v1/matches", new), 422, "match.bad-budget")


@pytest.mark.parametrize("level", ["search-", "search-05", "search-5s", "searching", "Search"])
def test_what_is_no_form_of_search_is_an_unknown_level(server: Server, level: str) -> None:
    new = {"game": "tictactoe", "seats": [PERSON, bot(level)]}
    refused(server.host.post("/v1/matches", new), 422, "match.unknown-level")
    table = server.start(PERSON, OPEN)
    refused(server.host.post(f"{table.at}/start", {"fill": level}), 422, "match.unknown-level")


@pytest.mark.parametrize("budget", [{"ms": "100"}, {"ms": 1.5}, {"s": 1}, [], None, 5])
def test_a_budget_of_another_form_does_not_fit_the_schema(server: Server, budget: Any) -> None:
    new = {"game": "tictactoe", "seats": [PERSON, {**bot("search"), "budget": budget}]}
    refused(server.host.post("/v1/matches", new), 400, "request.invalid")


def test_a_bad_budget_for_open_seats_changes_nothing(server: Server) -> None:
    table = server.start(PERSON, OPEN)
    for body in ({"budget": {"ms": 100}}, {"fill": "greedy", "budget": {"ms": 100}}):
        refused(server.host.post(f"{table.at}/start", body), 422, "match.bad-budget")
    assert table.look()["status"] == "waiting"
