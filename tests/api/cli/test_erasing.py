"""`tycoon erase`."""

import json

import httpx
import pytest


@pytest.fixture
def match(run_json):
    words = ["--seat", "person:Zebedee", "--seat", "person:Ann"]
    return run_json("match", "new", "tictactoe", *words)


def players(here, count):
    """So many matches of a player, all of them listed."""
    with httpx.Client(transport=here, base_url="http://here") as client:
        for _ in range(count):
            seats = [{"kind": "person", "name": "Zebedee", "ref": "user-1"}, {"kind": "open"}]
            made = client.post(
                "/v1/matches",
                json={"game": "tictactoe", "seats": seats},
                headers={"Authorization": f"Bearer {here.api_key}"},
            )
            here.world.advance(made.json()["match"]["id"])


def test_a_player_is_erased_until_nothing_is_left(here, run, run_json, monkeypatch):
    monkeypatch.setattr("api.resources.erasures.AT_ONCE", 2)
    players(here, 5)
    assert run_json("erase", "player", "user-1") == {"erased": 5, "left": 0}
    asked = [r for r in here.requests if r.url.path == "/v1/erasures"]
    assert len(asked) == 3
    assert all("user-1" not in str(request.url) for request in here.requests)
    told = run("erase", "player", "user-1")
    assert (told.exit_code, told.stdout) == (0, "Erased in 0 matches, 0 left.\n")


def test_the_reference_can_come_from_a_file(here, run, tmp_path):
    players(here, 1)
    told = run("erase", "player", "--from", "-", typed="user-1\n")
    assert told.stdout == "Erased in 1 match, 0 left.\n"
    (tmp_path / "ref").write_text("user-1")
    assert run("erase", "player", "--from", tmp_path / "ref").exit_code == 0
    assert run("erase", "player").exit_code == 2
    assert run("erase", "player", "user-1", "--from", "-").exit_code == 2


def test_what_does_not_get_less_is_given_up_in_the_end(here, run):
    answer = httpx.Response(200, json={"erased": 0, "left": 7})
    here.down = [answer] * 100
    told = run("erase", "player", "user-1")
    assert (told.exit_code, told.stdout) == (1, "Erased in 0 matches, 7 left.\n")
    asked = len([r for r in here.requests if r.url.path == "/v1/erasures"])
    assert asked == 21
    assert json.loads(here.requests[-1].content) == {"player": "user-1"}


@pytest.mark.parametrize("own", [False, True])
def test_a_seat_is_erased(run, run_json, match, own):
    token = ["--token", match["tokens"][0]["token"]] if own else []
    where = match["match"]["id"]
    assert run_json("erase", "seat", where, 0, *token) == {"erased": 1, "left": 0}
    assert run("erase", "seat", where, 0, *token).stdout == "There was no name.\n"
    seats = run_json("match", "show", where)["seats"]
    assert [held["name"] for held in seats] == [None, "Ann"]


def test_another_seats_token_is_refused(run, match):
    told = run("erase", "seat", match["match"]["id"], 0, "--token", match["tokens"][1]["token"])
    assert told.exit_code == 4
    assert told.stderr.startswith("auth.not-owner: ")
