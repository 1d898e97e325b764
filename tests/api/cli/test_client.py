"""The client: one Idempotency-Key for a command, however often it is sent."""

import httpx
import pytest

from api.cli.client import Client, Problem, Unreachable, path

OK = {"ok": True}


class Answers(httpx.BaseTransport):
    """Answers that were laid out before; remembers what was asked."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    def handle_request(self, request):
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def client(*answers):
    transport = Answers(*answers)
    pauses = []
    http = httpx.Client(base_url="http://here", transport=transport)
    return Client(http, "tyk_1", pauses.append), transport, pauses


def lost():
    return httpx.ConnectError("refused")


def keys_of(transport):
    return [request.headers.get("Idempotency-Key") for request in transport.asked]


def test_a_command_is_sent_again_with_the_same_key():
    sender, transport, pauses = client(
        lost(), httpx.ReadTimeout("late"), httpx.Response(201, json=OK)
    )
    assert sender.post("/v1/matches", {"game": "g"}) == OK
    first, *others = keys_of(transport)
    assert len(first) >= 16
    assert others == [first, first]
    assert {request.content for request in transport.asked} == {b'{"game":"g"}'}
    assert pauses == [0.1, 0.3]


def test_two_commands_have_two_keys():
    sender, transport, _ = client(httpx.Response(201, json=OK), httpx.Response(201, json=OK))
    sender.post("/v1/matches", {})
    sender.post("/v1/matches", {})
    assert len(set(keys_of(transport))) == 2


def test_a_query_has_a_credential_and_no_key():
    sender, transport, _ = client(httpx.Response(200, json=OK))
    sender.get("/v1/games", limit=3, preview=True, cursor=None)
    (asked,) = transport.asked
    assert asked.headers["Authorization"] == "Bearer tyk_1"
    assert asked.url.query == b"limit=3&preview=true"
    assert keys_of(transport) == [None]


def test_a_server_that_is_not_ready_is_asked_again_when_it_says():
    busy = httpx.Response(503, json={"code": "store.unavailable"}, headers={"Retry-After": "2"})
    sender, transport, pauses = client(busy, httpx.Response(201, json=OK))
    assert sender.post("/v1/matches", {}) == OK
    assert len(set(keys_of(transport))) == 1
    assert pauses == [2.0]


@pytest.mark.parametrize("headers", [{}, {"Retry-After": "3600"}])
def test_a_limit_that_does_not_pass_soon_is_a_problem_at_once(headers):
    full = httpx.Response(429, json={"code": "match.too-many-open"}, headers=headers)
    sender, transport, _ = client(full)
    with pytest.raises(Problem) as refused:
        sender.post("/v1/matches", {})
    assert (refused.value.status, refused.value.code) == (429, "match.too-many-open")
    assert len(transport.asked) == 1


def test_a_date_to_retry_after_is_not_waited_for():
    when = {"Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"}
    sender, transport, _ = client(httpx.Response(503, json={"code": "x.y"}, headers=when))
    with pytest.raises(Problem):
        sender.get("/v1/games")
    assert len(transport.asked) == 1


def test_who_never_answers_is_unreachable():
    sender, transport, pauses = client(*(lost() for _ in range(4)))
    with pytest.raises(Unreachable, match="does not answer"):
        sender.get("/v1/games")
    assert len(transport.asked) == 4
    assert len(pauses) == 3


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(200, html="<h1>Hello</h1>"),
        httpx.Response(404, html="<h1>Not here</h1>"),
        httpx.Response(404, json=["no problem document"]),
        httpx.Response(502, json={"message": "bad gateway"}),
    ],
)
def test_another_program_at_the_address_is_told_apart(answer):
    sender, _, _ = client(answer)
    with pytest.raises(Unreachable, match="is no Tycoon"):
        sender.get("/v1/games")


def test_what_a_person_typed_stays_one_part_of_a_path():
    assert path("matches", "../admin/keys?x#y") == "/v1/matches/..%2Fadmin%2Fkeys%3Fx%23y"
