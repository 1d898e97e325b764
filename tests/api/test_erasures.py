"""Erasing over HTTP: who may, what is answered, and that nobody is told the name since."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
import pytest

from tests.api.server import API_KEY, OPEN, OPERATOR, OTHER_KEY, Client, Json, Server, bot, refused

NAME, REF = "Zebedee Q. Quux", "ref-zebedee-77"
ZEB: Json = {"kind": "person", "name": NAME, "ref": REF}
ANN: Json = {"kind": "person", "name": "Ann", "ref": "ref-ann"}
PLAYER = {"player": REF}


def erase(client: Client, body: Json, **more: Any) -> Any:
    return client.post("/v1/erasures", body, **more)


def erased(answer: Any) -> tuple[int, int]:
    assert answer.status_code == 200, answer.text
    return answer.json["erased"], answer.json["left"]


def every_answer(server: Server, ids: list[str], credentials: list[str | None]) -> str:
    """All that anybody is answered about these matches, headers included."""
    told = [str(server.host.get("/v1/matches", player=REF).json)]
    for credential in credentials:
        client = Client(server.app, credential, checked=False)
        for game in ("tictactoe", "daifugo"):
            told += [client.get(f"/v1/games/{game}/results").text]
        told += [client.get("/v1/matches").text, client.get("/openapi.json").text]
        for match in ids:
            for part in ("", "/events", "/moves", "/export", "/thoughts", "/hint", "?version=1"):
                answer = client.get(f"/v1/matches/{match}{part}")
                told.append(f"{answer.text} {answer.headers}")
    return "\n".join(told)


def test_after_an_erasure_nobody_is_told_the_name(server: Server) -> None:
    waiting = server.start(ZEB, OPEN, visibility="public")
    running = server.start(ANN, ZEB, visibility="private")
    over = server.start(ZEB, ANN, visibility="public")
    over.play()
    custom = server.start(ZEB, bot(), chance={"first": 1})
    tables = [waiting, running, over, custom]
    for table in tables:
        server.advance(table.id)
    ids = [table.id for table in tables]
    holders = [client.credential for table in tables for client in table.seats.values()]
    credentials = [None, API_KEY, OTHER_KEY, OPERATOR, *holders]
    before = every_answer(server, ids, credentials)
    assert NAME in before
    assert REF in before
    export = server.host.get(f"{over.at}/export").data
    versions = [table.version for table in tables]

    assert erased(erase(server.host, PLAYER)) == (4, 0)

    after = every_answer(server, ids, credentials)
    assert NAME not in after
    assert REF not in after.replace(f"player={REF}", "")
    assert '"Ann"' in after
    assert server.host.get("/v1/matches", player=REF).json["items"] == []
    assert server.host.get(f"{over.at}/export").data == export
    assert [table.version for table in tables] == versions
    for line in server.lines:
        assert NAME not in str(line)
        assert REF not in str(line)
    assert erased(erase(server.host, PLAYER)) == (0, 0)
    metrics = server.nobody.get("/metrics").text
    assert REF not in metrics


def test_a_reference_is_in_no_refusal_and_no_line(server: Server) -> None:
    erase(server.host, {"player": REF, "seat": 0})
    erase(server.host, {"player": REF * 40})
    erase(server.nobody, PLAYER)
    erase(server.client(OPERATOR), PLAYER)
    refusals = [
        erase(server.host, {"player": REF, "seat": 0}),
        erase(server.host, {"player": REF * 40}),
        erase(server.host, {"player": [REF]}),
        erase(server.host, {"match": REF, "seat": 0}),
        erase(server.nobody, PLAYER),
        erase(server.client(OPERATOR), PLAYER),
    ]
    for answer in refusals:
        assert answer.status_code in (400, 401, 403, 404), answer.text
        assert REF not in answer.text
    assert REF not in str(server.lines)


def test_only_an_api_key_erases_its_players(server: Server) -> None:
    table = server.start(ZEB, OPEN)
    server.advance(table.id)
    refused(erase(server.nobody, PLAYER), 401, "auth.required")
    refused(erase(server.client(OPERATOR), PLAYER), 403, "auth.key-required")
    refused(erase(table.seats[0], PLAYER), 403, "auth.key-required")
    assert erased(erase(server.client(OTHER_KEY), PLAYER)) == (0, 0)
    assert table.look()["seats"][0]["name"] == NAME


@pytest.mark.parametrize("who", ["host", "operator", "seat"])
def test_a_seat_is_erased_by_who_may(server: Server, who: str) -> None:
    table = server.start(ZEB, ANN, visibility="private")
    client = {
        "host": server.host,
        "operator": server.client(OPERATOR),
        "seat": table.seats[0],
    }[who]
    body = {"match": table.id, "seat": 0}
    assert erased(erase(client, body, key="k")) == (1, 0)
    assert erased(erase(client, body, key="k")) == (0, 0)
    assert [seat["name"] for seat in table.look()["seats"]] == [None, "Ann"]
    assert table.seats[0].get(table.at).status_code == 200, "the seat is still theirs"
    assert table.id in [line.get("match") for line in server.lines if line["command"] == "erase"]


def test_a_seat_is_erased_by_nobody_else(server: Server) -> None:
    private = server.start(ZEB, ANN, visibility="private")
    unlisted = server.start(ZEB, ANN)
    of_private = {"match": private.id, "seat": 0}
    of_unlisted = {"match": unlisted.id, "seat": 0}
    unknown = {"match": "m_" + "a" * 26, "seat": 0}
    other = server.client(OTHER_KEY)
    for body in (of_private, unknown, {"match": "../x", "seat": 0}):
        refused(erase(other, body), 404, "match.unknown")
        refused(erase(server.nobody, body), 404, "match.unknown")
    refused(erase(other, of_unlisted), 403, "auth.not-owner")
    refused(erase(unlisted.seats[1], of_unlisted), 403, "auth.not-owner")
    refused(erase(unlisted.seats[0], of_private), 401, "auth.bad-token")
    refused(erase(server.nobody, of_unlisted), 401, "auth.required")
    refused(erase(server.host, {"match": private.id, "seat": 2}), 404, "seat.unknown")
    for table in (private, unlisted):
        assert table.look()["seats"][0]["name"] == NAME


@pytest.mark.parametrize(
    "body",
    [
        *({}, {"player": ""}, {"player": None}, {"player": 1}, {"player": "x" * 129}),
        *({"match": "m"}, {"seat": 0}, {"match": "m", "seat": -1}, {"match": "m", "seat": 16}),
        *({"match": "m", "seat": "0"}, {"player": "x", "match": "m", "seat": 0}),
    ],
)
def test_a_body_that_is_neither_form(server: Server, body: Json) -> None:
    answer = erase(server.host, body)
    refused(answer, 400, "request.invalid")


def test_more_than_one_request_can_do_is_left(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.resources.erasures.AT_ONCE", 2)
    for _ in range(5):
        server.advance(server.start(ZEB, OPEN).id)
    assert [erased(erase(server.host, PLAYER)) for _ in range(3)] == [(2, 3), (2, 1), (1, 0)]


def test_a_repeated_command_does_not_bring_the_name_back(server: Server) -> None:
    new = {"game": "tictactoe", "seats": [ZEB, OPEN]}
    made = server.host.post("/v1/matches", new, key="create").json
    join = {"name": NAME, "ref": REF, "seat": 1}
    at = f"/v1/matches/{made['match']['id']}/seats"
    server.host.post(at, join, key="join")
    assert erased(erase(server.host, PLAYER)) == (1, 0)

    again = [server.host.post("/v1/matches", new, key="create")]
    again.append(server.host.post(at, join, key="join"))

    for answer in again:
        assert answer.status_code == 201
        assert answer.headers["Idempotency-Replayed"] == "true"
        assert NAME not in answer.text
        assert REF not in answer.text


def test_what_is_kept_of_a_command_tells_nobody_what_was_in_it(server: Server) -> None:
    """A plain hash of a body could be compared with guesses."""
    body: Json = {"name": NAME, "ref": REF, "seat": 1}
    table = server.start(ANN, OPEN)
    server.host.post(f"{table.at}/seats", body, key="join")
    store: Any = server.stores.events
    [record] = store.kept[table.id].commands.values()
    whole = {"action": "join", "code": None, "kind": "person", "client_seed": None, **body}
    for guess in (body, whole):
        plain = hashlib.sha256(msgspec.json.encode(guess, order="sorted")).hexdigest()
        assert record.body != plain
