"""Hints over HTTP, each answer held against the document."""

from __future__ import annotations

import pytest

from tests.api.server import API_KEY, OPERATOR, PERSON, Server, Table, bot, refused


@pytest.fixture
def table(server: Server) -> Table:
    return server.start(PERSON, PERSON, chance={"first": 0})


def test_a_hint_is_asked_for_and_got(server: Server, table: Table) -> None:
    me, at = table.seats[0], f"{table.at}/hint"
    refused(me.get(at), 404, "hint.none")
    asked = me.post(at, {"level": "search", "budget": {"iterations": 30}})
    assert asked.status_code == 202
    assert asked.headers["Location"] == at
    assert asked.headers["Cache-Control"] == "no-store"
    assert asked.json == {
        "version": 3,
        "status": "thinking",
        "level": "search-30",
        "move": None,
        "iterations": None,
        "leading": [],
    }
    assert server.hints == [(table.id, 0, 3)]
    assert me.get(at).json == asked.json
    server.think_hints()
    ready = me.get(at).json
    assert (ready["status"], ready["version"], ready["iterations"]) == ("ready", 3, 30)
    assert ready["move"] == ready["leading"][0]["move"]
    dry = {"move": ready["move"]}
    assert me.post(f"{table.at}/moves?dry_run=true", dry).json["legal"]


def test_asked_again_it_is_what_is_there(server: Server, table: Table) -> None:
    me, at = table.seats[0], f"{table.at}/hint"
    first = me.post(at, key="k1")
    assert me.post(at, key="k1").json == me.post(at).json == first.json
    assert first.json["level"] == "search-200ms"
    assert len(server.hints) == 1
    server.think_hints()
    again = me.post(at)
    assert (again.status_code, again.json) == (202, me.get(at).json)
    assert again.json["status"] == "ready"
    assert server.hints == []


def test_a_budget_alone_means_search(table: Table) -> None:
    asked = table.seats[0].post(f"{table.at}/hint", {"budget": {"ms": 50}})
    assert asked.json["level"] == "search-50ms"


def test_no_move_waits_for_a_hint(server: Server, table: Table) -> None:
    table.seats[0].post(f"{table.at}/hint")
    assert table.move(0).status_code == 201
    assert table.move(1).status_code == 201
    answer = table.seats[0].post(f"{table.at}/hint")
    refused(answer, 429, "hint.in-work")
    assert answer.headers["Retry-After"] == "1"


def test_who_may_not(server: Server, table: Table) -> None:
    at = f"{table.at}/hint"
    refused(table.seats[1].post(at), 409, "move.not-your-turn")
    refused(server.host.post(at), 403, "auth.no-seat")
    refused(server.client(OPERATOR).post(at), 403, "auth.no-seat")
    refused(server.nobody.post(at), 401, "auth.required")
    table.seats[0].post(at)
    server.think_hints()
    refused(table.seats[1].get(at), 404, "hint.none")
    refused(server.host.get(at), 403, "auth.no-seat")
    refused(server.client(OPERATOR).get(at), 403, "auth.no-seat")
    refused(server.nobody.get(at), 401, "auth.required")
    renewed = server.client(server.host.post(f"{table.at}/seats/0/token").json["token"])
    refused(renewed.get(at), 404, "hint.none")
    refused(table.seats[0].get(at), 401, "auth.bad-token")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"level": "greedy"}, 422, "match.unknown-level"),
        ({"level": "greedy", "budget": {"ms": 100}}, 422, "match.bad-budget"),
        ({"budget": {}}, 422, "match.bad-budget"),
        ({"budget": {"ms": 5_001}}, 422, "match.bad-budget"),
        ({"level": ""}, 400, "request.invalid"),
        ({"seat": 1}, 400, "request.invalid"),
    ],
)
def test_what_no_hint_can_be(server: Server, table: Table, body, status: int, code: str) -> None:
    refused(table.seats[0].post(f"{table.at}/hint", body), status, code)
    assert server.hints == []


def test_switched_off() -> None:
    server = Server(hint_level="")
    table = server.start(PERSON, PERSON, chance={"first": 0})
    refused(table.seats[0].post(f"{table.at}/hint"), 403, "hint.off")
    refused(table.seats[0].get(f"{table.at}/hint"), 404, "hint.none")


@pytest.mark.parametrize("game", ["secrets", "daifugo"])
def test_a_hint_in_a_game_with_hidden_cards(server: Server, game: str) -> None:
    table = server.start(PERSON, PERSON, PERSON, PERSON, game=game)
    seat = table.active()[0]
    table.seats[seat].post(f"{table.at}/hint", {"level": "search-20"})
    server.think_hints()
    told = table.seats[seat].get(f"{table.at}/hint")
    assert told.json["status"] == "ready"
    for credential in (None, API_KEY, OPERATOR):
        assert "visits" not in server.client(credential).get(table.at).text
    assert "visits" not in str(server.lines)
    moved = table.seats[seat].post(
        f"{table.at}/moves", {"move": told.json["move"], "expected_version": told.json["version"]}
    )
    assert moved.status_code == 201


def test_a_bot_that_thinks_long_does_not_hinder_a_hint(server: Server) -> None:
    table = server.start(PERSON, bot("search-1000ms"), chance={"first": 0})
    table.seats[0].post(f"{table.at}/hint", {"level": "search-20"})
    server.think_hints()
    assert table.seats[0].get(f"{table.at}/hint").json["status"] == "ready"
