"""`tycoon match thoughts`, `tycoon match hint`, and the word `hint` of `tycoon play`."""

import pytest

from tests.api.cli.conftest import decoded


@pytest.fixture
def finished(run_json):
    created = run_json("match", "new", "tictactoe", "--bots", "search-20,greedy", "--wait")
    return created["match"]


def test_thoughts_are_told_as_one_document(run_json, finished):
    document = run_json("match", "thoughts", finished["id"])
    assert document["as_of"] == finished["version"]
    assert document["next"] is None
    assert {item["level"] for item in document["items"]} == {"search-20", "greedy"}


def test_thoughts_are_lines_for_people(run, finished):
    result = run("match", "thoughts", finished["id"])
    assert result.exit_code == 0
    assert "search-20  0.2 ms  20x" in result.stdout
    assert "Place a mark" in result.stdout
    assert "greedy  0.2 ms" in result.stdout


def test_thoughts_of_a_match_that_is_not_over_are_refused(run, run_json):
    created = run_json("match", "new", "tictactoe", "--seat", "person", "--bots", "search-20")
    result = run("match", "thoughts", created["match"]["id"])
    assert result.exit_code == 1
    assert "match.not-over" in result.stderr


@pytest.fixture
def seated(run_json, tmp_path):
    """A match where the person has to move, and the seat's token."""
    first = tmp_path / "chance.json"
    first.write_text('{"first": 0}')
    created = run_json(
        *("match", "new", "tictactoe", "--seat", "person", "--bots", "greedy", "--chance", first)
    )
    return created["match"]["id"], created["tokens"][0]["token"]


def test_a_hint_is_waited_for_and_told(run, run_json, here, seated):
    match, token = seated
    given = run_json("match", "hint", match, "--token", token, "--level", "search-30")
    assert (given["status"], given["level"], given["iterations"]) == ("ready", "search-30", 30)
    assert here.pauses
    told = run("match", "hint", match, "--token", token, "--level", "search-30")
    assert told.exit_code == 0
    assert told.stdout.startswith("Place a mark ")
    assert "(search-30)" in told.stdout, "the same version has the same hint"


def test_a_hint_that_cannot_be_is_refused(run, seated):
    match, token = seated
    assert run("match", "hint", match).exit_code == 2
    assert run("match", "hint", match, "--token", token, "--level", "greedy").exit_code == 1
    assert run("match", "hint", match, "--token", "tys_0_" + "a" * 32).exit_code == 4


def test_hint_is_a_word_of_a_session(run):
    played = run("play", "tictactoe", "--bots", "greedy", "--json", typed="hint\nhint\nquit\n")
    assert played.exit_code == 0, played.output
    lines = decoded(played.stdout)
    hints = [line["hint"] for line in lines if "hint" in line]
    assert len(hints) == 2
    assert hints[0] == hints[1]
    assert hints[0]["status"] == "ready"


def test_a_session_goes_on_where_hints_are_off(run, here):
    here.world.tycoon.hints._level = ""
    played = run("play", "tictactoe", "--bots", "greedy", "--json", typed="hint\nquit\n")
    assert played.exit_code == 0, played.output
    assert "hint.off" in played.output
    assert decoded(played.stdout).count({"ask": "move"}) == 2
