"""Bots' reasons and thinking times over HTTP: after the match, for whoever may see it."""

from __future__ import annotations

from tests.api.server import API_KEY, OPERATOR, OTHER_KEY, PERSON, Server, bot, refused


def test_reasons_and_times_of_every_move_are_told_after_the_match(server: Server) -> None:
    table = server.start(bot("search-20"), bot("greedy"), chance={"first": 0})
    server.advance(table.id)
    document = server.nobody.get(f"{table.at}/thoughts").json
    events = {e["version"]: e for e in server.nobody.get(f"{table.at}/events").json["items"]}
    assert document["as_of"] == table.version
    assert document["next"] is None
    assert len(document["items"]) == sum("move" in event for event in events.values())
    for item in document["items"]:
        event = events[item["version"]]
        assert item["seat"] == event["seat"]
        assert item["took_ms"] == 0.25
        if item["level"] == "greedy":
            assert item["leading"] == []
            assert "iterations" not in item
        elif item["leading"]:
            assert item["leading"][0]["move"] == event["move"]
    first = document["items"][0]
    assert first["iterations"] == 20
    assert 2 <= len(first["leading"]) <= 5


def test_pages_follow_each_other(server: Server) -> None:
    table = server.start(bot("random"), bot("random"))
    server.advance(table.id)
    whole = server.host.get(f"{table.at}/thoughts").json["items"]
    first = server.host.get(f"{table.at}/thoughts", limit=2).json
    rest = server.host.get(f"{table.at}/thoughts", cursor=first["next"]).json
    assert first["items"] + rest["items"] == whole
    for cursor in ("-1", "next", "1e3"):
        answer = server.host.get(f"{table.at}/thoughts", cursor=cursor)
        refused(answer, 400, "request.bad-cursor")
    refused(server.host.get(f"{table.at}/thoughts", limit=201), 400, "request.invalid")


def test_before_the_end_nobody_sees_or_reads_in_a_log_how_a_bot_thought(server: Server) -> None:
    table = server.start(PERSON, bot("search-20"), pace_ms=0, chance={"first": 1})
    server.advance(table.id)
    assert table.version == 4
    answers = []
    for credential in (None, API_KEY, OTHER_KEY, OPERATOR, table.seats[0].credential):
        client = server.client(credential)
        refused(client.get(f"{table.at}/thoughts"), 409, "match.not-over")
        answers += [client.get(f"{table.at}{more}").text for more in ("", "/events")]
    told = "".join(answers) + str(server.lines)
    assert "visits" not in told
    assert "took_ms" not in told


def test_a_private_matchs_thoughts_are_for_those_who_may_see_it(server: Server) -> None:
    table = server.start(bot(), bot(), visibility="private")
    server.advance(table.id)
    for credential in (None, OTHER_KEY):
        answer = server.client(credential).get(f"{table.at}/thoughts")
        refused(answer, 404, "match.unknown")
    for credential in (API_KEY, OPERATOR):
        assert server.client(credential).get(f"{table.at}/thoughts").json["items"]


def test_a_match_without_bots_has_none(server: Server) -> None:
    table = server.start(PERSON, PERSON)
    table.play()
    assert server.host.get(f"{table.at}/thoughts").json["items"] == []
