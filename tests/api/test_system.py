"""Health, metrics, logs, and what browsers are told."""

from __future__ import annotations

import re

import pytest

from services.registry import GAMES
from tests.api.server import API_KEY, PERSON, Server, bot, refused


def test_health(server: Server) -> None:
    assert server.nobody.get("/livez").json == {"status": "ok"}
    assert server.nobody.get("/readyz").json == {"status": "ok"}

    server.store_is_down = True

    assert server.nobody.get("/livez").status_code == 200
    refused(server.nobody.get("/readyz"), 503, "store.unavailable")


def metrics(server: Server) -> dict[str, float]:
    text = server.nobody.get("/metrics").text
    return {
        name: float(value)
        for name, value in re.findall(r"^([^#\s]\S*) (\S+)$", text, flags=re.MULTILINE)
    }


def test_metrics_count_requests_moves_and_conflicts(server: Server) -> None:
    table = server.start(PERSON, PERSON, chance={"first": 0})
    table.move(0, {"type": "place", "at": 0})
    table.move(1, {"type": "place", "at": 0})
    stale = {"move": {"type": "place", "at": 1}, "expected_version": 1}
    table.seats[1].post(f"{table.at}/moves", stale)
    server.nobody.get("/nowhere/at/all")
    server.nobody.ask("BREW", "/v1/games")

    found = metrics(server)

    moves = "/v1/matches/<match:match_id>/moves"
    for name, count in {
        'tycoon_moves_total{code="ok",game="tictactoe"}': 1,
        'tycoon_moves_total{code="tictactoe.taken",game="tictactoe"}': 1,
        'tycoon_moves_total{code="match.stale-version",game="-"}': 1,
        'tycoon_conflicts_total{code="match.stale-version"}': 1,
        f'tycoon_http_requests_total{{method="POST",route="{moves}",status="201"}}': 1,
        'tycoon_http_requests_total{method="GET",route="unknown",status="404"}': 1,
        'tycoon_http_requests_total{method="other",route="unknown",status="405"}': 1,
        'tycoon_command_seconds_count{command="move"}': 3,
    }.items():
        assert found[name] == count, name
    assert table.id not in str(found)


def test_one_line_for_each_request_without_anything_secret(server: Server) -> None:
    named = {"kind": "person", "name": "Annabella", "ref": "reference-1"}
    table = server.start(named, bot(), game="tictactoe", chance={"first": 0})
    server.lines.clear()

    table.move(0, {"type": "place", "at": 7})
    table.move(0, {"type": "place", "at": 7})
    server.nobody.get("/v1/matches", player="reference-1")

    moves = [line for line in server.lines if line.get("method") == "POST"]
    assert [(line["status"], line.get("code")) for line in moves] == [
        (201, None),
        (409, "move.not-your-turn"),
    ]
    for line in moves:
        assert line["match"] == table.id
        assert line["route"] == "/v1/matches/<match:match_id>/moves"
        assert line["duration_ms"] >= 0
        assert set(line) <= {
            *("event", "level", "correlation", "method", "route", "status"),
            *("duration_ms", "command", "match", "version", "code"),
        }
    told = str(server.lines)
    secrets = (API_KEY, table.seats[0].credential, "Annabella", "reference-1", "place")
    assert not [secret for secret in secrets if secret in told]


@pytest.mark.parametrize(
    ("given", "kept"),
    [("abc-1.2_X", True), ("x" * 64, True), ("x" * 65, False), ("a b", False), ("é", False)],
)
def test_a_request_keeps_its_id_where_it_is_sane(server: Server, given: str, kept: bool) -> None:
    answer = server.nobody.get("/livez", headers={"X-Request-Id": given})
    told = answer.headers["X-Request-Id"]
    assert (told == given) is kept
    assert server.lines[-1]["correlation"] == told
    assert told != server.nobody.get("/livez").headers["X-Request-Id"]


def test_nobodys_cache_keeps_what_is_one_callers(server: Server) -> None:
    table = server.start(PERSON, PERSON)
    table.play()
    for path in ("", "/events", "/moves", "/export"):
        answer = table.seats[0].get(table.at + path)
        assert answer.headers["Cache-Control"] == "no-store", path
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "public" in server.nobody.get("/v1/games").headers["Cache-Control"]


def test_browsers_may_call_from_the_origins_of_the_setting() -> None:
    server = Server(cors_origins="https://a.example, https://b.example")
    ask = {"Origin": "https://b.example", "Access-Control-Request-Method": "POST"}
    preflight = server.nobody.ask("OPTIONS", "/v1/matches", headers=ask)
    assert preflight.headers["Access-Control-Allow-Origin"] == "https://b.example"
    answer = server.nobody.get("/v1/games", headers={"Origin": "https://b.example"})
    assert answer.headers["Access-Control-Allow-Origin"] == "https://b.example"
    assert "ETag" in answer.headers["Access-Control-Expose-Headers"]
    other = server.nobody.get("/v1/games", headers={"Origin": "https://evil.example"})
    assert "Access-Control-Allow-Origin" not in other.headers


def test_without_the_setting_no_browser_may(server: Server) -> None:
    answer = server.nobody.get("/v1/games", headers={"Origin": "https://a.example"})
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_the_document_for_people_needs_no_other_server(server: Server) -> None:
    page = server.nobody.get("/docs")
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    named = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert named
    for address in named:
        assert address.startswith("/")
        answer = server.nobody.ask("GET", address)
        assert answer.status_code == 200
        assert "http" not in answer.text or address == "/openapi.json"


def test_the_catalogue(server: Server) -> None:
    games = server.nobody.get("/v1/games").json["items"]
    assert [game["slug"] for game in games] == [*GAMES, "tictactoe", "secrets"]
    daifugo = server.nobody.get("/v1/games/daifugo").json
    assert daifugo["name"] == {"en": "Daifugō", "ja": "大富豪"}
    assert daifugo["seats"] == {"min": 4, "max": 8}
    assert daifugo["levels"][:2] == ["random", "greedy"]
    assert daifugo["options"]["$defs"]["Options"]["properties"]["rounds"]["default"] == 5
    assert {draw["label"] for draw in daifugo["draws"]["4"]} == {"dealer", "deal/*"}
    assert daifugo["templates"] is None
    assert daifugo["texts"]["daifugo.wrong-count"]["ja"]
    assert server.nobody.get("/v1/games/secrets").json["templates"] is not None
    rules = server.nobody.get("/v1/games/daifugo/rules")
    assert "DF-6.4" in rules.text
    refused(server.nobody.get("/v1/games/tictactoe/rules"), 404, "game.no-rules")
    refused(server.nobody.get("/v1/games/chess"), 404, "game.unknown")


def test_probes_and_scrapes_are_worth_a_line_only_where_they_are_refused() -> None:
    server = Server()
    for path in ("/livez", "/readyz", "/metrics"):
        assert server.nobody.get(path).status_code == 200
    server.store_is_down = True
    assert server.nobody.get("/readyz").status_code == 503
    told = [(line["route"], line["level"]) for line in server.lines]
    assert told == [
        ("/livez", "debug"),
        ("/readyz", "debug"),
        ("/metrics", "debug"),
        ("/readyz", "info"),
    ]
