"""What is refused before any command is looked at: JSON, schemas, parameters, sizes."""

from __future__ import annotations

import json
from io import BytesIO

import pytest

from api import strict_json
from shared.errors import Malformed
from tests.api.server import OPEN, PERSON, Server, bot, refused

NEW = {"game": "tictactoe", "seats": [PERSON, OPEN]}


def post(server: Server, data: bytes, content_type: str = "application/json"):
    return server.host.ask("POST", "/v1/matches", data=data, content_type=content_type)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"nonsense",
        b'{"a": 1} x',
        b'{"a": 1, "a": 1}',
        b'{"a": NaN}',
        b'{"a": Infinity}',
        b'{"a": -Infinity}',
        b'{"a": 1e999}',
        b'{"a": 9223372036854775808}',
        b'{"a": -9223372036854775809}',
        b'{"a": ' + b"9" * 10_000 + b"}",
        b'{"a": "\xff"}',
        b'\xef\xbb\xbf{"a": 1}',
        '{"a": 1}'.encode("utf-16"),
        b'{"a": "\\ud800"}',
        b'{"a": "\\u0000"}',
        b'{"\\u0000": 1}',
        b'{"a": "\x00"}',
        b"[" * 17 + b"]" * 17,
        b"[" * 60_000,
        b'{"a":' * 10_000,
        b'{"a": "' + b"[" * 20 + b'"' + b"[" * 17,
    ],
)
def test_bytes_that_are_no_json_of_ours(server: Server, data: bytes) -> None:
    refused(post(server, data), 400, "request.invalid-json")


def test_json_that_is_ours() -> None:
    text = '{"a": [1, -1.5, true, null, "\\u5927\\ud83c\\udccf", "' + "[{" * 50 + '"]}'
    assert strict_json.read(text.encode(), depth=2) == json.loads(text)
    assert strict_json.read(b"9223372036854775807", depth=0) == 2**63 - 1
    assert strict_json.read(b"-9223372036854775808", depth=0) == -(2**63)
    nested = b"[[],[],[],[[]]]"
    assert strict_json.read(nested, depth=3) == [[], [], [], [[]]]
    with pytest.raises(Malformed):
        strict_json.read(nested, depth=2)


@pytest.mark.parametrize("data", [b"[]", b"1", b'"x"', b"null", b"true"])
def test_a_body_is_an_object(server: Server, data: bytes) -> None:
    refused(post(server, data), 400, "request.invalid")


@pytest.mark.parametrize(
    "content_type",
    ["", "text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin-1"],
)
def test_a_body_of_another_type(server: Server, content_type: str) -> None:
    answer = post(server, json.dumps(NEW).encode(), content_type)
    refused(answer, 415, "request.unsupported-media-type")


def test_a_body_that_is_too_large() -> None:
    server = Server(body_limit=1_000)
    large = json.dumps({**NEW, "padding": "x" * 1_000}).encode()
    refused(post(server, large), 413, "request.too-large")
    chunked = server.host.ask(
        "POST",
        "/v1/matches",
        input_stream=BytesIO(large),
        content_type="application/json",
        headers={"Transfer-Encoding": "chunked"},
        environ_overrides={"wsgi.input_terminated": True},
    )
    refused(chunked, 413, "request.too-large")


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"game": 1}, "/game"),
        ({"game": ""}, "/game"),
        ({"game": "g" * 65}, "/game"),
        ({"seats": "two"}, "/seats"),
        ({"seats": []}, "/seats"),
        ({"seats": [PERSON] * 17}, "/seats"),
        ({"seats": [1]}, "/seats/0"),
        ({"seats": [PERSON, {"kind": "alien"}]}, "/seats/1/kind"),
        ({"seats": [PERSON, {}]}, "/seats/1/kind"),
        ({"seats": [{**PERSON, "name": "n" * 65}, OPEN]}, "/seats/0/name"),
        ({"seats": [{**PERSON, "name": ""}, OPEN]}, "/seats/0/name"),
        ({"seats": [{**PERSON, "name": "a\nb"}, OPEN]}, "/seats/0/name"),
        ({"seats": [{**PERSON, "name": "end\n"}, OPEN]}, "/seats/0/name"),
        ({"seats": [{**PERSON, "name": 7}, OPEN]}, "/seats/0/name"),
        ({"seats": [{**PERSON, "ref": "r" * 129}, OPEN]}, "/seats/0/ref"),
        ({"seats": [{**PERSON, "client_seed": "0" * 63}, OPEN]}, "/seats/0/client_seed"),
        ({"seats": [{**PERSON, "client_seed": "0" * 64 + "\n"}, OPEN]}, "/seats/0/client_seed"),
        ({"seats": [{**PERSON, "client_seed": "F" * 64}, OPEN]}, "/seats/0/client_seed"),
        ({"seats": [{**PERSON, "a/b~c": 1}, OPEN]}, "/seats/0/a~1b~0c"),
        ({"clock": {"per_move_s": 0}}, "/clock/per_move_s"),
        ({"clock": {"per_move_s": 604_801}}, "/clock/per_move_s"),
        ({"clock": {"per_move_s": 1.9}}, "/clock/per_move_s"),
        ({"clock": {"per_move_s": 1.0}}, "/clock/per_move_s"),
        ({"clock": {"per_move_s": "1"}}, "/clock/per_move_s"),
        ({"clock": {"per_move_s": True}}, "/clock/per_move_s"),
        ({"clock": {}}, "/clock/per_move_s"),
        ({"clock": 30}, "/clock"),
        ({"pace_ms": -1}, "/pace_ms"),
        ({"pace_ms": 60_001}, "/pace_ms"),
        ({"start": "true"}, "/start"),
        ({"start": 1}, "/start"),
        ({"start": 0}, "/start"),
        ({"visibility": "secret"}, "/visibility"),
        ({"options": []}, "/options"),
        ({"options": {"size": "3"}}, "/options/size"),
        ({"options": {"size": 3.0}}, "/options/size"),
        ({"options": {"size": 99}}, "/options/size"),
        ({"options": {"more": 1}}, "/options"),
        ({"chance": {}}, "/chance"),
        ({"chance": {"x" * 65: 1}}, "/chance"),
        ({"chance": [1]}, "/chance"),
        ({"more": 1}, "/more"),
    ],
)
def test_a_body_that_does_not_fit(server: Server, change, pointer: str) -> None:
    before = server.snapshot()
    answer = server.host.post("/v1/matches", {**NEW, **change})
    problem = refused(answer, 400, "request.invalid")
    assert any(error["pointer"].startswith(pointer) for error in problem["errors"]), problem
    assert server.snapshot() == before


@pytest.mark.parametrize(
    ("path", "parameter"),
    [
        ("/v1/matches?limit=0", "limit"),
        ("/v1/matches?limit=201", "limit"),
        ("/v1/matches?limit=1.9", "limit"),
        ("/v1/matches?limit=1_0", "limit"),
        ("/v1/matches?limit=+5", "limit"),
        ("/v1/matches?limit=%20 5", "limit"),
        ("/v1/matches?limit=٥", "limit"),
        ("/v1/matches?limit=" + "9" * 5_000, "limit"),
        ("/v1/matches?limit=5&limit=6", "limit"),
        ("/v1/matches?more=1", "more"),
        ("/v1/matches?status=over", "status"),
        ("/v1/matches?scope=all", "scope"),
        ("{at}?version=0", "version"),
        ("{at}?version=-1", "version"),
        ("{at}?seat=16", "seat"),
        ("{at}/events?after=x", "after"),
        ("{at}/moves?preview=1", "preview"),
        ("{at}/moves?preview=True", "preview"),
    ],
)
def test_a_parameter_that_does_not_fit(server: Server, path: str, parameter: str) -> None:
    table = server.start(PERSON, PERSON)
    answer = table.seats[0].get(path.replace("{at}", table.at))
    errors = refused(answer, 400, "request.invalid")["errors"]
    assert [error["parameter"] for error in errors] == [parameter]


def test_what_the_game_cannot_have(server: Server) -> None:
    def create(**change):
        return server.host.post("/v1/matches", {**NEW, **change})

    refused(create(game="chess"), 422, "match.unknown-game")
    refused(create(seats=[PERSON] * 3), 422, "match.seat-count")
    refused(create(seats=[PERSON, bot("genius")]), 422, "match.unknown-level")
    refused(create(seats=[PERSON, {**PERSON, "level": "greedy"}]), 422, "match.level-without-bot")
    refused(create(seats=[PERSON, {**OPEN, "name": "x"}]), 422, "match.nobody-there")
    refused(create(start=True), 422, "match.start-with-open-seats")


def test_a_command_that_needs_nothing_needs_no_body(server: Server) -> None:
    table = server.start(PERSON, PERSON)
    assert table.seats[0].post(f"{table.at}/resign").status_code == 201
    other = server.start(PERSON, PERSON)
    assert other.seats[0].post(f"{other.at}/resign", {}).status_code == 201
    third = server.start(PERSON, PERSON)
    refused(third.seats[0].post(f"{third.at}/resign", {"why": "x"}), 400, "request.invalid")


def test_names_and_references_of_full_length(server: Server) -> None:
    name, ref = "大" * 64, "r" * 128
    table = server.start({**PERSON, "name": name, "ref": ref}, OPEN)
    assert table.look()["seats"][0]["name"] == name
    assert table.look()["seats"][0]["ref"] == ref


@pytest.mark.parametrize("ends_itself", [True, False])
@pytest.mark.parametrize("path", ["/v1/matches", "/v1/matches/import", "{at}/resign", "{at}/seats"])
@pytest.mark.parametrize("came", [150, 0])
def test_a_body_that_was_cut_off_is_not_carried_out(
    server: Server, ends_itself: bool, path: str, came: int
) -> None:
    table = server.start(PERSON, OPEN)
    client = table.seats[0] if path.endswith("resign") else server.host
    kind = "application/x-ndjson" if path.endswith("import") else "application/json"
    whole = {"/v1/matches": json.dumps(NEW), "/v1/matches/import": ""}.get(path, "{}")
    environ = {"wsgi.input_terminated": True} if ends_itself else {}
    before = server.snapshot()

    answer = client.ask(
        "POST",
        path.replace("{at}", table.at),
        input_stream=BytesIO(whole.ljust(150).encode()[:came]),
        content_type=kind,
        environ_overrides={**environ, "CONTENT_LENGTH": "5000"},
    )

    refused(answer, 400, "request.incomplete")
    assert server.snapshot() == before


def test_a_body_without_a_length_is_read_to_its_end(server: Server) -> None:
    answer = server.host.ask(
        "POST",
        "/v1/matches",
        input_stream=BytesIO(json.dumps(NEW).encode()),
        content_type="application/json",
        environ_overrides={"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"},
    )
    assert answer.status_code == 201


@pytest.mark.parametrize("host", ["", "a b", "a,b", "x:99999", '"<>', None])
def test_a_link_never_begins_with_a_host_that_cannot_be_one(
    server: Server, host: str | None
) -> None:
    given = {} if host is None else {"HTTP_HOST": host}
    answer = server.host.post("/v1/matches", NEW, environ_overrides=given)
    url = answer.json["links"][0]["url"]
    at = f"/v1/matches/{answer.json['match']['id']}/seats?seat=1&code="
    assert url.startswith(at if host is not None else f"http://localhost{at}")
    assert server.nobody.post(url, {}).status_code == 201
    public = Server(public_url="https://play.example/").host
    created = public.post("/v1/matches", NEW, environ_overrides=given).json
    assert created["links"][0]["url"].startswith("https://play.example/v1/matches/")
