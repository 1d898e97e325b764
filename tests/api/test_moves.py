"""Moves: what is listed, tried, refused."""

from __future__ import annotations

import pytest

from tests.api.server import PERSON, Server, bot, refused


def table_of(server: Server, game: str):
    seats = [PERSON, PERSON] + ([] if game == "tictactoe" else [PERSON, PERSON])
    return server.start(*seats, game=game)


@pytest.mark.parametrize("game", ["tictactoe", "daifugo", "secrets"])
def test_a_dry_run_of_every_legal_move_changes_and_draws_nothing(server: Server, game: str) -> None:
    table = table_of(server, game)
    for _ in range(6):
        seat = table.active()[0]
        before = server.snapshot()
        listed = table.seats[seat].get(f"{table.at}/moves", preview=True).json
        for item in listed["moves"]:
            move = item["move"]
            if move["type"] == "bid_range":  # a template, not a move
                move = {"type": "bid", "coins": move["high"]}
            tried = table.seats[seat].post(f"{table.at}/moves?dry_run=true", {"move": move})
            assert tried.status_code == 200
            assert tried.json["legal"] is True
            assert tried.json["version"] == listed["version"]
            if "facts" in item:
                assert tried.json["facts"] == item["facts"]
        assert server.snapshot() == before
        table.move(seat)


def test_a_dry_run_says_why_not(server: Server) -> None:
    table = server.start(PERSON, PERSON, chance={"first": 0})
    table.move(0, {"type": "place", "at": 4})
    body = {"move": {"type": "place", "at": 4}, "expected_version": table.version}

    tried = table.seats[1].post(f"{table.at}/moves?dry_run=true", body)

    assert tried.json["legal"] is False
    assert tried.json["refusal"] == {
        "code": "tictactoe.taken",
        "rule": "TTT-2",
        "detail": "This cell is taken.",
    }
    stale = {**body, "expected_version": 1}
    answer = table.seats[1].post(f"{table.at}/moves?dry_run=true", stale)
    refused(answer, 409, "match.stale-version")
    off_turn = table.seats[0].post(f"{table.at}/moves?dry_run=true", body)
    refused(off_turn, 409, "move.not-your-turn")


def test_an_illegal_move_names_its_rule_and_changes_nothing(server: Server) -> None:
    table = server.start(PERSON, PERSON, chance={"first": 0})
    before = server.snapshot()

    problem = refused(table.move(0, {"type": "place", "at": 24}), 422, "tictactoe.off-board")

    assert problem["rule"] == "TTT-1"
    assert problem["title"] == "No such cell"
    assert server.snapshot() == before


@pytest.mark.parametrize(
    ("move", "pointer"),
    [
        ({"type": "place"}, "/move"),
        ({"type": "place", "at": "1"}, "/move/at"),
        ({"type": "place", "at": 1.0}, "/move/at"),
        ({"type": "place", "at": True}, "/move/at"),
        ({"type": "place", "at": -1}, "/move/at"),
        ({"type": "place", "at": 1, "more": 1}, "/move"),
        ({"type": "fly"}, "/move/type"),
        ({}, "/move"),
        ([], "/move"),
        (None, "/move"),
    ],
)
def test_a_move_that_does_not_fit_its_schema(server: Server, move, pointer: str) -> None:
    table = server.start(PERSON, PERSON, chance={"first": 0})
    answer = table.seats[0].post(f"{table.at}/moves", {"move": move, "expected_version": 3})
    assert refused(answer, 400, "request.invalid")["errors"][0]["pointer"].startswith(pointer)


def test_moves_are_for_seats_alone(server: Server) -> None:
    table = server.start(PERSON, bot())
    body = {"move": {"type": "place", "at": 0}, "expected_version": 3}
    refused(server.host.get(f"{table.at}/moves"), 403, "auth.no-seat")
    refused(server.nobody.get(f"{table.at}/moves"), 401, "auth.required")
    refused(server.host.post(f"{table.at}/moves", body), 403, "auth.no-seat")
    refused(server.nobody.post(f"{table.at}/moves", body), 401, "auth.required")


def test_off_turn_nothing_is_listed(server: Server) -> None:
    table = server.start(PERSON, PERSON, chance={"first": 0})
    assert table.seats[1].get(f"{table.at}/moves").json == {"version": 3, "seat": 1, "moves": []}
    assert len(table.seats[0].get(f"{table.at}/moves").json["moves"]) == 9


def test_before_the_start_and_after_the_end_no_move_is_taken(server: Server) -> None:
    waiting = server.start(PERSON, {"kind": "open"})
    refused(waiting.move(0, {"type": "place", "at": 0}), 409, "match.not-started")
    table = server.start(PERSON, PERSON)
    table.play()
    for seat in (0, 1):
        refused(table.move(seat, {"type": "place", "at": 0}), 409, "match.over")
        assert table.seats[seat].get(f"{table.at}/moves").json["moves"] == []
