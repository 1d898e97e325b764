"""Every error is a problem document with a known code, in the caller's language."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from werkzeug import exceptions

from api import problems
from api.codes import CODES
from services.registry import GAMES
from shared import errors
from shared.errors import Corrupt, Newer, TooMany, Unavailable
from tests.api.server import PERSON, Server, refused
from tests.toys import secrets, tictactoe

ROOT = Path(__file__).parents[2]
STATUS = {kind.__name__: status for kind, status in problems.STATUS.items()}
STATUS["IllegalMove"] = STATUS["Unprocessable"]
SOURCES = [
    path
    for folder in ("shared", "services", "api")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if "cli" not in path.parts
]


@cache
def codes_raised() -> dict[str, set[int]]:
    """Code -> the statuses that the source gives it."""
    found: dict[str, set[int]] = defaultdict(set)
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in STATUS:
                for inner in ast.walk(node.args[0]):
                    if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                        found[inner.value].add(STATUS[name])
    for status, (code, _) in problems.HTTP_CODES.items():
        found[code].add(status)
    return found


def test_every_refusal_of_the_source_is_found() -> None:
    """The search above must not pass because it finds nothing."""
    assert {"match.unknown", "daifugo.wrong-count", "request.invalid-json"} <= set(codes_raised())
    classes = {
        kind.__name__
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.Refused)
    }
    assert classes - {"Refused"} == set(STATUS)


@pytest.mark.parametrize("code", sorted(codes_raised()))
def test_every_code_has_its_status_and_titles_in_both_languages(code: str) -> None:
    statuses = codes_raised()[code]
    scope = code.partition(".")[0]
    if scope in GAMES:
        title, status = GAMES[scope].texts[code], 422
    else:
        status, title = CODES[code]
    assert statuses == {status}
    assert title.en
    assert title.ja
    assert title.en != title.ja


def test_no_code_is_kept_that_nothing_raises() -> None:
    other = {"request.failed", "store.newer", "store.unreadable"}  # see problems.py
    assert set(CODES) == {c for c in codes_raised() if c.split(".")[0] not in GAMES} | other


def test_a_title_is_in_the_language_that_is_asked_for(server: Server) -> None:
    def title(header: str | None) -> str:
        headers = {"Accept-Language": header} if header else {}
        answer = server.nobody.get("/v1/games/chess", headers=headers)
        assert answer.headers["Vary"] == "Accept-Language"
        assert answer.headers["Content-Language"] in ("en", "ja")
        return answer.json["title"]

    assert title(None) == title("en-GB,ja;q=0.5") == title("fr") == title("*") == "No such game"
    assert title("ja") == title("ja-JP,en;q=0.8") == "そのゲームはありません"


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("ja;q=0", "en"),
        ("ja;q=0, *", "en"),
        ("en;q=0, *", "ja"),
        ("en;q=0.2, ja-JP;q=0.8", "ja"),
        ("ja-JP, en;q=0.9", "ja"),
        ("fr, ja;q=0.1", "ja"),
        ("fr, *;q=0", "en"),
        ("ja;q=x", "en"),
        ("JA", "ja"),
        (",;q=1,", "en"),
    ],
)
def test_a_language_is_chosen_by_its_weight(server: Server, header: str, language: str) -> None:
    answer = server.nobody.get("/v1/games/chess", headers={"Accept-Language": header})
    assert answer.headers["Content-Language"] == language


def test_a_games_refusal_has_the_games_title(server: Server) -> None:
    table = server.start(PERSON, PERSON, chance={"first": 0})
    body = {"move": {"type": "place", "at": 24}, "expected_version": table.version}
    answer = table.seats[0].post(f"{table.at}/moves", body, headers={"Accept-Language": "ja"})
    assert answer.json["title"] == tictactoe.GAME.texts["tictactoe.off-board"].ja


@pytest.mark.parametrize("code", [*CODES, *(c for c in secrets.GAME.texts if c.startswith("sec"))])
def test_the_type_of_a_problem_leads_to_its_meaning(server: Server, code: str) -> None:
    if "_" in code:  # an event's tag
        refused(server.nobody.get(f"/problems/{code}"), 404, "request.unknown-problem")
        return
    meaning = server.nobody.get(f"/problems/{code}")
    assert meaning.json["code"] == code
    assert meaning.json["title"]["ja"]


def test_addresses_and_methods_that_are_not_there(server: Server) -> None:
    for path in (
        "/",
        "/v2/matches",
        "/v1//matches",
        "/v1/matches/x/y/z",
        "/docs/../app.py",
        "/%00",
    ):
        refused(server.nobody.get(path), 404, "request.unknown-route")
    answer = server.nobody.ask("PATCH", "/v1/matches")
    refused(answer, 405, "request.method-not-allowed")
    assert "POST" in answer.headers["Allow"]
    refused(server.nobody.ask("BREW", "/v1/matches"), 405, "request.method-not-allowed")


KINDS = [
    kind
    for kind in vars(exceptions).values()
    if isinstance(kind, type) and issubclass(kind, exceptions.HTTPException) and kind.code
]


@pytest.mark.parametrize("kind", KINDS, ids=[kind.__name__ for kind in KINDS])
def test_whatever_the_framework_raises_has_its_codes_status(
    server: Server, kind: type[exceptions.HTTPException]
) -> None:
    def refuse() -> None:
        raise kind

    server.app.before_request(refuse)
    answer = server.nobody.ask("GET", "/v1/games", checked=False)
    assert CODES[answer.json["code"]].status == answer.status_code == answer.json["status"]


def test_a_range_that_is_not_there_is_a_problem(server: Server) -> None:
    answer = server.nobody.ask("GET", "/docs/docs.css", headers={"Range": "bytes=99999999-"})
    refused(answer, 416, "request.range-not-satisfiable")
    assert answer.headers["Content-Range"].startswith("bytes */")


@pytest.mark.parametrize("status", [429, 503])
def test_who_shall_wait_is_told_how_long(server: Server, status: int) -> None:
    def refuse() -> None:
        kind = {429: TooMany, 503: Unavailable}[status]
        raise kind("request.too-many" if status == 429 else "store.unavailable", "Not now.")

    server.app.before_request(refuse)
    assert int(server.nobody.ask("GET", "/v1/games", checked=False).headers["Retry-After"]) >= 1


def test_a_bug_tells_the_caller_nothing_and_the_log_where(server: Server) -> None:
    def broken() -> None:
        raise RuntimeError("the hand is 3D")

    server.app.before_request(broken)
    answer = server.host.get("/v1/games")
    refused(answer, 500, "request.failed")
    assert "3D" not in answer.text
    line = next(line for line in server.lines if line["event"] == "failed")
    assert line["error"] == "RuntimeError"
    assert any("broken" in where for where in line["where"])
    assert "3D" not in str(server.lines)


def test_a_store_that_does_not_answer_is_503_and_worth_a_repeat(server: Server) -> None:
    table = server.start(PERSON, PERSON)

    def down(*given, **named):
        raise Unavailable("store.unavailable", "The store does not answer.")

    server.stores.events.load = down
    answer = table.seats[0].get(table.at)
    refused(answer, 503, "store.unavailable")
    assert answer.headers["Retry-After"] == "1"


def test_a_match_that_cannot_be_read_is_reported(server: Server) -> None:
    table = server.start(PERSON, PERSON)

    def corrupt(*given, **named):
        raise Corrupt("an event is not JSON: 3D")

    server.stores.events.load = corrupt
    answer = table.seats[0].get(table.at)
    refused(answer, 500, "store.unreadable")
    assert "3D" not in answer.text + str(server.lines)
    assert any(line.get("error") == "Corrupt" for line in server.lines)


def test_a_match_of_a_newer_build_is_for_another_process(server: Server) -> None:
    table = server.start(PERSON, PERSON)

    def newer(*given, **named):
        raise Newer("this build knows no event type 'tictactoe.applauded'")

    server.stores.events.load = newer
    answer = table.seats[0].get(table.at)
    refused(answer, 503, "store.newer")
    assert answer.headers["Retry-After"] == "1"
    assert "applauded" not in answer.text + str(server.lines)
    assert any(line.get("error") == "Newer" for line in server.lines)
