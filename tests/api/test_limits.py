"""Limits: rates, open matches."""

from __future__ import annotations

import pytest

from shared.settings import SettingsError
from tests.api.server import API_KEY, OTHER_KEY, PERSON, Server, refused

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
    for _ in range(2):
        assert table.seats[0].get(table.at).status_code == 200
    refused(table.seats[0].get(table.at), 429, "request.too-many")
    assert table.seats[1].get(table.at).status_code == 200


def test_a_rate_that_cannot_be_read_is_a_setting_that_cannot_be_used() -> None:
    with pytest.raises(SettingsError, match="TYCOON_RATE_PER_SEAT"):
        Server(rate_per_seat="many")


def test_a_key_has_so_many_open_matches_and_no_more() -> None:
    server = Server(open_matches_limit=3)
    made = [server.host.post("/v1/matches", NEW, key=f"k{number}") for number in range(3)]
    assert all(answer.status_code == 201 for answer in made)
    at = [f"/v1/matches/{answer.json['match']['id']}" for answer in made]

    before = server.snapshot()
    refused(server.host.post("/v1/matches", NEW), 429, "match.too-many-open")

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
    server.keystore.remove(API_KEY.split("_")[1])  # by another process
    server.now += 2_000
    refused(server.host.get("/v1/matches"), 401, "auth.bad-key")
