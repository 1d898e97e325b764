"""Limits: rates, open matches."""

from __future__ import annotations

import pytest

from api import limits
from api.limits import Rates
from services.matches.access import Caller
from shared.errors import TooMany
from shared.settings import Settings, SettingsError
from tests.api.server import API_KEY, OPERATOR, OTHER_KEY, PERSON, Server, refused

NEW = {"game": "tictactoe", "seats": [PERSON, PERSON]}


def test_a_keys_rate_is_its_own_and_comes_back() -> None:
    server = Server(rate_per_key="3/minute")
    for _ in range(3):
        assert server.host.get("/v1/matches").status_code == 200

    answer = server.host.get("/v1/matches")

    refused(answer, 429, "request.too-many")
    wait = int(answer.headers["Retry-After"])
    assert 1 <= wait <= 60
    assert server.client(OTHER_KEY).get("/v1/matches").status_code == 200
    assert server.nobody.get("/v1/matches").status_code == 200
    server.now += (wait - 1) * 1_000
    refused(server.host.get("/v1/matches"), 429, "request.too-many")
    server.now += 1_000
    assert server.host.get("/v1/matches").status_code == 200


def test_a_seats_rate_is_apart_from_its_neighbours() -> None:
    server = Server(rate_per_seat="2/second")
    table = server.start(PERSON, PERSON)
    for _ in range(3):  # the first counts for the address: a token is not known before
        assert table.seats[0].get(table.at).status_code == 200
    refused(table.seats[0].get(table.at), 429, "request.too-many")
    assert table.seats[1].get(table.at).status_code == 200


STRANGERS = [None, "tys_0_{}", "tyk_unknown1_{}", "tyk_bad", "nonsense"]


@pytest.mark.parametrize("form", STRANGERS)
def test_who_shows_nothing_valid_is_counted_by_address(form: str | None) -> None:
    server = Server(rate_per_seat="3/second")
    table = server.start(PERSON, PERSON)
    seated = table.seats[0]
    assert seated.get(table.at).status_code == 200

    def ask(number: int, address: str) -> int:
        client = server.client(form and form.format("abcdefgh"[number] * 32))
        given = {"environ_overrides": {"REMOTE_ADDR": address}}
        return int(client.ask("GET", f"{table.at}?version=1", **given).status_code)

    first = 200 if form is None else 401
    assert [ask(number, "192.0.2.1") for number in range(5)] == [first] * 3 + [429] * 2
    assert ask(5, "192.0.2.2") == first
    given = {"environ_overrides": {"REMOTE_ADDR": "192.0.2.1"}}
    assert seated.ask("GET", table.at, **given).status_code == 200
    server.now += 1_000
    assert ask(6, "192.0.2.1") == first


def test_a_token_that_a_match_refused_is_not_known_afterwards() -> None:
    server = Server(rate_per_seat="2/second")
    table, other = server.start(PERSON, PERSON), server.start(PERSON, PERSON)
    stranger = server.client(other.seats[0].credential)
    for _ in range(2):
        refused(stranger.get(table.at), 401, "auth.bad-token")
    refused(stranger.get(table.at), 429, "request.too-many")


def test_the_operator_has_no_rate() -> None:
    server = Server(rate_per_seat="1/minute", rate_per_key="1/minute")
    for _ in range(3):
        assert server.client(OPERATOR).get("/v1/admin/keys").status_code == 200


def test_known_tokens_are_forgotten_rather_than_kept_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "PROVEN", 2)
    rates = Rates(Settings(rate_per_seat="1/second"), lambda: 0)
    for name in "abc":
        rates.prove(Caller("seat", name))

    rates.count(Caller("seat", "c"), "192.0.2.1")  # known: the seat's
    rates.count(Caller("seat", "a"), "192.0.2.1")  # forgotten: the address's
    with pytest.raises(TooMany):
        rates.count(Caller("seat", "b"), "192.0.2.1")


def test_a_rate_that_cannot_be_read_is_a_setting_that_cannot_be_used() -> None:
    with pytest.raises(SettingsError, match="TYCOON_RATE_PER_SEAT"):
        Server(rate_per_seat="many")


def test_a_key_has_so_many_open_matches_and_no_more() -> None:
    server = Server(open_matches_limit=3)
    made = [server.host.post("/v1/matches", NEW, key=f"k{number}") for number in range(3)]
    assert all(answer.status_code == 201 for answer in made)
    at = [f"/v1/matches/{answer.json['match']['id']}" for answer in made]

    before = server.snapshot()
    answer = server.host.post("/v1/matches", NEW)

    refused(answer, 429, "match.too-many-open")
    assert answer.headers["Retry-After"] == "60"
    assert server.snapshot() == before
    # What was created before is answered again, and another key is not concerned.
    assert server.host.post("/v1/matches", NEW, key="k0").data == made[0].data
    assert server.client(OTHER_KEY).post("/v1/matches", NEW).status_code == 201
    server.host.delete(at[0])
    for path in at:
        server.advance(path.rpartition("/")[2])
    server.now += 2_000
    assert server.host.post("/v1/matches", NEW).status_code == 201
    refused(server.host.post("/v1/matches", NEW), 429, "match.too-many-open")


def test_a_revoked_key_works_no_longer_than_two_seconds_elsewhere() -> None:
    server = Server()
    assert server.host.get("/v1/matches").status_code == 200
    server.keystore.revoke(API_KEY.split("_")[1])  # by another process
    server.now += 2_000
    refused(server.host.get("/v1/matches"), 401, "auth.bad-key")
