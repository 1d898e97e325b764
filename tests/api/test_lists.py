"""Lists of matches and results."""

from __future__ import annotations

from tests.api.server import OPEN, OTHER_KEY, PERSON, Server, bot, refused


def listed(answer) -> list[str]:
    return [row["id"] for row in answer.json["items"]]


def test_pages_by_creation_without_gaps_or_repeats(server: Server) -> None:
    made = []
    for number in range(7):
        server.now += number % 2  # some at the same ms
        table = server.start(PERSON, PERSON, game="tictactoe")
        server.advance(table.id)
        made.append((server.now, table.id))
    expected = [match_id for _, match_id in sorted(made)]

    seen, cursor = [], None
    while True:
        page = server.host.get("/v1/matches", limit=3, cursor=cursor)
        seen += listed(page)
        cursor = page.json["next"]
        if cursor is None:
            break

    assert seen == expected


def test_filters(server: Server) -> None:
    waiting = server.start({"kind": "person", "ref": "ann"}, OPEN)
    running = server.start(PERSON, PERSON, visibility="public")
    cards = server.start(*[PERSON] * 4, game="daifugo")
    for table in (waiting, running, cards):
        server.advance(table.id)

    assert listed(server.host.get("/v1/matches", status="waiting")) == [waiting.id]
    assert listed(server.host.get("/v1/matches", game="daifugo")) == [cards.id]
    assert listed(server.host.get("/v1/matches", player="ann")) == [waiting.id]
    assert listed(server.host.get("/v1/matches", player="ben")) == []
    assert listed(server.host.get("/v1/matches", scope="public")) == [running.id]
    assert listed(server.nobody.get("/v1/matches")) == [running.id]
    assert listed(server.client(OTHER_KEY).get("/v1/matches")) == []
    assert listed(server.client(OTHER_KEY).get("/v1/matches", player="ann")) == []
    refused(server.nobody.get("/v1/matches", scope="mine"), 401, "auth.required")
    refused(waiting.seats[0].get("/v1/matches", scope="mine"), 403, "auth.key-required")
    refused(server.nobody.get("/v1/matches", player="ann"), 400, "request.invalid")
    refused(server.host.get("/v1/matches", game="chess"), 404, "game.unknown")


def test_no_list_shows_a_hosts_reference(server: Server) -> None:
    table = server.start({"kind": "person", "name": "Ann", "ref": "secret-ref"}, PERSON)
    server.advance(table.id)
    answer = server.host.get("/v1/matches")
    assert answer.json["items"][0]["seats"][0]["name"] == "Ann"
    assert "secret-ref" not in answer.text


def test_results_are_of_finished_matches_that_count(server: Server) -> None:
    finished = server.start(bot(), bot(), visibility="public")
    custom = server.start(bot(), bot(), chance={"first": 1}, visibility="public")
    cancelled = server.start(PERSON, PERSON, visibility="public")
    server.host.delete(cancelled.at)
    for table in (finished, custom, cancelled):
        server.advance(table.id)

    results = server.nobody.get("/v1/games/tictactoe/results")

    assert listed(results) == [finished.id]
    assert results.json["items"][0]["result"]["reason"] == "completed"
    assert listed(server.host.get("/v1/games/tictactoe/results", scope="mine")) == [finished.id]
    assert listed(server.host.get("/v1/games/daifugo/results")) == []
    refused(server.nobody.get("/v1/games/chess/results"), 404, "game.unknown")


def test_a_cursor_that_was_never_given_out(server: Server) -> None:
    for cursor in ("x", "!!", "8J+YgA==", "9" * 200):
        refused(server.host.get("/v1/matches", cursor=cursor), 400, "request.bad-cursor")
