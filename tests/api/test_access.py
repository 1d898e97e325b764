"""Who may see and do what."""

from __future__ import annotations

import pytest

from tests.api.server import OPEN, OPERATOR, OTHER_KEY, PERSON, Server, refused

UNKNOWN = "/v1/matches/m_" + "a" * 26


def routes(at: str) -> list[tuple[str, str, object]]:
    move = {"move": {"type": "place", "at": 0}, "expected_version": 1}
    return [
        ("GET", at, None),
        ("GET", f"{at}?version=1", None),
        ("GET", f"{at}?seat=1", None),
        ("GET", f"{at}/events", None),
        ("GET", f"{at}/export", None),
        ("GET", f"{at}/thoughts", None),
        ("GET", f"{at}/moves", None),
        ("POST", f"{at}/moves", move),
        ("POST", f"{at}/moves?dry_run=true", move),
        ("POST", f"{at}/seats", {}),
        ("POST", f"{at}/seats", {"code": "wrong"}),
        ("POST", f"{at}/seats", {"seat": 9}),
        ("POST", f"{at}/seats", {"action": "leave"}),
        ("POST", f"{at}/seats", {"action": "seed", "client_seed": "0" * 64}),
        ("POST", f"{at}/hint", {}),
        ("GET", f"{at}/hint", None),
        ("POST", f"{at}/start", {}),
        ("POST", f"{at}/resign", {}),
        ("POST", f"{at}/seats/0/token", {}),
        ("POST", f"{at}/seats/9/token", {}),
        ("DELETE", at, None),
    ]


@pytest.mark.parametrize("waiting", [True, False])
def test_a_private_match_looks_like_none_to_everybody_else(server: Server, waiting: bool) -> None:
    table = server.start(PERSON, OPEN if waiting else PERSON, visibility="private")
    elsewhere = server.start(PERSON, PERSON)
    strangers = (None, OTHER_KEY, elsewhere.seats[0].credential)

    for credential in strangers:
        client = server.client(credential)
        for private, unknown in zip(routes(table.at), routes(UNKNOWN), strict=True):
            answers = [
                client.post(path, body) if method == "POST" else client.ask(method, path)
                for method, path, body in (private, unknown)
            ]
            assert answers[0].status_code == answers[1].status_code, private
            assert answers[0].data == answers[1].data, private
            headers = [dict(answer.headers) for answer in answers]
            for given in headers:
                given.pop("X-Request-Id")
            assert headers[0] == headers[1]


def test_a_private_match_is_seen_by_its_own(server: Server) -> None:
    table = server.start(PERSON, PERSON, visibility="private")
    for client in (server.host, *table.seats.values(), server.client(OPERATOR)):
        assert client.get(table.at).status_code == 200


def test_what_cannot_be_an_id_is_an_unknown_match(server: Server) -> None:
    for name in ("m_short", "m_" + "A" * 26, "m_" + "é" * 26, "m_%00" + "a" * 25, "x" * 3_000):
        refused(server.nobody.get(f"/v1/matches/{name}"), 404, "match.unknown")


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("Basic abc", "auth.bad-header"),
        ("Bearer", "auth.bad-header"),
        ("Bearer ", "auth.bad-header"),
        ("Bearer nonsense", "auth.bad-header"),
        ("Bearer tys_0_short", "auth.bad-header"),
        ("Bearer tys_\xb2_" + "a" * 32, "auth.bad-header"),
        ("Bearer tyk_hostkey1_" + "z" * 40, "auth.bad-key"),
        ("Bearer tyk_nobody11_" + "h" * 40, "auth.bad-key"),
        ("Bearer tyk_", "auth.bad-key"),
        ("Bearer tyo_wrong", "auth.bad-key"),
    ],
)
def test_a_bad_credential_is_told_so(server: Server, header: str, code: str) -> None:
    answer = server.nobody.get("/v1/matches", headers={"Authorization": header})
    refused(answer, 401, code)
    assert answer.headers["WWW-Authenticate"].startswith("Bearer ")
    for path in ("/v1/games", "/livez"):  # open to all: nobody looks
        assert server.nobody.get(path, headers={"Authorization": header}).status_code == 200


def test_a_token_is_good_for_one_match_and_one_seat(server: Server) -> None:
    table, other = server.start(PERSON, PERSON), server.start(PERSON, PERSON)
    token = table.seats[0].credential
    refused(server.client(token).get(other.at), 401, "auth.bad-token")
    turned = token.replace("tys_0_", "tys_1_")
    refused(server.client(turned).get(table.at), 401, "auth.bad-token")
    refused(server.client(token).get(UNKNOWN), 401, "auth.bad-token")


def test_only_an_api_key_creates_and_imports(server: Server) -> None:
    table = server.start(PERSON, PERSON)
    body = {"game": "tictactoe", "seats": [PERSON, PERSON]}
    refused(server.nobody.post("/v1/matches", body), 401, "auth.required")
    refused(table.seats[0].post("/v1/matches", body), 403, "auth.key-required")
    refused(server.client(OPERATOR).post("/v1/matches", body), 403, "auth.key-required")
    refused(server.nobody.post("/v1/matches/import"), 401, "auth.required")


def test_another_key_sees_an_unlisted_match_and_commands_nothing(server: Server) -> None:
    table = server.start(PERSON, OPEN)
    stranger = server.client(OTHER_KEY)
    assert stranger.get(table.at).json["you"] is None
    refused(stranger.delete(table.at), 403, "auth.not-owner")
    refused(stranger.post(f"{table.at}/start", {"fill": "greedy"}), 403, "auth.not-owner")
    refused(stranger.post(f"{table.at}/seats/0/token"), 403, "auth.not-owner")


def test_the_operator_sees_no_hand_and_gets_no_token(server: Server) -> None:
    table = server.start(*[PERSON] * 4, game="daifugo")
    operator = server.client(OPERATOR)
    assert all(isinstance(hand, int) for hand in operator.get(table.at).json["view"]["hands"])
    refused(operator.post(f"{table.at}/seats/0/token"), 403, "auth.not-owner")
    assert operator.delete(table.at).status_code == 200
